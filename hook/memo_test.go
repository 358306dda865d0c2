package hook_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	gosync "sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/internal/rehearsal"
)

// memo is asked in every test, next to the function that remembers nothing. It
// remembers everything that the tests of this package send, and most of them send much
// that others have sent before.
var memo = hook.NewMemo(1 << 24)

// answerOrRefusal answers a sync call and requires that memory makes no difference.
func answerOrRefusal(t *testing.T, body []byte, at time.Time) ([]byte, error) {
	t.Helper()
	want, wantErr := answerOf(t, hook.Sync, body, at)
	got, err := answerOf(t, memo.Sync, body, at)
	require.Equal(t, wantErr, err, "the refusal with memory")
	require.Equal(t, string(want), string(got), "the answer with memory")
	return want, wantErr
}

func answerOf(t *testing.T, syncHook func(*hook.Request, time.Time) (*hook.Response, error), body []byte, at time.Time) ([]byte, error) {
	t.Helper()
	request, err := hook.DecodeRequest(body)
	require.NoError(t, err)
	response, err := syncHook(request, at)
	if err != nil {
		return nil, err
	}
	answer, err := response.Encode()
	require.NoError(t, err)
	return answer, nil
}

// Many calls share what is remembered: with the race detector this shows that none
// of them writes to it.
func TestAMemoIsSharedByManyCalls(t *testing.T) {
	names := slices.Sorted(maps.Keys(everySpec))
	memo := hook.NewMemo(1 << 19)
	var callers gosync.WaitGroup
	for caller := range 8 {
		order := rand.New(rand.NewPCG(1, uint64(caller))).Perm(len(names)) //nolint:gosec // any order will do
		callers.Go(func() {
			for _, i := range order {
				c := rehearsal.New("team", "my-flame", everySpec[names[i]])
				for round := range 4 {
					body := c.Request()
					want, err := answerOf(t, hook.Sync, body, noon)
					assert.NoError(t, err)
					got, err := answerOf(t, memo.Sync, body, noon)
					assert.NoError(t, err)
					if !assert.Equal(t, string(want), string(got), names[i]) {
						return
					}
					assert.NoError(t, c.Apply(got))
					if round == 2 {
						// A bad edit: what runs comes from the record.
						c.Edit(map[string]any{"version": "none"})
						continue
					}
					c.Ready()
				}
			}
		})
	}
	callers.Wait()
}

// Everything that children depend on tells two calls apart, be it in the spec or not.
func TestClustersWithTheSameSpecAreToldApart(t *testing.T) {
	for _, c := range []struct{ namespace, name string }{{"team", "a"}, {"team", "b"}, {"other", "a"}, {"team", "a-b"}, {"team-a", "b"}} {
		cluster := rehearsal.New(c.namespace, c.name, spec(`{replicas: 2}`))
		answerTo(t, cluster.Request(), noon)
		cluster.Edit(spec(`{replicas: 2}`))
		answerTo(t, cluster.Request(), noon)
	}
}

// These pairs look alike to something that reads a spec, and some are alike.
func TestSpecsThatLookAlikeAreToldApart(t *testing.T) {
	for name, pair := range map[string][2]string{
		"a null in extraConfig":          {`{sessionManager: {maxSessions: 5}, extraConfig: {cluster: {limits: {max_sessions: null}}}}`, `{sessionManager: {maxSessions: 5}, extraConfig: {cluster: {limits: {}}}}`},
		"an empty list in extraConfig":   {`{extraConfig: {cluster: {policies: []}}}`, `{extraConfig: {cluster: {}}}`},
		"a null in a podTemplate":        {`{executorManager: {podTemplate: {spec: {securityContext: {fsGroup: null}}}}}`, `{executorManager: {podTemplate: {spec: {securityContext: {}}}}}`},
		"an empty list in a podTemplate": {`{executorManager: {podTemplate: {spec: {containers: [{name: executor-manager, securityContext: {capabilities: {drop: []}}}]}}}}`, `{executorManager: {podTemplate: {spec: {containers: [{name: executor-manager, securityContext: {capabilities: {}}}]}}}}`},
		"the format of a quantity":       {`{objectCache: {eviction: {maxMemory: "0.9765625Ki"}}}`, `{objectCache: {eviction: {maxMemory: "1k"}}}`},
		"a v before the version":         {`{version: v0.6.0}`, `{version: "0.6.0"}`},
		"the cache's old storage":        {`{objectCache: {storage: "/x"}}`, `{}`},
		"an old slot":                    {`{sessionManager: {slot: "cpu=1,mem=1g"}}`, `{sessionManager: {slot: {cpu: "1000m", memory: 1Gi}}}`},
		"old replicas":                   {`{executorManager: {replicas: 3, podDisruptionBudget: {}}}`, `{replicas: 1, executorManager: {podDisruptionBudget: {}}}`},
		"empty typed lists":              {`{imagePullSecrets: [], sessionManager: {env: []}}`, `{sessionManager: {}}`},
	} {
		t.Run(name, func(t *testing.T) {
			c := rehearsal.New("team", "my-flame", spec(pair[0]))
			settle(t, c)
			c.Edit(spec(pair[1]))
			settle(t, c)
		})
	}
}

// A memo is filled by whoever may edit a FlameCluster, or reach the hook.
func TestAMemoTakesNoMoreThanItMay(t *testing.T) {
	const limit = 1 << 20
	body := func(name, spec string) string {
		return `{"parent":{"apiVersion":"flame.xflops.io/v1alpha1","kind":"FlameCluster","metadata":{"name":"` + name + `","namespace":"team","generation":1},"spec":` + spec + `},"children":{}}`
	}
	for name, request := range map[string]func(i int) string{
		"small specs":   func(i int) string { return body("a", fmt.Sprintf(`{"restartedAt":"%d"}`, i)) },
		"many clusters": func(i int) string { return body(fmt.Sprintf("a%d", i), `{}`) },
		"long names":    func(i int) string { return body(strings.Repeat("a", 100_000+i), `{}`) },
		"many errors": func(i int) string {
			return body("a", fmt.Sprintf(`{"restartedAt":"%d","executorManager":{"podTemplate":{"spec":{"volumes":[%s{}]}}}}`, i, strings.Repeat("{},", 5000)))
		},
		"many warnings": func(i int) string {
			return body("a", fmt.Sprintf(`{"restartedAt":"%d","extraConfig":{"cluster":{%s"z":1}}}`, i, members(1000)))
		},
		"large children": func(i int) string {
			return body("a", fmt.Sprintf(`{"restartedAt":"%d","sessionManager":{"podTemplate":{"metadata":{"annotations":{"example.com/a":%q}}}}}`, i, strings.Repeat(`"<\`, 2500)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			memo := hook.NewMemo(limit)
			before := heapBytes()
			// The large ones are so many bytes that fewer of them fill the memory.
			for i := range max(12, 400-len(request(0))/10) {
				r, err := hook.DecodeRequest(request(i))
				require.NoError(t, err)
				_, err = memo.Sync(r, noon)
				require.NoError(t, err)
			}
			assert.Less(t, heapBytes()-before, 3*limit)
			runtime.KeepAlive(memo)
		})
	}
}

func members(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `"x%d":0,`, i)
	}
	return text.String()
}

func heapBytes() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc) //nolint:gosec // far below the limit of int
}
