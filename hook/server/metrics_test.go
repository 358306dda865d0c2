package server_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/hook/server"
)

func TestMetrics(t *testing.T) {
	s := start(t, server.Config{Version: "1.2.3", Hooks: syncing(func(r *hook.Request) (*hook.Response, error) {
		answer := responseIn(t, v1alpha1.StateRunning, "value")
		if reason, invalid := strings.CutPrefix(r.Parent.Metadata.Name, "invalid-"); invalid {
			answer.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionStalled, Status: metav1.ConditionTrue,
				Reason: map[string]string{"spec": v1alpha1.ReasonInvalidSpec, "version": v1alpha1.ReasonUnsupportedByVersion, "image": v1alpha1.ReasonImagePullFailed}[reason]}}
		}
		return answer, nil
	})})
	assert.Equal(t, "0", s.metric(t, `flame_hook_requests_total{code="200",hook="sync"}`), "series exist from the start")
	for _, name := range []string{"team-a", "team-b", "invalid-spec", "invalid-spec", "invalid-version", "invalid-image"} {
		require.Equal(t, http.StatusOK, post(t, s.url+"/sync", syncBody(name)).code)
	}
	post(t, s.url+"/sync", "null")
	post(t, s.url+"/customize", syncBody("team-a"))
	get(t, s.url+"/sync")
	for series, want := range map[string]string{
		`flame_hook_requests_total{code="200",hook="sync"}`:             "6",
		`flame_hook_requests_total{code="400",hook="sync"}`:             "1",
		`flame_hook_requests_total{code="200",hook="customize"}`:        "1",
		`flame_hook_requests_total{code="405",hook="none"}`:             "1",
		`flame_hook_request_duration_seconds_count{hook="sync"}`:        "7",
		`flame_hook_request_body_bytes_count{hook="sync"}`:              "7",
		`flame_hook_request_body_bytes_bucket{hook="sync",le="1024"}`:   "7",
		`flame_hook_response_body_bytes_count{hook="sync"}`:             "6",
		`flame_hook_children_total{kind="ConfigMap"}`:                   "6",
		`flame_hook_children_total{kind="Deployment"}`:                  "0",
		`flame_hook_invalid_specs_total{reason="InvalidSpec"}`:          "2",
		`flame_hook_invalid_specs_total{reason="UnsupportedByVersion"}`: "1",
		`flame_hook_guard_refusals_total`:                               "0",
		`flame_hook_panics_total`:                                       "0",
		`flame_hook_in_flight_bytes`:                                    "0",
	} {
		assert.Equal(t, want, s.metric(t, series), series)
	}
	all := get(t, s.adminURL+"/metrics").body
	assert.Regexp(t, `flame_hook_build_info\{goversion="go[^"]+",version="1\.2\.3"\} 1`, all)
	assert.Contains(t, all, "go_goroutines ")
	assert.Contains(t, all, "process_resident_memory_bytes ")
}

// Whatever is sent, the number of time series has a bound.
func TestLabelsAreBounded(t *testing.T) {
	s := start(t, server.Config{Hooks: running(t)})
	seriesNow := func() []string {
		ours := regexp.MustCompile(`(?m)^flame_hook_\S+`).FindAllString(get(t, s.adminURL+"/metrics").body, -1)
		slices.Sort(ours)
		return ours
	}
	round := func(i int) {
		name := fmt.Sprintf("team-%d", i)
		post(t, s.url+"/sync", syncBody(name))
		post(t, s.url+"/"+name, syncBody(name))
		post(t, s.url+"/sync?v="+name, name)
		send(t, newClient(t), request(t, fmt.Sprintf("METHOD%d", i), s.url+"/sync", nil))
	}
	round(0)
	before := seriesNow()
	for i := range 20 {
		round(i)
	}
	assert.Equal(t, before, seriesNow())
	assert.NotContains(t, strings.Join(before, "\n"), "team-")
}
