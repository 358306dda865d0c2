package hook_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/internal/settled"
)

// Nearly all calls are about a cluster that is at rest and known. What such a call
// takes from the heap grows with neither executors nor pods.
func TestASteadySyncAllocatesLittle(t *testing.T) {
	recorded, err := os.ReadFile("../test/golden/requests/v2-sync-steady.json")
	require.NoError(t, err)
	memo := hook.NewMemo(1 << 24)
	for _, c := range []settled.Cluster{{}, {Executors: 10000}, {Pods: 100}} {
		body, err := settled.Request(recorded, c)
		require.NoError(t, err)
		allocations := testing.AllocsPerRun(3, func() {
			_, err = answerOf(t, memo.Sync, body, settled.Time)
		})
		require.NoError(t, err)
		assert.LessOrEqual(t, allocations, 250.0, "%+v", c)
	}
}
