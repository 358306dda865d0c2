package hook_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/internal/settled"
)

func settledBody(b *testing.B, version, moment string, c settled.Cluster) []byte {
	b.Helper()
	file := "steady"
	if moment == "rollout" {
		file = "imagepull"
	}
	recorded, err := os.ReadFile("../test/golden/requests/" + version + "-sync-" + file + ".json")
	require.NoError(b, err)
	c.Stuck = moment == "rollout"
	body, err := settled.Request(recorded, c)
	require.NoError(b, err)
	return body
}

type syncHook func(*hook.Request, time.Time) (*hook.Response, error)

func syncOnce(b *testing.B, answer syncHook, body string) *hook.Response {
	b.Helper()
	request, err := hook.DecodeRequest(body)
	if err != nil {
		b.Fatal(err)
	}
	response, err := answer(request, settled.Time)
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

// timed is something whose time is compared with that of others.
type timed struct {
	name string
	do   func(b *testing.B)
}

// turn is how long one thing is done until the next one's turn comes: long enough for
// it to pay for its own garbage, and not for that of the one before.
const turn = 10 * time.Millisecond

// compare does one after the other in turns and reports the median time of each. A
// machine that does other things as well, or that changes its pace, then does so to
// all of them alike.
func compare(b *testing.B, name string, all ...timed) {
	b.Helper()
	b.Run(name, func(b *testing.B) {
		times := make([][]time.Duration, len(all))
		for b.Loop() {
			for i := range all {
				for spent := time.Duration(0); spent < turn; {
					begin := time.Now()
					all[i].do(b)
					took := time.Since(begin)
					times[i] = append(times[i], took)
					spent += took
				}
			}
		}
		for i := range all {
			slices.Sort(times[i])
			b.ReportMetric(float64(times[i][len(times[i])/2]), all[i].name+"-ns")
		}
		b.ReportMetric(testing.AllocsPerRun(1, func() { all[0].do(b) }), all[0].name+"-allocs")
		b.ReportMetric(0, "ns/op")
	})
}

// syncing takes the body as the service has it: read into a string.
func syncing(answer syncHook, body string) timed {
	return timed{"sync", func(b *testing.B) { encode(b, syncOnce(b, answer, body)) }}
}

// BenchmarkSync measures one call from request bytes to answer bytes, of a cluster whose
// spec was seen before, as the service does it, and of one that is new to it. The others
// are yardsticks with the same bytes: valid is the floor for anything that reads
// them with encoding/json, map is what a typical hook does first, and write only
// writes the answer.
func BenchmarkSync(b *testing.B) {
	remembering := hook.NewMemo(1 << 24).Sync
	for _, kind := range []struct {
		version, moment, spec string
		answer                syncHook
	}{
		{"v1", "steady", "known", remembering},
		{"v2", "steady", "known", remembering},
		{"v2", "rollout", "known", remembering},
		{"v2", "steady", "new", hook.Sync},
	} {
		for _, pods := range []int{0, 10, 100, 1000} {
			body := settledBody(b, kind.version, kind.moment, settled.Cluster{Pods: pods})
			response := syncOnce(b, kind.answer, string(body))
			compare(b, fmt.Sprintf("hook=%s/moment=%s/spec=%s/pods=%d", kind.version, kind.moment, kind.spec, pods),
				syncing(kind.answer, string(body)),
				timed{"write", func(b *testing.B) { encode(b, response) }},
				timed{"valid", func(b *testing.B) {
					if !json.Valid(body) {
						b.Fatal("invalid")
					}
				}},
				timed{"map", func(b *testing.B) {
					var tree map[string]any
					if err := json.Unmarshal(body, &tree); err != nil {
						b.Fatal(err)
					}
				}},
			)
		}
	}
}

// BenchmarkExecutors shows that without pods in view the number of executors costs
// nothing.
func BenchmarkExecutors(b *testing.B) {
	for _, executors := range []int{1, 100, 10000} {
		body := settledBody(b, "v2", "steady", settled.Cluster{Executors: executors})
		compare(b, fmt.Sprintf("executors=%d", executors), syncing(hook.NewMemo(1<<24).Sync, string(body)))
	}
}
