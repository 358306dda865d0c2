package server_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook/server"
)

// BenchmarkSyncOverHTTP is one sync call over loopback with recorded requests, with
// and without ETag.
func BenchmarkSyncOverHTTP(b *testing.B) {
	for _, name := range []string{"v2-sync-first", "v2-sync-steady", "v2-sync-imagepull"} {
		for _, etag := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/etag=%t", name, etag), func(b *testing.B) {
				body := recordedRequest(b, name)
				s, err := server.New(server.Config{ETag: etag})
				require.NoError(b, err)
				listening := httptest.NewServer(s.Handler())
				defer listening.Close()
				known, received := "", int64(0)
				b.SetBytes(int64(len(body)))
				b.ReportAllocs()
				for b.Loop() {
					call, err := http.NewRequestWithContext(b.Context(), http.MethodPost, listening.URL+"/sync", strings.NewReader(body))
					require.NoError(b, err)
					call.Header.Set("If-None-Match", known)
					response, err := listening.Client().Do(call)
					require.NoError(b, err)
					n, err := io.Copy(io.Discard, response.Body)
					require.NoError(b, err)
					require.NoError(b, response.Body.Close())
					known = response.Header.Get("ETag")
					received += n
				}
				b.ReportMetric(float64(received)/float64(b.N), "answer-B/op")
			})
		}
	}
}
