package hook_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
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
var memo = hook.NewMemo(1 << 14)

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
	memo := hook.NewMemo(len(names) / 2)
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

// Everything that children depend on and that is not in the spec tells two clusters
// with the same spec apart.
func TestClustersWithTheSameSpecAreToldApart(t *testing.T) {
	memo := hook.NewMemo(100)
	seen := map[string]string{}
	for _, c := range []struct{ namespace, name string }{{"team", "a"}, {"team", "b"}, {"other", "a"}, {"team", "a-b"}, {"team-a", "b"}} {
		for _, generation := range []string{"first", "edited"} {
			cluster := rehearsal.New(c.namespace, c.name, spec(`{replicas: 2}`))
			if generation == "edited" {
				cluster.Edit(spec(`{replicas: 2}`))
			}
			answer, err := answerOf(t, memo.Sync, cluster.Request(), noon)
			require.NoError(t, err)
			id := fmt.Sprintf("%s/%s %s", c.namespace, c.name, generation)
			assert.NotContains(t, seen, string(answer), id)
			seen[string(answer)] = id
		}
	}
}
