package scenarios

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/test/e2e/engine"
	"github.com/xflops/flame-operator/test/e2e/kubelet"
)

// troubleTime is how long a trouble may take until it counts as one: the longest
// grace time is 5 minutes, the hook looks every 15 s, and the machine may be busy.
const troubleTime = 10 * time.Minute

// waitStalledWithin waits for one of the reasons of the Stalled condition. Until
// then, and then too, the cluster must not claim to be ready.
func (c *flameCluster) waitStalledWithin(limit time.Duration, reasons ...string) *clusterStatus {
	c.t.Helper()
	start := time.Now()
	var last *clusterStatus
	within(c.t, limit, fmt.Sprintf("Stalled, %v", reasons), func() error {
		object, err := c.get()
		if err != nil {
			return err
		}
		if last, err = statusOf(object); err != nil {
			return err
		}
		if last.ObservedGeneration == object.GetGeneration() && last.is("Ready") {
			c.t.Fatalf("Ready %s after something broke", time.Since(start))
		}
		for _, reason := range reasons {
			if last.is("Stalled") && last.condition("Stalled").Reason == reason {
				return nil
			}
		}
		time.Sleep(500 * time.Millisecond)
		return fmt.Errorf("state %s: %s", last.State, last.Message)
	})
	c.t.Logf("Stalled after %s: %s: %s", time.Since(start).Round(time.Second), last.State, last.Message)
	return last
}

// An image that can't be pulled stops the rollout and nothing else, and the way
// back is to name one that can.
func TestInvalidImage(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, map[string]any{"replicas": 4})
		c.waitRunning()
		before := c.podsByComponent()
		c.mustSet("registry.example.com/does-not-exist:v1", "executorManager", "image")
		eventually(t, "not Ready", func() error {
			if c.status().is("Ready") {
				return fmt.Errorf("still Ready")
			}
			return nil
		})
		s := c.waitStalledWithin(troubleTime, "ImagePullFailed")
		assert.Equal(t, "Degraded", s.State)
		assert.Contains(t, s.Message, "does-not-exist")
		assert.Equal(t, []string{"executor-manager"}, c.restarted(before))
		assert.EqualValues(t, 3, s.ReadyReplicas, "of four executors one may be missing during a rollout")
		c.mustSet("xflops/flame-executor-manager:v0.6.0", "executorManager", "image")
		c.waitRunning()
	})
}

// A session manager that ends with exit code 0, again and again, has failed.
func TestSessionManagerEnds(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, map[string]any{"sessionManager": map[string]any{"podTemplate": podBehavior(kubelet.ExitZero)}})
		s := c.waitStalledWithin(troubleTime, "CrashLoopBackOff")
		assert.Equal(t, "Failed", s.State)
		assert.Empty(t, c.pods("executor-manager"), "executors without a session manager")
		c.mustSet(map[string]any{}, "sessionManager", "podTemplate")
		c.waitRunning()
	})
}

func TestExecutorsCrash(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, map[string]any{"executorManager": map[string]any{"podTemplate": podBehavior(kubelet.Crash)}})
		s := c.waitStalledWithin(troubleTime, "CrashLoopBackOff")
		assert.Equal(t, "Degraded", s.State)
		assert.True(t, s.is("SessionManagerReady"))
	})
}

// The troubles below count only after 5 minutes. Their clusters are created before
// all scenarios, so that the others pass the time.
var patientTroubles = map[string]map[string]any{
	"impossible": {"executorManager": map[string]any{"resources": map[string]any{"limits": map[string]any{"cpu": "1000"}}}},
	"claimless":  {"sessionManager": persistentState()},
}

// podlessTroubles are those of environments without the customize hook.
var podlessTroubles = map[string]map[string]any{
	"stuck": {"executorManager": map[string]any{"image": "example.com/does-not-exist:v1"}},
}

func patientNamespace(mode engine.ApplyMode) string { return "patient-" + string(mode) }

