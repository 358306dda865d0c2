package scenarios

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// While the hook is down nothing is lost; when it is back everything goes on.
func TestHookDown(t *testing.T) {
	alone(t, options{}, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, map[string]any{"replicas": 2})
		c.waitRunning()
		before := c.snapshot()
		require.True(t, e.hook.Stop(stopTime), "the hook ends when asked to")
		c.scale(4)
		late := createFlameCluster(t, e, c.namespace, "late", nil)
		eventually(t, "failed syncs are events", func() error { return atLeast(1, len(c.syncErrors())) })
		time.Sleep(5 * time.Second)
		c.requireSame(before, "FlameCluster/")
		require.NoError(t, e.restartHook())
		c.waitExecutors(4)
		late.waitRunning()
		c.requireSame(before, executorsOnly...)
	})
}

// Deleting works without a hook, since there is no finalizer by default.
func TestDeleteWhileHookDown(t *testing.T) {
	alone(t, options{}, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, nil)
		c.waitRunning()
		require.True(t, e.hook.Stop(stopTime))
		c.delete("Background")
		c.waitGone()
	})
}

// Whatever stands between Metacontroller and the hook may answer: a cluster stays
// as it is.
func TestHookAnswersGarbage(t *testing.T) {
	reply := func(code int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			_, _ = w.Write([]byte(body))
		}
	}
	garbage := map[string]http.HandlerFunc{
		"error page":        reply(http.StatusBadGateway, "<html>bad gateway</html>"),
		"HTML with 200":     reply(http.StatusOK, "<html>welcome</html>"),
		"empty 200":         reply(http.StatusOK, ""),
		"204":               reply(http.StatusNoContent, ""),
		"truncated":         reply(http.StatusOK, `{"status":{},"children":[{"apiVersion":"v1","kind":"ConfigMap"`),
		"unknown field":     reply(http.StatusOK, `{"status":{},"children":[],"error":"oops"}`),
		"children as a map": reply(http.StatusOK, `{"children":{}}`),
		"slow": func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-time.After(15 * time.Second):
			}
		},
		"closed connection": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	}
	alone(t, options{}, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, nil)
		c.waitRunning()
		for name, answer := range garbage {
			before := c.snapshot()
			e.tap.answer(answer)
			c.nudge(strings.ReplaceAll(name, " ", "-"))
			time.Sleep(time.Second)
			assert.Empty(t, c.snapshot().since(before, "FlameCluster/"), "objects that were written after: %s", name)
			syncs := e.tap.of(c.namespace, c.name).syncs
			e.tap.answer(nil)
			eventually(t, "the hook is asked again", func() error { return atLeast(syncs+1, e.tap.of(c.namespace, c.name).syncs) })
			c.waitRunning()
		}
		c.scale(2)
		eventually(t, "two executors", func() error { return atLeast(2, int(c.status().ReadyReplicas)) })
	})
}

// Two replicas of the hook are restarted one after the other, as a rollout does,
// while FlameClusters are edited all the time: no call fails.
func TestHookRestartsUnderLoad(t *testing.T) {
	t.Parallel()
	for _, mode := range modes() {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			hooks, err := newReplicas(string(mode), 2)
			require.NoError(t, err)
			t.Cleanup(hooks.stop)
			e, err := bed.newEnvironment(mode, options{base: hooks.balancer.url})
			require.NoError(t, err)
			t.Cleanup(e.stop)
			namespace := newNamespace(t, nil)
			var clusters []*flameCluster
			for i := range 5 {
				clusters = append(clusters, createFlameCluster(t, e, namespace, fmt.Sprintf("flame-%d", i), nil))
			}
			for _, c := range clusters {
				c.waitRunning()
			}
			stop := load(clusters)
			for range 2 {
				require.NoError(t, hooks.roll())
			}
			t.Logf("%d edits, %d connections", stop(), hooks.balancer.connections())
			for _, c := range clusters {
				assert.Empty(t, c.syncErrors(), "failed syncs of %s", c.name)
				c.waitRunning()
			}
		})
	}
}
