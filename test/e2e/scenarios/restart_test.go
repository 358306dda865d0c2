package scenarios

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A restart of the engine, which forgets everything, moves nothing; and what was
// changed while it was away is done after it.
func TestEngineRestarts(t *testing.T) {
	alone(t, options{}, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, map[string]any{"replicas": 2})
		c.waitRunning()
		before := c.snapshot()
		e.stopEngine()
		syncs := e.tap.of(c.namespace, c.name).syncs
		require.NoError(t, e.startEngine())
		eventually(t, "the new engine asks", func() error { return atLeast(syncs+1, e.tap.of(c.namespace, c.name).syncs) })
		c.waitSettled()
		c.requireSame(before)

		e.stopEngine()
		c.scale(3)
		created := createFlameCluster(t, e, c.namespace, "meanwhile", nil)
		time.Sleep(time.Second)
		c.requireSame(before, "FlameCluster/")
		require.NoError(t, e.startEngine())
		c.waitExecutors(3)
		c.requireSame(before, executorsOnly...)

		created.delete("Background")
		created.waitGone()
		halfway := createFlameCluster(t, e, c.namespace, "halfway", nil)
		eventually(t, "the first children", func() error { return atLeast(3, len(halfway.children())) })
		e.stopEngine()
		require.NoError(t, e.startEngine())
		halfway.waitRunning()
	})
}

// A restart of the API server, in the middle of everything. This test is not
// parallel to others, which would not survive it.
func TestAPIServerRestarts(t *testing.T) {
	var before []snapshot
	var settled, halfway []*flameCluster
	for _, mode := range modes() {
		e, err := bed.newEnvironment(mode, options{})
		require.NoError(t, err)
		t.Cleanup(e.stop)
		c := newFlameCluster(t, e, map[string]any{"replicas": 2})
		c.waitRunning()
		settled, before = append(settled, c), append(before, c.snapshot())
	}
	for _, c := range settled {
		c.mustSet("fair", "sessionManager", "policy")
		halfway = append(halfway, createFlameCluster(t, c.e, c.namespace, "halfway", nil))
	}
	time.Sleep(500 * time.Millisecond)
	bed.plane.KillAPIServer()
	time.Sleep(3 * time.Second)
	require.NoError(t, bed.plane.StartAPIServer(bed.ctx))
	eventually(t, "all clusters run", func() error {
		for _, c := range append(halfway, settled...) {
			object, err := c.get()
			if err != nil {
				return err
			}
			s, err := statusOf(object)
			if err != nil {
				return err
			}
			if s.State != "Running" || s.ObservedGeneration != object.GetGeneration() {
				return fmt.Errorf("%s under %s is %s: %s", c.name, c.e.mode, s.State, s.Message)
			}
		}
		return nil
	})
	for i, c := range settled {
		c.waitSettled()
		c.requireSame(before[i], "FlameCluster/", "ConfigMap/flame-config", "ConfigMap/flame-last-good",
			"Deployment/flame-session-manager", "Pod/flame-session-manager-", "Deployment/flame-executor-manager", "Pod/flame-executor-manager-")
	}
}
