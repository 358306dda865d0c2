package hook_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/internal/settled"
)

func settledBody(b *testing.B, version, moment string, pods int) []byte {
	b.Helper()
	file := "steady"
	if moment == "rollout" {
		file = "imagepull"
	}
	recorded, err := os.ReadFile("../test/golden/requests/" + version + "-sync-" + file + ".json")
	require.NoError(b, err)
	body, err := settled.Request(recorded, pods, moment == "steady")
	require.NoError(b, err)
	return body
}

func syncOnce(b *testing.B, body []byte) *hook.Response {
	b.Helper()
	request, err := hook.DecodeRequest(body)
	if err != nil {
		b.Fatal(err)
	}
	response, err := hook.Sync(request, settled.Time)
	if err != nil {
		b.Fatal(err)
	}
	return response
}

func encode(b *testing.B, response *hook.Response) {
	b.Helper()
	if _, err := response.Encode(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkSync measures one call from request bytes to answer bytes. The others
// are yardsticks with the same bytes: Valid is the floor for anything that reads
// them with encoding/json, Map is what a typical hook does first, and Write only
// writes the answer.
func BenchmarkSync(b *testing.B) {
	for _, kind := range []struct{ version, moment string }{{"v1", "steady"}, {"v2", "steady"}, {"v2", "rollout"}} {
		for _, pods := range []int{0, 10, 100, 1000} {
			body := settledBody(b, kind.version, kind.moment, pods)
			response := syncOnce(b, body)
			for _, by := range []struct {
				name string
				do   func(b *testing.B)
			}{
				{"Sync", func(b *testing.B) { encode(b, syncOnce(b, body)) }},
				{"Write", func(b *testing.B) { encode(b, response) }},
				{"Valid", func(b *testing.B) {
					if !json.Valid(body) {
						b.Fatal("invalid")
					}
				}},
				{"Map", func(b *testing.B) {
					var tree map[string]any
					if err := json.Unmarshal(body, &tree); err != nil {
						b.Fatal(err)
					}
				}},
			} {
				b.Run(fmt.Sprintf("hook=%s/moment=%s/pods=%d/by=%s", kind.version, kind.moment, pods, by.name), func(b *testing.B) {
					b.SetBytes(int64(len(body)))
					b.ReportAllocs()
					for b.Loop() {
						by.do(b)
					}
				})
			}
		}
	}
}
