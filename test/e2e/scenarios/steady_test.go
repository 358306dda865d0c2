package scenarios

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// engineWrites returns what the engine wrote in the cluster's namespace.
func (c *flameCluster) engineWrites(since time.Time) []string {
	c.t.Helper()
	writes, err := bed.plane.Writes(since)
	require.NoError(c.t, err)
	var own []string
	for _, w := range writes {
		if w.Namespace == c.namespace && strings.Contains(w.UserAgent, "metacontroller") {
			own = append(own, fmt.Sprintf("%s %s %s %s %s: %d", w.Time.Format(time.TimeOnly), w.Verb, w.Resource, w.Name, w.Subresource, w.Code))
		}
	}
	return own
}

// nudge makes the engine ask the hook, and waits until it has.
func (c *flameCluster) nudge(value string) {
	c.t.Helper()
	syncs := c.e.tap.of(c.namespace, c.name).syncs
	require.NoError(c.t, c.annotate("example.com/nudge", value))
	eventually(c.t, "a sync", func() error { return atLeast(syncs+1, c.e.tap.of(c.namespace, c.name).syncs) })
}

// A cluster at rest: once nobody was asked anything for 20 s after Ready, nothing moves
// for a minute, and nobody is asked anything. A sync that is forced then sends nothing to the API server,
// not even a write that would change nothing.
func TestNoHotLoop(t *testing.T) {
	alone(t, options{resyncPeriod: 3600}, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, map[string]any{"replicas": 3})
		c.waitFor("state Running, Ready", func(s *clusterStatus) bool { return s.State == "Running" && s.is("Ready") })
		waitQuiet(t, 20*time.Second, e)
		before := c.snapshot()
		syncs, _ := e.tap.syncs()
		time.Sleep(60 * time.Second)
		c.requireSame(before)
		after, _ := e.tap.syncs()
		require.Equal(t, syncs, after, "sync calls in a minute without a change")

		start := time.Now()
		for i := range 3 {
			c.nudge(fmt.Sprint(i))
		}
		time.Sleep(2 * time.Second)
		require.Empty(t, c.engineWrites(start), "writes of a sync that has nothing to change")
		c.requireSame(before, "FlameCluster/")
	})
}
