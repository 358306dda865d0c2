package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/hook/canonical"
	"github.com/xflops/flame-operator/hook/server"
)

// service is a server that runs on loopback ports.
type service struct {
	*server.Server
	url, adminURL string
	log           *logBuffer
	stop          context.CancelFunc
	ended         chan error
}

// start runs a server until the end of the test, which has to be graceful.
func start(t *testing.T, config server.Config, tune ...func(*server.Server)) *service {
	t.Helper()
	logged := &logBuffer{}
	config.Listen, config.AdminListen = "127.0.0.1:0", "127.0.0.1:0"
	if config.Logger == nil {
		config.Logger = slog.New(slog.NewJSONHandler(logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	s, err := server.New(config)
	require.NoError(t, err)
	for _, apply := range tune {
		apply(s)
	}
	ctx, stop := context.WithCancel(t.Context())
	running := &service{Server: s, log: logged, stop: stop, ended: make(chan error, 1)}
	go func() { running.ended <- s.Run(ctx); close(running.ended) }()
	select {
	case <-s.Listening():
	case err := <-running.ended:
		require.NoError(t, err)
	}
	scheme := "http://"
	if config.TLSCertFile != "" {
		scheme = "https://"
	}
	running.url, running.adminURL = scheme+s.Addr(), "http://"+s.AdminAddr()
	t.Cleanup(func() {
		stop()
		select {
		case err := <-running.ended:
			assert.NoError(t, err)
		case <-time.After(30 * time.Second):
			t.Error("the server does not end")
		}
	})
	return running
}

// logBuffer collects the log of a server.
type logBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

// lines returns the log lines with that message.
func (b *logBuffer) lines(t *testing.T, message string) []map[string]any {
	t.Helper()
	var found []map[string]any
	for line := range strings.Lines(b.String()) {
		var entry map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &entry), line)
		if entry["msg"] == message {
			found = append(found, entry)
		}
	}
	return found
}

// received is an answer as a client sees it.
type received struct {
	code     int
	protocol string
	header   http.Header
	body     string
}

func (r received) refusal(t *testing.T) string {
	t.Helper()
	assert.Equal(t, "application/json", r.header.Get("Content-Type"))
	var refusal map[string]string
	require.NoError(t, json.Unmarshal([]byte(r.body), &refusal), r.body)
	require.Len(t, refusal, 1)
	require.NotEmpty(t, refusal["error"])
	assert.Less(t, len(r.body), 600)
	return refusal["error"]
}

func send(t *testing.T, client *http.Client, request *http.Request) received {
	t.Helper()
	answer, err := try(client, request)
	require.NoError(t, err)
	return answer
}

func try(client *http.Client, request *http.Request) (received, error) {
	response, err := client.Do(request)
	if err != nil {
		return received{}, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return received{}, err
	}
	return received{response.StatusCode, response.Proto, response.Header, string(body)}, response.Body.Close()
}

// newClient returns a client that follows no redirect and shares no connection.
func newClient(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport:     transport,
		Timeout:       30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func request(t *testing.T, method, url string, body io.Reader, header ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	require.NoError(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

func post(t *testing.T, url, body string, header ...string) received {
	t.Helper()
	return send(t, newClient(t), request(t, http.MethodPost, url, strings.NewReader(body), header...))
}

func get(t *testing.T, url string) received {
	t.Helper()
	return send(t, newClient(t), request(t, http.MethodGet, url, nil))
}

// metric returns the value of the series that is written like that, such as
// `flame_hook_requests_total{code="200",hook="sync"}`.
func (s *service) metric(t *testing.T, series string) string {
	t.Helper()
	for line := range strings.Lines(get(t, s.adminURL+"/metrics").body) {
		if value, found := strings.CutPrefix(line, series+" "); found {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// syncBody is a small sync request about a FlameCluster with that name.
func syncBody(name string) string {
	return fmt.Sprintf(`{"controller":{},"parent":{"apiVersion":"flame.xflops.io/v1alpha1","kind":"FlameCluster",`+
		`"metadata":{"name":%q,"namespace":"default","uid":"b5a8ff6e-0d2c-4b63-8d0b-2a2b3f7b8f11","generation":1},"spec":{}},`+
		`"children":{},"related":{},"finalizing":false}`, name)
}

// syncBodyOfSize is a sync request of exactly so many bytes.
func syncBodyOfSize(t *testing.T, size int) string {
	t.Helper()
	body := syncBody("sized")
	require.GreaterOrEqual(t, size, len(body))
	return body + strings.Repeat(" ", size-len(body))
}

// responseIn answers with a status and a ConfigMap.
func responseIn(t testing.TB, state v1alpha1.ClusterState, data string) *hook.Response {
	t.Helper()
	child, err := canonical.New(&corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Name: "settings"},
		Data:       map[string]string{"key": data},
	})
	require.NoError(t, err)
	return &hook.Response{
		Status: &v1alpha1.FlameClusterStatus{
			State:      state,
			Conditions: []metav1.Condition{{Type: v1alpha1.ConditionReady, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonReady}},
		},
		Children: []canonical.Object{child},
	}
}

// syncing makes hooks whose sync is f, and whose other functions are the real ones.
func syncing(f func(*hook.Request) (*hook.Response, error)) server.Hooks {
	return server.Hooks{Sync: func(r *hook.Request, _ time.Time) (*hook.Response, error) { return f(r) }}
}

func running(t testing.TB) server.Hooks {
	t.Helper()
	answer := responseIn(t, v1alpha1.StateRunning, "value")
	return syncing(func(*hook.Request) (*hook.Response, error) { return answer, nil })
}

// recordedRequest is the recorded request of that name in the fuzz corpus.
func recordedRequest(t testing.TB, name string) string {
	t.Helper()
	entry, err := os.ReadFile("testdata/fuzz/FuzzSyncBody/" + name)
	require.NoError(t, err)
	_, quoted, found := strings.Cut(string(entry), "[]byte(")
	require.True(t, found)
	body, err := strconv.Unquote(strings.TrimSuffix(strings.TrimSpace(quoted), ")"))
	require.NoError(t, err)
	return body
}
