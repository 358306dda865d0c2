package scenarios

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/test/e2e/engine"
)

var compositeControllers = schema.GroupVersionResource{Group: "metacontroller.k8s.io", Version: "v1alpha1", Resource: "compositecontrollers"}

// The hook serves version 1 of the hooks as well as version 2.
func TestHookVersion1(t *testing.T) {
	alone(t, options{hookVersion: "v1"}, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, map[string]any{"replicas": 2})
		c.waitRunning()
		assert.NotContains(t, string(e.tap.of(c.namespace, c.name).request), `"`+c.namespace+`/`, "keys of version 2")
		before := c.podsByComponent()
		c.mustSet("fair", "sessionManager", "policy")
		c.waitRunning()
		assert.Equal(t, []string{"session-manager", "executor-manager"}, c.restarted(before))
	})
}

// With the finalize hook a FlameCluster goes after its children, and it goes.
func TestFinalizeHook(t *testing.T) {
	alone(t, options{finalize: true}, func(t *testing.T, e *environment) {
		for _, policy := range []metav1.DeletionPropagation{metav1.DeletePropagationBackground, metav1.DeletePropagationForeground} {
			c := newFlameCluster(t, e, nil)
			c.waitRunning()
			require.Len(t, c.mustGet().GetFinalizers(), 1)
			c.delete(policy)
			c.waitGone()
			assert.Positive(t, e.tap.of(c.namespace, c.name).finalizes)
			for _, message := range c.syncErrors() {
				// With a cache that lags, Metacontroller asks once more for a parent that is
				// gone, and can't take the finalizer off it.
				require.Regexp(t, "can't remove finalizer.*not found", message)
			}
		}
	})
}

// A change of Metacontroller's apply mode, in either direction, restarts nothing.
func TestApplyModeChanges(t *testing.T) {
	alone(t, options{}, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, map[string]any{"replicas": 2})
		c.waitRunning()
		before, pods := c.children(), c.podsByComponent()
		e.stopEngine()
		if e.mode == engine.DynamicApply {
			e.mode = engine.ServerSideApply
		} else {
			e.mode = engine.DynamicApply
		}
		syncs := e.tap.of(c.namespace, c.name).syncs
		require.NoError(t, e.startEngine())
		eventually(t, "the new engine asks", func() error { return atLeast(syncs+1, e.tap.of(c.namespace, c.name).syncs) })
		c.waitRunning()
		assert.Empty(t, c.restarted(pods))
		now := c.children()
		for key, child := range before {
			if assert.Contains(t, now, key) {
				assert.Equal(t, child.GetUID(), now[key].GetUID(), key)
				assert.Equal(t, child.Object["spec"], now[key].Object["spec"], key)
				assert.Equal(t, child.Object["data"], now[key].Object["data"], key)
			}
		}
		c.mustSet("fair", "sessionManager", "policy")
		c.scale(3)
		s := c.waitRunning()
		assert.EqualValues(t, 3, s.ReadyReplicas)
	})
}

// A new version of the hook stands in the address of the webhooks, which makes
// Metacontroller ask again about every FlameCluster.
func TestNewHookVersionIsAsked(t *testing.T) {
	alone(t, options{resyncPeriod: 3600}, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, nil)
		c.waitRunning()
		before := c.snapshot()
		controller, err := bed.dynamic.Resource(compositeControllers).Get(bed.ctx, e.name, metav1.GetOptions{})
		require.NoError(t, err)
		address, _, err := unstructured.NestedString(controller.Object, "spec", "hooks", "sync", "webhook", "url")
		require.NoError(t, err)
		require.Contains(t, address, "/sync?v=")
		base, _, _ := strings.Cut(address, "?")
		require.NoError(t, unstructured.SetNestedField(controller.Object, base+"?v=99.0.0", "spec", "hooks", "sync", "webhook", "url"))
		syncs := e.tap.of(c.namespace, c.name).syncs
		_, err = bed.dynamic.Resource(compositeControllers).Update(bed.ctx, controller, metav1.UpdateOptions{})
		require.NoError(t, err)
		eventually(t, "a sync", func() error { return atLeast(syncs+1, e.tap.of(c.namespace, c.name).syncs) })
		c.waitSettled()
		c.requireSame(before)
	})
}
