package scenarios

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/test/e2e/engine"
	"github.com/xflops/flame-operator/test/e2e/install"
	"github.com/xflops/flame-operator/test/e2e/sandbox"
)

// createOldObjects stores FlameClusters under the API's first release, before our
// manifests replace it.
func (b *testbed) createOldObjects(installer *install.Installer) error {
	definitions, err := sandbox.Manifests("test/e2e/scenarios/testdata/first-release.yaml")
	if err != nil {
		return err
	}
	if err := installer.Apply(b.ctx, definitions...); err != nil {
		return err
	}
	for _, mode := range modes() {
		namespace := oldNamespace(mode)
		if _, err := b.kube.CoreV1().Namespaces().Create(b.ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{}); err != nil {
			return err
		}
		for name, storage := range map[string]string{"old": "sqlite://flame.db", "leaky": "postgres://user:" + oldPassword + "@db/flame"} {
			object := &unstructured.Unstructured{Object: map[string]any{
				"apiVersion": flameClusters.GroupVersion().String(), "kind": "FlameCluster",
				"metadata": map[string]any{"name": name, "namespace": namespace},
				"spec": map[string]any{
					"sessionManager":  map[string]any{"slot": "cpu=1,mem=1g", "storage": storage},
					"executorManager": map[string]any{"replicas": int64(2)},
					"objectCache":     map[string]any{"networkInterface": "eth0"},
				},
			}}
			if _, err := b.dynamic.Resource(flameClusters).Namespace(namespace).Create(b.ctx, object, metav1.CreateOptions{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// oldPassword stands in a storage string of the first release, where it never
// should have been, and must not be repeated.
const oldPassword = "hunter2-of-the-first-release"

func oldNamespace(mode engine.ApplyMode) string { return "stored-before-" + string(mode) }

// adopt lets an environment take care of an object that exists.
func (c *flameCluster) adopt() {
	c.t.Helper()
	require.NoError(c.t, c.edit(func(object *unstructured.Unstructured) {
		object.SetLabels(map[string]string{parentLabel: c.e.name})
	}))
}

// An object that was stored with strings runs, says what to change, and can be
// scaled and edited.
func TestOldObjectUnderReplacedCRD(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := reference(t, e, oldNamespace(e.mode), "old")
		c.adopt()
		s := c.waitRunning()
		assert.EqualValues(t, 2, s.ReadyReplicas)
		warnings := strings.Join(s.Warnings, "\n")
		for _, field := range []string{"slot", "storage", "executorManager.replicas"} {
			assert.Contains(t, warnings, field)
		}
		require.NoError(t, c.replaceSpec(map[string]any{
			"replicas":       3,
			"sessionManager": map[string]any{"slot": map[string]any{"cpu": 1, "memory": "1Gi"}, "storage": map[string]any{"type": "sqlite"}},
		}))
		s = c.waitRunning()
		assert.EqualValues(t, 3, s.ReadyReplicas)
		assert.NotContains(t, strings.Join(s.Warnings, "\n"), "slot:")
	})
}

// A storage string with a password is refused, and repeated nowhere.
func TestOldObjectWithPassword(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := reference(t, e, oldNamespace(e.mode), "leaky")
		c.adopt()
		s := c.waitFor("Stalled", func(s *clusterStatus) bool { return s.is("Stalled") })
		assert.Contains(t, s.Message+s.condition("Stalled").Message, "storage")
		found, err := searchStored(oldPassword, "/registry/flame.xflops.io/flameclusters/")
		require.NoError(t, err)
		assert.Empty(t, found, "keys of etcd that hold the password, besides the object that it was written into")
		status, err := c.get()
		require.NoError(t, err)
		assert.NotContains(t, toJSON(t, status.Object["status"]), oldPassword)
		logs, err := searchLogs(oldPassword)
		require.NoError(t, err)
		// The API server itself logs what it can't convert.
		logs = slices.DeleteFunc(logs, func(name string) bool { return name == "kube-apiserver.log" })
		assert.Empty(t, logs, "logs that hold the password")
	})
}
