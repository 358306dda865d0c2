package scenarios

import (
	"maps"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/test/e2e/sandbox"
)

func (c *flameCluster) deployment(name string) *appsv1.Deployment {
	c.t.Helper()
	d, err := bed.kube.AppsV1().Deployments(c.namespace).Get(bed.ctx, name, metav1.GetOptions{})
	require.NoError(c.t, err)
	return d
}

func (c *flameCluster) service(name string) *corev1.Service {
	c.t.Helper()
	s, err := bed.kube.CoreV1().Services(c.namespace).Get(bed.ctx, name, metav1.GetOptions{})
	require.NoError(c.t, err)
	return s
}

// Manifests that warn worry people, and install.yaml is what everybody starts with.
func TestInstallWithoutWarnings(t *testing.T) {
	t.Parallel()
	require.Empty(t, bed.warnings)
}

func TestDeploy(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		example, err := sandbox.Manifests("examples/minimal.yaml")
		require.NoError(t, err)
		require.Len(t, example, 1)
		c := reference(t, e, newNamespace(t, nil), example[0].GetName())
		start := time.Now()
		require.NoError(t, c.createObject(example[0]))
		s := c.waitFor("state Running, Ready", func(s *clusterStatus) bool { return s.State == "Running" && s.is("Ready") })
		t.Logf("Running after %s", time.Since(start).Round(100*time.Millisecond))

		children := c.children()
		require.Equal(t, []string{
			"ConfigMap/" + c.name + "-client", "ConfigMap/" + c.name + "-config", "ConfigMap/" + c.name + "-last-good",
			"Deployment/" + c.name + "-executor-manager", "Deployment/" + c.name + "-object-cache", "Deployment/" + c.name + "-session-manager",
			"Service/" + c.name + "-object-cache", "Service/" + c.name + "-session-manager",
		}, slices.Sorted(maps.Keys(children)))
		parent := c.mustGet()
		for key, child := range children {
			owner := metav1.GetControllerOf(child)
			if assert.NotNil(t, owner, "controller of %s", key) {
				assert.Equal(t, parent.GetUID(), owner.UID, "controller of %s", key)
			}
		}

		ports := func(name string) (numbers []int32) {
			for _, p := range c.service(name).Spec.Ports {
				numbers = append(numbers, p.Port)
			}
			return numbers
		}
		assert.Equal(t, []int32{8080, 8081}, ports(c.name+"-session-manager"))
		assert.Equal(t, []int32{9090}, ports(c.name+"-object-cache"))

		assert.Equal(t, "http://"+c.name+"-session-manager."+c.namespace+".svc:8080", s.Endpoint)
		assert.EqualValues(t, 1, s.Replicas)
		assert.EqualValues(t, 1, s.ReadyReplicas)
		for component, image := range map[string]string{
			"session-manager":  "xflops/flame-session-manager:v0.6.0",
			"executor-manager": "xflops/flame-executor-manager:v0.6.0",
			"object-cache":     "xflops/flame-object-cache:v0.6.0",
		} {
			pods := c.pods(component)
			if assert.Len(t, pods, 1, component) {
				assert.Equal(t, image, pods[0].Spec.Containers[0].Image)
			}
		}
	})
}

// An executor manager that starts before the session manager listens exits.
func TestExecutorsWaitForSessionManager(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, map[string]any{
			"sessionManager": map[string]any{"podTemplate": podBehavior("ready-after=6s")},
		})
		eventually(t, "executors", func() error {
			// In this order, or the session manager might become ready in between.
			executors, sessionManagers := c.pods("executor-manager"), c.pods("session-manager")
			if len(executors) > 0 && !slices.ContainsFunc(sessionManagers, isReady) {
				t.Fatal("executors before the session manager is ready")
			}
			return atLeast(1, len(executors))
		})
		c.waitRunning()
		require.Len(t, c.pods("executor-manager"), 1)
	})
}
