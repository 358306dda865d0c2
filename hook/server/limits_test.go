package server_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/hook/server"
)

// held is a call that the hook does not answer before release.
type held struct {
	release func()
	answer  chan received
}

// holding returns hooks that hold every call about the FlameCluster "sized" whose
// finalizing is set, and a function that makes such a call and waits for it to be
// held.
func holding(t *testing.T) (server.Hooks, func(url string, size int) held) {
	t.Helper()
	entered, leave := make(chan struct{}), make(chan struct{})
	answer := responseIn(t, v1alpha1.StateRunning, "value")
	hooks := syncing(func(r *hook.Request) (*hook.Response, error) {
		if r.Finalizing {
			entered <- struct{}{}
			<-leave
		}
		return answer, nil
	})
	return hooks, func(url string, size int) held {
		body := strings.Replace(syncBodyOfSize(t, size), `"finalizing":false`, `"finalizing":true `, 1)
		h := held{answer: make(chan received, 1), release: sync.OnceFunc(func() { leave <- struct{}{} })}
		call := request(t, http.MethodPost, url, strings.NewReader(body))
		go func() {
			got, err := try(http.DefaultClient, call)
			assert.NoError(t, err)
			h.answer <- got
		}()
		select {
		case <-entered:
		case got := <-h.answer:
			require.Fail(t, "the call was not held", "%d %s", got.code, got.body)
		}
		return h
	}
}

func TestBytesInFlightAreLimited(t *testing.T) {
	hooks, hold := holding(t)
	s := start(t, server.Config{MaxInFlightBytes: 10_000, MaxBodyBytes: 100_000, Hooks: hooks})
	url := s.url + "/sync"

	first := hold(url, 6_000)
	assert.Equal(t, "6000", s.metric(t, "flame_hook_in_flight_bytes"))
	assert.Equal(t, http.StatusOK, post(t, url, syncBodyOfSize(t, 4_000)).code, "what fits is answered")
	busy := post(t, url, syncBodyOfSize(t, 4_001))
	assert.Equal(t, http.StatusTooManyRequests, busy.code)
	assert.Equal(t, "1", busy.header.Get("Retry-After"), "Metacontroller asks again at once without an integer")
	busy.refusal(t)
	assert.Equal(t, http.StatusTooManyRequests, post(t, url, syncBodyOfSize(t, 50_000)).code, "a large one waits for the others")
	chunked := send(t, newClient(t), request(t, http.MethodPost, url, io.MultiReader(strings.NewReader(syncBodyOfSize(t, 5_000)))))
	assert.Equal(t, http.StatusTooManyRequests, chunked.code, "a body of unknown length counts too")
	assert.Equal(t, http.StatusOK, get(t, s.url+"/readyz").code)
	first.release()
	assert.Equal(t, http.StatusOK, (<-first.answer).code)

	large := hold(url, 100_000)
	assert.Equal(t, http.StatusTooManyRequests, post(t, url, syncBodyOfSize(t, 300)).code, "a large one is alone")
	large.release()
	assert.Equal(t, http.StatusOK, (<-large.answer).code)
	assert.Eventually(t, func() bool { return s.metric(t, "flame_hook_in_flight_bytes") == "0" }, soon, 10*time.Millisecond)
	assert.Equal(t, http.StatusOK, post(t, url, syncBodyOfSize(t, 300)).code)
}

// A refusal has to reach a client that is still sending: a broken connection would
// make Metacontroller wait longer and longer instead of asking again soon.
func TestRefusalsOfLargeBodiesArrive(t *testing.T) {
	hooks, hold := holding(t)
	s := start(t, server.Config{MaxInFlightBytes: 10_000, Hooks: hooks})
	first := hold(s.url+"/sync", 10_000)
	body := syncBodyOfSize(t, 32<<20)
	client := newClient(t)
	for range 10 {
		answer := send(t, client, request(t, http.MethodPost, s.url+"/sync", strings.NewReader(body)))
		assert.Equal(t, http.StatusTooManyRequests, answer.code)
	}
	first.release()
	<-first.answer
}

func TestTheHookMayAskForPatience(t *testing.T) {
	for name, test := range map[string]struct{ asked, want string }{
		"as asked":    {"7", "7"},
		"at least 1":  {"0", "1"},
		"no negative": {"-3", "1"},
	} {
		t.Run(name, func(t *testing.T) {
			seconds := map[string]int{"7": 7, "0": 0, "-3": -3}[test.asked]
			s := start(t, server.Config{Hooks: syncing(func(*hook.Request) (*hook.Response, error) {
				return nil, &hook.Error{Status: http.StatusTooManyRequests, RetryAfterSeconds: seconds, Message: "the cache lags"}
			})})
			answer := post(t, s.url+"/sync", syncBody("team-a"))
			assert.Equal(t, http.StatusTooManyRequests, answer.code)
			assert.Equal(t, test.want, answer.header.Get("Retry-After"))
			assert.Equal(t, "the cache lags", answer.refusal(t))
		})
	}
}
