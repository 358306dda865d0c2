package server_test

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook/server"
)

// hookName is what Metacontroller dials: a Service without .svc.
const hookName = "flame-hook.flame-system"

func secureClient(t *testing.T, roots *x509.CertPool, certificates ...tls.Certificate) *http.Client {
	t.Helper()
	client := newClient(t)
	client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{
		RootCAs:      roots,
		ServerName:   hookName,
		Certificates: certificates,
		MinVersion:   tls.VersionTLS12,
	}
	return client
}

func TestTLS(t *testing.T) {
	ca := newAuthority(t, "ca")
	files := writeCertificates(t, ca, hookName)
	s := start(t, server.Config{TLSCertFile: files.cert, TLSKeyFile: files.key, Hooks: running(t)})
	t.Run("HTTP/1.1", func(t *testing.T) {
		answer := send(t, secureClient(t, ca.pool()), request(t, http.MethodPost, s.url+"/sync", strings.NewReader(syncBody("team-a"))))
		assert.Equal(t, http.StatusOK, answer.code)
		assert.Equal(t, "HTTP/1.1", answer.protocol)
	})
	t.Run("HTTP/2", func(t *testing.T) {
		client := secureClient(t, ca.pool())
		client.Transport.(*http.Transport).ForceAttemptHTTP2 = true
		answer := send(t, client, request(t, http.MethodPost, s.url+"/sync", strings.NewReader(syncBody("team-a"))))
		assert.Equal(t, http.StatusOK, answer.code)
		assert.Equal(t, "HTTP/2.0", answer.protocol)
	})
	t.Run("TLS 1.1 is refused", func(t *testing.T) {
		client := secureClient(t, ca.pool())
		config := client.Transport.(*http.Transport).TLSClientConfig
		config.MinVersion, config.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
		require.Error(t, callSync(t, client, s.url))
	})
	t.Run("plain HTTP is refused", func(t *testing.T) {
		answer := post(t, "http://"+s.Addr()+"/sync", syncBody("team-a"))
		assert.Equal(t, http.StatusBadRequest, answer.code)
	})
	t.Run("the admin port stays plain", func(t *testing.T) {
		assert.Equal(t, http.StatusOK, get(t, s.adminURL+"/readyz").code)
	})
	assert.NotEmpty(t, s.metric(t, "flame_hook_certificate_not_after_timestamp_seconds"))
}

// load calls until stop, from several clients at once, and counts.
type load struct {
	answered atomic.Int64
	failed   sync.Map
	stop     chan struct{}
	clients  sync.WaitGroup
}

func startLoad(t *testing.T, clients int, call func(client int) error) *load {
	t.Helper()
	l := &load{stop: make(chan struct{})}
	for i := range clients {
		l.clients.Go(func() {
			for {
				select {
				case <-l.stop:
					return
				default:
				}
				if err := call(i); err != nil {
					l.failed.Store(err.Error(), true)
				}
				l.answered.Add(1)
			}
		})
	}
	return l
}

func (l *load) finish(t *testing.T) {
	t.Helper()
	close(l.stop)
	l.clients.Wait()
	l.failed.Range(func(message, _ any) bool {
		t.Errorf("a call failed: %v", message)
		return true
	})
	require.Positive(t, l.answered.Load())
}

// moreAnswers waits until so many more calls have been answered.
func (l *load) moreAnswers(t *testing.T, count int64) {
	t.Helper()
	target := l.answered.Load() + count
	require.Eventually(t, func() bool { return l.answered.Load() >= target }, 30*time.Second, time.Millisecond)
}

func TestCertificatesRotateUnderLoad(t *testing.T) {
	ca := newAuthority(t, "ca")
	files := writeCertificates(t, ca, hookName)
	s := start(t, server.Config{TLSCertFile: files.cert, TLSKeyFile: files.key, Hooks: running(t)})
	clients := make([]*http.Client, 4)
	for i := range clients {
		clients[i] = secureClient(t, ca.pool())
		clients[i].Transport.(*http.Transport).DisableKeepAlives = i%2 == 0
	}
	l := startLoad(t, len(clients), func(i int) error { return callSync(t, clients[i], s.url) })
	for range 10 {
		l.moreAnswers(t, 20)
		files.volume.update(t, certificateSecret(t, ca, hookName))
	}
	l.moreAnswers(t, 20)
	l.finish(t)

	want, err := tls.LoadX509KeyPair(files.cert, files.key)
	require.NoError(t, err)
	response, err := secureClient(t, ca.pool()).Get(s.url + "/healthz")
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	assert.Equal(t, want.Leaf.SerialNumber, response.TLS.PeerCertificates[0].SerialNumber)
}

func TestAWrongCertificateKeepsTheOldOne(t *testing.T) {
	ca := newAuthority(t, "ca")
	files := writeCertificates(t, ca, hookName)
	s := start(t, server.Config{TLSCertFile: files.cert, TLSKeyFile: files.key, Hooks: running(t)})
	mixed := certificateSecret(t, ca, hookName)
	mixed["tls.key"] = certificateSecret(t, ca, hookName)["tls.key"]
	files.volume.update(t, mixed)
	for range 3 {
		require.NoError(t, callSync(t, secureClient(t, ca.pool()), s.url))
	}
	assert.Len(t, s.log.lines(t, "can't be read again; the last good one stays in use"), 1, "it complains once")
	require.NoError(t, os.Remove(files.cert))
	require.NoError(t, callSync(t, secureClient(t, ca.pool()), s.url))
	assert.Equal(t, "2", s.metric(t, `flame_hook_reloads_total{content="certificate",result="failed"}`))
}

func TestClientCertificates(t *testing.T) {
	serverCA, clientCA, nextCA := newAuthority(t, "server"), newAuthority(t, "clients"), newAuthority(t, "next")
	files := writeCertificates(t, serverCA, hookName)
	clients := newSecretVolume(t, map[string][]byte{"ca.crt": clientCA.pem})
	s := start(t, server.Config{
		TLSCertFile: files.cert, TLSKeyFile: files.key, ClientCAFile: clients.path("ca.crt"), Hooks: running(t),
	})
	known := secureClient(t, serverCA.pool(), clientCA.clientCertificate(t, "metacontroller"))
	next := secureClient(t, serverCA.pool(), nextCA.clientCertificate(t, "metacontroller"))

	require.NoError(t, callSync(t, known, s.url))
	require.Error(t, callSync(t, secureClient(t, serverCA.pool()), s.url), "without a certificate")
	require.Error(t, callSync(t, next, s.url), "from another authority")
	assert.Equal(t, http.StatusOK, get(t, s.adminURL+"/readyz").code, "the kubelet has no certificate")

	clients.update(t, map[string][]byte{"ca.crt": append(append([]byte{}, clientCA.pem...), nextCA.pem...)})
	require.NoError(t, callSync(t, known, s.url))
	require.NoError(t, callSync(t, next, s.url))

	clients.update(t, map[string][]byte{"ca.crt": nextCA.pem})
	require.NoError(t, callSync(t, next, s.url))
	require.ErrorContains(t, callSync(t, known, s.url), "401", "an open connection is no way around it")
	require.Error(t, callSync(t, known, s.url))
}
