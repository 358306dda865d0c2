package server_test

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/hook/server"
)

// soon is when a slow client must have been cut, on a busy machine too. Whoever is not
// cut goes on for longer.
const soon = 30 * time.Second

// impatient makes the server cut slow clients after less than a second.
func impatient(s *server.Server) {
	s.SetTimeouts(200*time.Millisecond, 400*time.Millisecond, time.Second)
}

func dial(t *testing.T, s *service) net.Conn {
	t.Helper()
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.Addr())
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	require.NoError(t, connection.SetReadDeadline(time.Now().Add(2*soon)))
	return connection
}

// trickle sends one byte every 20 ms until the server has enough of it.
func trickle(connection io.Writer, text string) {
	for _, b := range []byte(text) {
		if _, err := connection.Write([]byte{b}); err != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestSlowBodiesAreCut(t *testing.T) {
	for name, framing := range map[string]string{
		"announced": fmt.Sprintf("Content-Length: %d", 10_000),
		"chunked":   "Transfer-Encoding: chunked",
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, server.Config{Hooks: running(t)}, impatient)
			connection := dial(t, s)
			_, err := fmt.Fprintf(connection, "POST /sync HTTP/1.1\r\nHost: hook\r\n%s\r\n\r\n", framing)
			require.NoError(t, err)
			began := time.Now()
			go trickle(connection, strings.Repeat("1\r\n \r\n", 1000))
			reader := bufio.NewReader(connection)
			response, err := http.ReadResponse(reader, nil)
			require.NoError(t, err)
			defer func() { _ = response.Body.Close() }()
			assert.Equal(t, http.StatusRequestTimeout, response.StatusCode)
			assert.Less(t, time.Since(began), soon)
			_, err = io.Copy(io.Discard, reader)
			if err != nil {
				assert.NotErrorIs(t, err, net.ErrClosed)
			}
			assert.Less(t, time.Since(began), soon, "the connection is closed")
			assert.Eventually(t, func() bool { return s.metric(t, "flame_hook_in_flight_bytes") == "0" }, soon, 10*time.Millisecond)
			assert.Equal(t, "1", s.metric(t, `flame_hook_requests_total{code="408",hook="sync"}`))
		})
	}
}

func TestSlowBodiesAreCutOverHTTP2(t *testing.T) {
	ca := newAuthority(t, "ca")
	files := writeCertificates(t, ca, hookName)
	s := start(t, server.Config{Hooks: running(t), TLSCertFile: files.cert, TLSKeyFile: files.key}, impatient)
	client := secureClient(t, ca.pool())
	client.Transport.(*http.Transport).ForceAttemptHTTP2 = true
	body, sender := io.Pipe()
	t.Cleanup(func() { _ = body.Close() })
	began := time.Now()
	go trickle(sender, strings.Repeat(" ", 10_000))
	answer := send(t, client, request(t, http.MethodPost, s.url+"/sync", body))
	assert.Equal(t, http.StatusRequestTimeout, answer.code)
	assert.Equal(t, "HTTP/2.0", answer.protocol)
	assert.Less(t, time.Since(began), soon)
	assert.Eventually(t, func() bool { return s.metric(t, "flame_hook_in_flight_bytes") == "0" }, soon, 10*time.Millisecond)
}

func TestSlowHeadersAreCut(t *testing.T) {
	s := start(t, server.Config{Hooks: running(t)}, impatient)
	connection := dial(t, s)
	began := time.Now()
	go trickle(connection, "POST /sync HTTP/1.1\r\nX-Slow: "+strings.Repeat("a", 6000))
	_, err := io.Copy(io.Discard, connection)
	if err != nil {
		assert.NotContains(t, err.Error(), "timeout")
	}
	assert.Less(t, time.Since(began), soon)
}

func TestSilentConnectionsAreCut(t *testing.T) {
	s := start(t, server.Config{Hooks: running(t)}, impatient)
	began := time.Now()
	_, err := io.Copy(io.Discard, dial(t, s))
	require.NoError(t, err)
	assert.Less(t, time.Since(began), soon)
}

// Metacontroller closes a connection after 90 seconds without a call. If the server
// were first, it could do so while the next call is on its way.
func TestTheClientClosesIdleConnectionsFirst(t *testing.T) {
	assert.Greater(t, server.DefaultIdleTimeout, 90*time.Second)
}

// A client that needs a connection opens one, and if another one becomes free first,
// it keeps the new one for a call that comes later.
func TestAConnectionMayWaitForItsFirstCall(t *testing.T) {
	ca := newAuthority(t, "ca")
	files := writeCertificates(t, ca, hookName)
	for name, config := range map[string]server.Config{
		"plain": {Hooks: running(t)},
		"TLS":   {Hooks: running(t), TLSCertFile: files.cert, TLSKeyFile: files.key},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const read = 200 * time.Millisecond
			s := start(t, config, func(s *server.Server) { s.SetTimeouts(server.DefaultIdleTimeout, read, 2*soon) })
			connection := dial(t, s)
			if config.TLSCertFile != "" {
				secured := tls.Client(connection, &tls.Config{RootCAs: ca.pool(), ServerName: hookName})
				require.NoError(t, secured.HandshakeContext(t.Context()))
				connection = secured
			}
			time.Sleep(3 * read)
			body := syncBody("team-a")
			_, err := fmt.Fprintf(connection, "POST /sync HTTP/1.1\r\nHost: hook\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
			require.NoError(t, err)
			response, err := http.ReadResponse(bufio.NewReader(connection), nil)
			require.NoError(t, err)
			defer func() { _ = response.Body.Close() }()
			assert.Equal(t, http.StatusOK, response.StatusCode)
		})
	}
}

// A client that does not read its answer must not hold bytes in flight for ever.
func TestSlowReadersAreCut(t *testing.T) {
	answer := responseIn(t, v1alpha1.StateRunning, strings.Repeat("x", 16<<20))
	called := make(chan struct{})
	s := start(t, server.Config{Hooks: syncing(func(*hook.Request) (*hook.Response, error) { close(called); return answer, nil })},
		func(s *server.Server) { s.SetTimeouts(time.Second, time.Second, 3*time.Second) })
	connection := dial(t, s)
	body := syncBody("team-a")
	_, err := fmt.Fprintf(connection, "POST /sync HTTP/1.1\r\nHost: hook\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	require.NoError(t, err)
	<-called
	assert.Eventually(t, func() bool { return s.metric(t, "flame_hook_in_flight_bytes") == "0" }, soon, 50*time.Millisecond)
}

func TestABodyThatEndsEarlyIsRefused(t *testing.T) {
	s := start(t, server.Config{Hooks: running(t)})
	connection := dial(t, s)
	_, err := fmt.Fprint(connection, "POST /sync HTTP/1.1\r\nHost: hook\r\nContent-Length: 1000\r\n\r\n{}")
	require.NoError(t, err)
	require.NoError(t, connection.(*net.TCPConn).CloseWrite())
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	assert.Equal(t, http.StatusBadRequest, response.StatusCode)
}
