package scenarios

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/test/e2e/engine"
)

// credentials are what docs/components.md says has to exist for the components
// auth, tls and mutual-tls.
type credentials struct {
	token         string
	server        authority
	client        authority
	clientContent map[string]string
}

func (i *installation) createCredentials() credentials {
	i.t.Helper()
	c := credentials{token: "first-token-of-" + i.name, server: newAuthority(i.t, "server CA"), client: newAuthority(i.t, "client CA")}
	c.clientContent = c.client.issue(i.t, "metacontroller")
	i.createSecret("flame-hook-token", corev1.SecretTypeOpaque, map[string]string{"token": c.token})
	i.createSecret("flame-hook-tokens", corev1.SecretTypeOpaque, map[string]string{"tokens": c.token + "\n"})
	i.createSecret("flame-hook-tls", corev1.SecretTypeTLS, c.server.issue(i.t, hookHost))
	i.createSecret("flame-hook-client-tls", corev1.SecretTypeTLS, c.clientContent)
	i.createSecret("flame-hook-client-ca", corev1.SecretTypeOpaque, map[string]string{"ca.crt": c.client.pem})
	return c
}

// stranger calls the hook as somebody who reaches its port: with TLS or without,
// with a token or a client certificate if given. It returns the status code.
func (i *installation) stranger(scheme string, server authority, token string, certificates ...tls.Certificate) (int, error) {
	pool := x509.NewCertPool()
	pool.AddCert(server.certificate)
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pool, ServerName: hookHost, Certificates: certificates},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, i.address)
		},
	}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(bed.ctx, http.MethodPost, scheme+"://"+hookHost+"/sync", strings.NewReader(`{}`))
	if err != nil {
		return 0, err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := (&http.Client{Transport: transport, Timeout: patience}).Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

// With each set of components Metacontroller reaches the hook, and strangers do not.
func TestComponents(t *testing.T) {
	t.Parallel()
	for _, components := range [][]string{
		{"auth"},
		{"tls"},
		{"tls", "mutual-tls"},
		{"auth", "tls", "mutual-tls", "pod-diagnostics", "finalizer", "ha", "network-policy"},
	} {
		for _, mode := range modes() {
			t.Run(strings.Join(components, "+")+"/"+string(mode), func(t *testing.T) {
				t.Parallel()
				i := newInstallation(t, mode, components...)
				given := i.createCredentials()
				i.start()
				c := newFlameCluster(t, i.environment, nil)
				c.waitRunning()
				c.scale(2)
				c.waitExecutors(2)
				assert.Empty(t, c.syncErrors())
				i.requireStrangersRefused(components, given)
				if slices.Contains(components, "finalizer") {
					assert.NotEmpty(t, c.mustGet().GetFinalizers())
				}
				c.delete(metav1.DeletePropagationBackground)
				c.waitGone()
			})
		}
	}
}

func (i *installation) requireStrangersRefused(components []string, given credentials) {
	i.t.Helper()
	var certificates []tls.Certificate
	scheme, token := "http", ""
	if slices.Contains(components, "tls") {
		scheme = "https"
		_, err := i.stranger("http", given.server, given.token)
		code, _ := i.stranger("http", given.server, given.token)
		assert.True(i.t, err != nil || code == http.StatusBadRequest, "plain HTTP: %v, %d", err, code)
	}
	if slices.Contains(components, "mutual-tls") {
		_, err := i.stranger(scheme, given.server, given.token)
		assert.ErrorContains(i.t, err, "certificate", "without a client certificate")
		foreign := newAuthority(i.t, "client CA").issue(i.t, "metacontroller")
		_, err = i.stranger(scheme, given.server, given.token, keyPair(i.t, foreign))
		assert.Error(i.t, err, "a client certificate of somebody else's CA")
		certificates = append(certificates, keyPair(i.t, given.clientContent))
	}
	if slices.Contains(components, "auth") {
		for _, wrong := range []string{"", "guess", given.token + "x"} {
			code, err := i.stranger(scheme, given.server, wrong, certificates...)
			assert.NoError(i.t, err)
			assert.Equal(i.t, http.StatusUnauthorized, code, "token %q", wrong)
		}
		token = given.token
	}
	code, err := i.stranger(scheme, given.server, token, certificates...)
	assert.NoError(i.t, err)
	assert.Equal(i.t, http.StatusBadRequest, code, "with everything that is asked for, only the empty request is wrong")
}

func keyPair(t *testing.T, content map[string]string) tls.Certificate {
	t.Helper()
	pair, err := tls.X509KeyPair([]byte(content["tls.crt"]), []byte(content["tls.key"]))
	require.NoError(t, err)
	return pair
}

// Metacontroller checks the name that it dials, which has no .svc at the end. The
// right certificate is taken as soon as it is there.
func TestCertificateOfAnotherName(t *testing.T) {
	t.Parallel()
	for _, mode := range modes() {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			i := newInstallation(t, mode, "tls", "pod-diagnostics")
			server := newAuthority(t, "server CA")
			i.createSecret("flame-hook-tls", corev1.SecretTypeTLS, server.issue(t, hookHost+".svc"))
			i.start()
			c := newFlameCluster(t, i.environment, nil)
			eventually(t, "an event that names the certificate", func() error {
				for _, message := range c.syncErrors() {
					if strings.Contains(message, "certificate is valid for "+hookHost+".svc, not "+hookHost) {
						return nil
					}
				}
				return fmt.Errorf("%d events", len(c.syncErrors()))
			})
			i.updateSecret("flame-hook-tls", server.issue(t, hookHost))
			i.mountSecrets()
			c.waitRunning()
		})
	}
}

