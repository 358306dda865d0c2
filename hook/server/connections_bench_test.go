package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook/server"
	"github.com/xflops/flame-operator/internal/settled"
)

// BenchmarkConnections has clients on loopback call the service, each over a
// connection of its own. The yardsticks are a handler that reads the body and writes
// a constant answer of the same size, and one that calls json.Valid on the body too.
// All take turns, so that what else the machine does hits them alike; clients and
// service share its processors.
func BenchmarkConnections(b *testing.B) {
	recorded, err := os.ReadFile("../../test/golden/requests/v2-sync-steady.json")
	require.NoError(b, err)
	for _, pods := range []int{0, 3} {
		body, err := settled.Request(recorded, settled.Cluster{Pods: pods})
		require.NoError(b, err)
		s, err := server.New(server.Config{Now: func() time.Time { return settled.Time }})
		require.NoError(b, err)
		answer := httptest.NewRecorder()
		s.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/sync", strings.NewReader(string(body))))
		require.Equal(b, http.StatusOK, answer.Code)
		handlers := []struct {
			name    string
			handler http.Handler
		}{
			{"hook", s.Handler()},
			{"constant", constantly(answer.Body.Bytes(), func(body io.Reader) { _, _ = io.Copy(io.Discard, body) })},
			{"valid", constantly(answer.Body.Bytes(), func(body io.Reader) {
				text, err := io.ReadAll(body)
				if err != nil || !json.Valid(text) {
					panic(http.ErrAbortHandler)
				}
			})},
		}
		for _, connections := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("pods=%d/connections=%d", pods, connections), func(b *testing.B) {
				var all []*callers
				for _, h := range handlers {
					all = append(all, newCallers(b, h.handler, string(body)))
				}
				for b.Loop() {
					const callsPerTurn = 64
					for _, c := range all {
						c.run(b, connections, callsPerTurn)
					}
				}
				for i, c := range all {
					c.report(b, handlers[i].name)
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func constantly(answer []byte, read func(io.Reader)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		read(r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	})
}

// callers call one handler.
type callers struct {
	client *http.Client
	url    string
	body   string
	took   time.Duration
	calls  []time.Duration
}

func newCallers(b *testing.B, handler http.Handler, body string) *callers {
	b.Helper()
	listening := httptest.NewServer(handler)
	b.Cleanup(listening.Close)
	transport := &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}
	b.Cleanup(transport.CloseIdleConnections)
	return &callers{client: &http.Client{Transport: transport}, url: listening.URL + "/sync", body: body}
}

// run makes a number of calls.
func (l *callers) run(b *testing.B, connections, calls int) {
	b.Helper()
	var left atomic.Int64
	left.Store(int64(calls))
	var failed atomic.Value
	latencies := make([][]time.Duration, connections)
	var all sync.WaitGroup
	begin := time.Now()
	for i := range connections {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				called := time.Now()
				if err := l.call(); err != nil {
					failed.Store(err)
					return
				}
				latencies[i] = append(latencies[i], time.Since(called))
			}
		})
	}
	all.Wait()
	l.took += time.Since(begin)
	l.calls = append(l.calls, slices.Concat(latencies...)...)
	if err, ok := failed.Load().(error); ok {
		b.Fatal(err)
	}
}

func (l *callers) call() error {
	response, err := l.client.Post(l.url, "application/json", strings.NewReader(l.body))
	if err != nil {
		return err
	}
	defer response.Body.Close() //nolint:errcheck // everything was read
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", response.StatusCode)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

func (l *callers) report(b *testing.B, name string) {
	b.Helper()
	slices.Sort(l.calls)
	b.ReportMetric(float64(len(l.calls))/l.took.Seconds(), name+"-req/s")
	b.ReportMetric(float64(l.calls[len(l.calls)/2]), name+"-p50-ns")
	b.ReportMetric(float64(l.calls[len(l.calls)*99/100]), name+"-p99-ns")
}
