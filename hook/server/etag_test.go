package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/hook/server"
)

func TestAnswersCarryAnETag(t *testing.T) {
	s := start(t, server.Config{ETag: true, Hooks: running(t)})
	first := post(t, s.url+"/sync", syncBody("team-a"))
	require.Equal(t, http.StatusOK, first.code)
	etag := first.header.Get("ETag")
	require.Regexp(t, `^"[0-9a-f]{32}"$`, etag)
	assert.Equal(t, etag, post(t, s.url+"/sync", syncBody("team-b")).header.Get("ETag"), "it depends on the answer alone")

	tests := map[string]struct {
		ifNoneMatch string
		code        int
	}{
		"same":           {etag, 304},
		"weak":           {"W/" + etag, 304},
		"one of several": {`"other", W/` + etag + ` , "third"`, 304},
		"other":          {`"0123456789abcdef0123456789abcdef"`, 200},
		"unquoted":       {strings.Trim(etag, `"`), 200},
		"star":           {"*", 200},
		"empty":          {"", 200},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			answer := post(t, s.url+"/sync", syncBody("team-a"), "If-None-Match", test.ifNoneMatch)
			assert.Equal(t, test.code, answer.code)
			assert.Equal(t, etag, answer.header.Get("ETag"))
			if test.code == http.StatusNotModified {
				assert.Empty(t, answer.body)
			} else {
				assert.Equal(t, first.body, answer.body)
			}
		})
	}
}

func TestAChangedAnswerHasAnotherETag(t *testing.T) {
	state := v1alpha1.StatePending
	s := start(t, server.Config{ETag: true, Hooks: syncing(func(*hook.Request) (*hook.Response, error) {
		return responseIn(t, state, "value"), nil
	})})
	pending := post(t, s.url+"/sync", syncBody("team-a")).header.Get("ETag")
	state = v1alpha1.StateRunning
	answer := post(t, s.url+"/sync", syncBody("team-a"), "If-None-Match", pending)
	assert.Equal(t, http.StatusOK, answer.code)
	assert.NotEqual(t, pending, answer.header.Get("ETag"))
}

// Metacontroller keeps the body of whatever has an ETag.
func TestRefusalsHaveNoETag(t *testing.T) {
	s := start(t, server.Config{ETag: true})
	for _, body := range []string{"", "null", strings.Repeat("x", 100)} {
		answer := post(t, s.url+"/sync", body, "If-None-Match", "*")
		assert.Equal(t, http.StatusBadRequest, answer.code)
		assert.Empty(t, answer.header.Values("ETag"))
	}
}

func TestFaultsHaveNoETag(t *testing.T) {
	s := start(t, server.Config{ETag: true, Hooks: syncing(func(r *hook.Request) (*hook.Response, error) {
		switch r.Parent.Metadata.Name {
		case "panic":
			panic("fault")
		case "no-children":
			return &hook.Response{}, nil
		case "patience":
			return nil, &hook.Error{Status: http.StatusTooManyRequests, RetryAfterSeconds: 1, Message: "later"}
		}
		return responseIn(t, v1alpha1.StateRunning, "value"), nil
	})})
	etag := post(t, s.url+"/sync", syncBody("good")).header.Get("ETag")
	for name, code := range map[string]int{"panic": 500, "no-children": 500, "patience": 429} {
		answer := post(t, s.url+"/sync", syncBody(name), "If-None-Match", etag)
		assert.Equal(t, code, answer.code, name)
		assert.NotEmpty(t, answer.body, name)
		assert.Empty(t, answer.header.Values("ETag"), name)
	}
}

func TestETagsAreOffUnlessAskedFor(t *testing.T) {
	on := start(t, server.Config{ETag: true, Hooks: running(t)})
	etag := post(t, on.url+"/sync", syncBody("team-a")).header.Get("ETag")
	off := start(t, server.Config{Hooks: running(t)})
	answer := post(t, off.url+"/sync", syncBody("team-a"), "If-None-Match", etag)
	assert.Equal(t, http.StatusOK, answer.code)
	assert.Empty(t, answer.header.Values("ETag"))
}
