package scenarios

import (
	"fmt"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// executorsOnly are the objects that scaling may touch.
var executorsOnly = []string{"FlameCluster/", "Deployment/flame-executor-manager", "Pod/flame-executor-manager-"}

// scale does what `kubectl scale` and an autoscaler do.
func (c *flameCluster) scale(replicas int64) {
	c.t.Helper()
	patch := fmt.Sprintf(`{"spec":{"replicas":%d}}`, replicas)
	_, err := c.client().Patch(bed.ctx, c.name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}, "scale")
	require.NoError(c.t, err)
}

func (c *flameCluster) waitExecutors(replicas int) {
	c.t.Helper()
	c.waitFor(fmt.Sprintf("%d executors", replicas), func(s *clusterStatus) bool {
		return s.State == "Running" && s.is("Ready") && s.Replicas == int64(replicas) && s.ReadyReplicas == int64(replicas)
	})
	eventually(c.t, fmt.Sprintf("%d pods", replicas), func() error {
		if got := len(c.pods("executor-manager")); got != replicas {
			return fmt.Errorf("%d pods", got)
		}
		return nil
	})
}

func TestScale(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, nil)
		c.waitRunning()
		before := c.snapshot()
		previous := uids(c.pods("executor-manager"))
		for _, replicas := range []int{5, 2, 0, 3} {
			c.scale(int64(replicas))
			c.waitExecutors(replicas)
			c.waitSettled()
			c.requireSame(before, executorsOnly...)
			now := uids(c.pods("executor-manager"))
			kept := 0
			for _, uid := range now {
				if slices.Contains(previous, uid) {
					kept++
				}
			}
			assert.Equal(t, min(len(previous), replicas), kept, "pods that scaling to %d left alone", replicas)
			previous = now
		}
		scale, err := c.client().Get(bed.ctx, c.name, metav1.GetOptions{}, "scale")
		require.NoError(t, err)
		selector, _, err := unstructured.NestedString(scale.Object, "status", "selector")
		require.NoError(t, err)
		pods, err := bed.kube.CoreV1().Pods(c.namespace).List(bed.ctx, metav1.ListOptions{LabelSelector: selector})
		require.NoError(t, err)
		assert.Len(t, pods.Items, 3, "pods that an autoscaler sees through the scale subresource")
	})
}

// An autoscaler writes often, and the last word counts.
func TestScaleByAutoscaler(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, nil)
		c.waitRunning()
		before := c.snapshot()
		for _, replicas := range []int64{2, 6, 3, 8, 1, 7, 5, 9, 2, 6, 4} {
			c.scale(replicas)
			time.Sleep(300 * time.Millisecond)
		}
		c.waitExecutors(4)
		c.waitSettled()
		c.requireSame(before, executorsOnly...)
	})
}
