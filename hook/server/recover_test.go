package server_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/hook/canonical"
	"github.com/xflops/flame-operator/hook/server"
)

func TestFaultsAreAnsweredAndSurvived(t *testing.T) {
	var none []string
	good := responseIn(t, v1alpha1.StateRunning, "value")
	s := start(t, server.Config{Hooks: syncing(func(r *hook.Request) (*hook.Response, error) {
		switch r.Parent.Metadata.Name {
		case "index":
			return nil, errors.New(none[5])
		case "value":
			panic("a value with contents of the request")
		case "nothing":
			return nil, nil
		case "error":
			return nil, errors.New("contents of the request")
		case "success-as-error":
			return nil, &hook.Error{Status: http.StatusOK, Message: "{}"}
		case "unsafe":
			return nil, &hook.Error{Status: http.StatusInternalServerError, Message: "no safe answer"}
		case "no-children":
			return &hook.Response{Status: good.Status}, nil
		case "null-child":
			return &hook.Response{Status: good.Status, Children: []canonical.Object{{}}}, nil
		case "no-status":
			return &hook.Response{Children: good.Children}, nil
		}
		return good, nil
	})})
	const internal = "internal error: nothing is changed; see the log of flame-hook"
	for name, want := range map[string]string{
		"index":            internal,
		"value":            internal,
		"nothing":          internal,
		"error":            internal,
		"success-as-error": internal,
		"unsafe":           "no safe answer",
		"no-children":      "refused its own answer",
		"null-child":       "refused its own answer",
		"no-status":        "refused its own answer",
	} {
		t.Run(name, func(t *testing.T) {
			answer := post(t, s.url+"/sync", syncBody(name))
			assert.Equal(t, http.StatusInternalServerError, answer.code)
			assert.Contains(t, answer.refusal(t), want)
			assert.Equal(t, http.StatusOK, post(t, s.url+"/sync", syncBody("team-a")).code, "the service goes on")
		})
	}
	assert.Equal(t, "3", s.metric(t, "flame_hook_panics_total"))
	assert.Equal(t, "3", s.metric(t, "flame_hook_guard_refusals_total"))
	assert.Equal(t, "9", s.metric(t, `flame_hook_requests_total{code="500",hook="sync"}`))
	assert.Equal(t, "0", s.metric(t, "flame_hook_in_flight_bytes"))
	assert.Len(t, s.log.lines(t, "panic"), 3)
	assert.NotContains(t, s.log.String(), "contents of the request")
	assert.Contains(t, s.log.String(), "index out of range")
}