// Token, server certificate, server CA, client certificate and client CA are rotated
// in the steps of docs/components.md while FlameClusters are edited all the time: no
// call fails.
func TestRotationUnderLoad(t *testing.T) {
	t.Parallel()
	for _, mode := range modes() {
		t.Run(string(mode), func(t *testing.T) { t.Parallel(); rotateEverything(t, mode) })
	}
}

func rotateEverything(t *testing.T, mode engine.ApplyMode) {
	i := newInstallation(t, mode, "auth", "tls", "mutual-tls", "pod-diagnostics")
	given := i.createCredentials()
	i.start()
	namespace := newNamespace(t, nil)
	var clusters []*flameCluster
	for n := range 3 {
		clusters = append(clusters, createFlameCluster(t, i.environment, namespace, fmt.Sprintf("flame-%d", n), nil))
	}
	for _, c := range clusters {
		c.waitRunning()
	}
	// What each step needs to have had an effect on calls.
	pause := func() { time.Sleep(2 * time.Second) }
	stop := load(clusters)

	renewed := given.server.issue(t, hookHost)
	i.updateSecret("flame-hook-tls", renewed)
	i.mountSecrets()
	pause()

	next := credentials{token: "second-token-of-" + i.name, server: newAuthority(t, "next server CA"), client: newAuthority(t, "next client CA")}
	next.clientContent = next.client.issue(t, "metacontroller")
	// The hook accepts old and new, Metacontroller trusts old and new.
	i.updateSecret("flame-hook-tokens", map[string]string{"tokens": given.token + "\n" + next.token + "\n"})
	i.updateSecret("flame-hook-client-ca", map[string]string{"ca.crt": given.client.pem + next.client.pem})
	renewed["ca.crt"] = given.server.pem + next.server.pem
	i.updateSecret("flame-hook-tls", renewed)
	i.mountSecrets()
	pause()

	i.updateSecret("flame-hook-token", map[string]string{"token": next.token})
	i.updateSecret("flame-hook-client-tls", next.clientContent)
	i.restartEngine()
	for _, c := range clusters {
		generation := c.mustGet().GetGeneration()
		c.mustSet("rotated", "restartedAt")
		c.waitFor("a sync with the new credentials", func(s *clusterStatus) bool { return s.ObservedGeneration > generation })
	}

	i.updateSecret("flame-hook-tokens", map[string]string{"tokens": next.token + "\n"})
	i.updateSecret("flame-hook-client-ca", map[string]string{"ca.crt": next.client.pem})
	i.updateSecret("flame-hook-tls", next.server.issue(t, hookHost))
	i.mountSecrets()
	pause()

	t.Logf("%d edits", stop())
	for _, c := range clusters {
		// An engine that is stopped breaks off its own calls.
		failed := slices.DeleteFunc(c.syncErrors(), func(message string) bool { return strings.HasSuffix(message, "context canceled") })
		assert.Empty(t, failed, "failed syncs of %s", c.name)
		c.waitRunning()
	}
	code, err := i.stranger("https", next.server, given.token, keyPair(t, next.clientContent))
	require.NoError(t, err)
	assert.Equal(t, http.StatusUnauthorized, code, "the old token is no good any more")
	_, err = i.stranger("https", next.server, next.token, keyPair(t, given.clientContent))
	assert.Error(t, err, "the old client certificate is no good any more")
	_, err = i.stranger("https", given.server, next.token, keyPair(t, next.clientContent))
	assert.Error(t, err, "the certificate is of the new CA")
	code, err = i.stranger("https", next.server, next.token, keyPair(t, next.clientContent))
	require.NoError(t, err)
	assert.Equal(t, http.StatusBadRequest, code)
}
