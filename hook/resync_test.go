package hook_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/internal/rehearsal"
)

// A pod that is stuck does not change, so no event would bring the next call. A call
// more often than that would only burden an API server that refuses pods already.
func TestAClusterThatIsNotReadyAsksToBeCalledAgain(t *testing.T) {
	resyncAfter := func(answer []byte) int {
		var decoded struct {
			ResyncAfterSeconds int `json:"resyncAfterSeconds"`
		}
		require.NoError(t, json.Unmarshal(answer, &decoded))
		return decoded.ResyncAfterSeconds
	}
	quota := func(int) map[string]any {
		return map[string]any{"conditions": []any{map[string]any{
			"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": "exceeded quota: team",
		}}}
	}

	c := rehearsal.New("team", "my-flame", nil)
	assert.Equal(t, 15, resyncAfter(sync(t, c, noon)), "nothing exists yet")
	c.Ready()
	assert.Equal(t, 15, resyncAfter(sync(t, c, noon)), "executors are to come")
	c.Ready()
	assert.Zero(t, resyncAfter(sync(t, c, noon)), "ready")

	c.SetDeployment("my-flame-executor-manager", quota)
	for range 3 {
		assert.Equal(t, 15, resyncAfter(sync(t, c, noon)), "a quota refuses pods")
	}
	c.Ready()
	assert.Zero(t, resyncAfter(sync(t, c, noon)), "ready again")

	c.Edit(spec(`{sessionManager: {policy: zzz}}`))
	assert.Zero(t, resyncAfter(sync(t, c, noon)), "an invalid edit of a ready cluster waits for the next edit")
	c.Edit(spec(`{suspend: true}`))
	_, answer := settle(t, c)
	assert.Zero(t, resyncAfter(answer), "suspended")

	assert.Equal(t, 15, resyncAfter(sync(t, rehearsal.New("team", "other", spec(`{sessionManager: {policy: zzz}}`)), noon)), "never valid")
}
