package server_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/hook/server"
)

func TestDraining(t *testing.T) {
	t.Parallel()
	// Long enough for all calls below, on a busy machine too.
	s := start(t, server.Config{DrainDelay: 3 * time.Second, Hooks: running(t)})
	s.stop()
	require.Eventually(t, func() bool { return get(t, s.adminURL+"/readyz").code == http.StatusServiceUnavailable }, soon, time.Millisecond)
	assert.Equal(t, http.StatusServiceUnavailable, get(t, s.url+"/readyz").code)
	assert.Equal(t, http.StatusOK, get(t, s.url+"/healthz").code, "the kubelet must not kill it")
	answer := send(t, newClient(t), request(t, http.MethodPost, s.url+"/sync", strings.NewReader(syncBody("team-a"))))
	assert.Equal(t, http.StatusOK, answer.code, "calls are still answered")
	require.NoError(t, <-s.ended)
	_, err := try(newClient(t), request(t, http.MethodGet, s.url+"/healthz", nil))
	require.Error(t, err, "the port is closed")
}

// Clients send as long as the service is ready, as a Service sends them calls. Half
// of them keep their connections.
func TestAGracefulStopLosesNoCall(t *testing.T) {
	ca := newAuthority(t, "ca")
	files := writeCertificates(t, ca, hookName)
	answer := responseIn(t, v1alpha1.StateRunning, "value")
	// The clients learn within the delay that they have to go, on a busy machine too.
	config := server.Config{DrainDelay: 8 * time.Second, Hooks: syncing(func(*hook.Request) (*hook.Response, error) {
		time.Sleep(3 * time.Millisecond)
		return answer, nil
	})}
	secure := config
	secure.TLSCertFile, secure.TLSKeyFile = files.cert, files.key
	for name, test := range map[string]struct {
		config server.Config
		http2  bool
	}{
		"plain":           {config, false},
		"TLS":             {secure, false},
		"TLS with HTTP/2": {secure, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, test.config)
			clients := make([]*http.Client, 4)
			for i := range clients {
				clients[i] = secureClient(t, ca.pool())
				transport := clients[i].Transport.(*http.Transport)
				transport.DisableKeepAlives = i%2 == 0
				transport.ForceAttemptHTTP2 = test.http2
			}
			l := startLoad(t, len(clients), func(i int) error { return callSync(t, clients[i], s.url) })
			l.moreAnswers(t, 100)
			s.stop()
			require.Eventually(t, func() bool { return get(t, s.adminURL+"/readyz").code == http.StatusServiceUnavailable }, soon, time.Millisecond)
			l.moreAnswers(t, 10)
			l.finish(t)
			require.NoError(t, <-s.ended)
		})
	}
}

func TestAStopWaitsForCallsThatAreBeingAnswered(t *testing.T) {
	hooks, hold := holding(t)
	s := start(t, server.Config{Hooks: hooks})
	calls := []held{hold(s.url+"/sync", 1000), hold(s.url+"/sync", 1000)}
	s.stop()
	select {
	case err := <-s.ended:
		require.Fail(t, "it did not wait", "%v", err)
	case <-time.After(300 * time.Millisecond):
	}
	for _, call := range calls {
		call.release()
		assert.Equal(t, http.StatusOK, (<-call.answer).code)
	}
	require.NoError(t, <-s.ended)
}

func TestAStopWaitsForALimitedTime(t *testing.T) {
	var entered atomic.Bool
	leave := make(chan struct{})
	defer close(leave)
	s, err := server.New(server.Config{
		Listen: "127.0.0.1:0", AdminListen: "127.0.0.1:0", ShutdownTimeout: 100 * time.Millisecond,
		Hooks: syncing(func(*hook.Request) (*hook.Response, error) {
			entered.Store(true)
			<-leave
			return nil, errors.New("too late")
		}),
	})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	<-s.Listening()
	call := request(t, http.MethodPost, "http://"+s.Addr()+"/sync", strings.NewReader(syncBody("team-a")))
	go func() { _, _ = try(http.DefaultClient, call) }()
	require.Eventually(t, entered.Load, soon, time.Millisecond)
	stop()
	select {
	case err := <-ended:
		require.ErrorContains(t, err, "cut")
	case <-time.After(soon):
		require.Fail(t, "it waits for ever")
	}
}