// createPatientTroubles starts the environments that they need.
func (b *testbed) createPatientTroubles() error {
	for _, mode := range modes() {
		shared, err := b.sharedEnvironment(mode)
		if err != nil {
			return err
		}
		if b.podless[mode], err = b.newEnvironment(mode, options{withoutCustomize: true}); err != nil {
			return err
		}
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: patientNamespace(mode)}}
		if _, err := b.kube.CoreV1().Namespaces().Create(b.ctx, namespace, metav1.CreateOptions{}); err != nil {
			return err
		}
		if err := b.createTroubles(shared, patientTroubles); err != nil {
			return err
		}
		if err := b.createTroubles(b.podless[mode], podlessTroubles); err != nil {
			return err
		}
	}
	return nil
}

func (b *testbed) createTroubles(e *environment, troubles map[string]map[string]any) error {
	for name, spec := range troubles {
		object := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": flameClusters.GroupVersion().String(), "kind": "FlameCluster",
			"metadata": map[string]any{"name": name, "labels": map[string]any{parentLabel: e.name}}, "spec": spec,
		}}
		if _, err := b.dynamic.Resource(flameClusters).Namespace(patientNamespace(e.mode)).Create(b.ctx, object, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// More than any node has: pending, and said so.
func TestImpossibleResources(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := reference(t, e, patientNamespace(e.mode), "impossible")
		s := c.waitStalledWithin(troubleTime, "Unschedulable")
		assert.Contains(t, s.Message, "Insufficient cpu")
		assert.Equal(t, "Degraded", s.State)
		c.mustSet(map[string]any{"limits": map[string]any{"cpu": "1"}}, "executorManager", "resources")
		c.waitRunning()
	})
}

// A claim that does not exist is waited for, named, and used when it comes.
func TestClaimMissing(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := reference(t, e, patientNamespace(e.mode), "claimless")
		s := c.waitStalledWithin(troubleTime, "VolumePending", "Unschedulable")
		assert.Equal(t, "Failed", s.State)
		assert.Contains(t, s.Message, "state")
		createClaim(t, c.namespace, "state")
		c.waitRunning()
	})
}

// Without the customize hook, and so without pods, all goes the same way, but the
// reason of a trouble is only what a Deployment knows.
func TestWithoutPodDiagnostics(t *testing.T) {
	t.Parallel()
	for _, mode := range modes() {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			e := bed.podless[mode]
			c := newFlameCluster(t, e, map[string]any{"replicas": 2})
			c.waitRunning()
			before := c.podsByComponent()
			c.mustSet("fair", "sessionManager", "policy")
			c.waitRunning()
			assert.Equal(t, []string{"session-manager", "executor-manager"}, c.restarted(before))
			s := reference(t, e, patientNamespace(mode), "stuck").waitStalledWithin(troubleTime, "ProgressDeadlineExceeded")
			assert.Equal(t, "Degraded", s.State)
			assert.Zero(t, e.tap.of(c.namespace, c.name).customize)
		})
	}
}

func TestQuotaExceeded(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		namespace := newNamespace(t, nil)
		quota, err := bed.kube.CoreV1().ResourceQuotas(namespace).Create(bed.ctx, &corev1.ResourceQuota{
			ObjectMeta: metav1.ObjectMeta{Name: "few-pods"},
			Spec:       corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{"pods": resource.MustParse("4")}},
		}, metav1.CreateOptions{})
		require.NoError(t, err)
		eventually(t, "the quota counts", func() error {
			q, err := bed.kube.CoreV1().ResourceQuotas(namespace).Get(bed.ctx, quota.Name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			return atLeast(1, len(q.Status.Hard))
		})
		// The others come first, so that it is executors which the quota refuses.
		c := createFlameCluster(t, e, namespace, "flame", map[string]any{"replicas": 0})
		c.waitRunning()
		c.scale(5)
		s := c.waitStalledWithin(troubleTime, "QuotaExceeded")
		assert.Equal(t, "Degraded", s.State)
		assert.Contains(t, s.Message, "few-pods")
		// There is room for two, and for more where the quota controller has counted from a
		// view of the pods that was behind.
		assert.GreaterOrEqual(t, s.ReadyReplicas, int64(2))
		assert.Less(t, s.ReadyReplicas, int64(5))
		c.scale(2)
		c.waitRunning()
	})
}
