package hook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook"
)

// benchmarkBody is a recorded request, compact as Metacontroller sends it, with the
// first recorded executor pod repeated until there are as many pods as asked for.
func benchmarkBody(b *testing.B, file string, pods int) []byte {
	b.Helper()
	raw, err := os.ReadFile("../test/golden/requests/" + file)
	require.NoError(b, err)
	var body map[string]any
	require.NoError(b, json.Unmarshal(raw, &body))
	group := body["related"].(map[string]any)["Pod.v1"].(map[string]any)
	var executor []byte
	for name, pod := range group {
		if strings.Contains(name, "executor-manager") {
			executor, err = json.Marshal(pod)
			require.NoError(b, err)
			if pods == 0 || len(group) > pods {
				delete(group, name)
			}
		}
	}
	for i := len(group); i < pods; i++ {
		var pod map[string]any
		require.NoError(b, json.Unmarshal(executor, &pod))
		name := fmt.Sprintf("my-flame-executor-manager-5d4c9b7f8-%05d", i)
		pod["metadata"].(map[string]any)["name"] = name
		group["default/"+name] = pod
	}
	compact, err := json.Marshal(body)
	require.NoError(b, err)
	return compact
}

// BenchmarkSync measures one call from request bytes to answer bytes. The two
// yardsticks read the same bytes: Valid is the floor for anything that does, Map is
// what a typical hook does first.
func BenchmarkSync(b *testing.B) {
	for _, version := range []string{"v1", "v2"} {
		for _, moment := range []string{"steady", "rollout"} {
			file := version + "-sync-steady.json"
			if moment == "rollout" {
				file = "v2-sync-imagepull.json"
				if version == "v1" {
					continue
				}
			}
			for _, pods := range []int{0, 10, 100, 1000} {
				body := benchmarkBody(b, file, pods)
				name := fmt.Sprintf("hook=%s/moment=%s/pods=%d", version, moment, pods)
				b.Run(name+"/by=Sync", func(b *testing.B) {
					b.SetBytes(int64(len(body)))
					b.ReportAllocs()
					for b.Loop() {
						request, err := hook.DecodeRequest(body)
						if err != nil {
							b.Fatal(err)
						}
						response, err := hook.Sync(request, noon)
						if err != nil {
							b.Fatal(err)
						}
						if _, err := response.Encode(); err != nil {
							b.Fatal(err)
						}
					}
				})
				b.Run(name+"/by=Valid", func(b *testing.B) {
					b.SetBytes(int64(len(body)))
					for b.Loop() {
						if !json.Valid(body) {
							b.Fatal("invalid")
						}
					}
				})
				b.Run(name+"/by=Map", func(b *testing.B) {
					b.SetBytes(int64(len(body)))
					for b.Loop() {
						var tree map[string]any
						if err := json.NewDecoder(bytes.NewReader(body)).Decode(&tree); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
