package scenarios

import (
	"fmt"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// badEdits are edits that no cluster survives if they are taken at their word.
var badEdits = []struct {
	name  string
	value any
	path  []string
}{
	{"negative replicas", -1, []string{"replicas"}},
	{"too many replicas", 10001, []string{"replicas"}},
	{"replicas as text", "three", []string{"replicas"}},
	{"unknown policy", "lottery", []string{"sessionManager", "policy"}},
	{"empty slot", map[string]any{}, []string{"sessionManager", "slot"}},
	{"half a CPU as slot", map[string]any{"cpu": "500m"}, []string{"sessionManager", "slot"}},
	{"retryLimit 0", 0, []string{"sessionManager", "retryLimit"}},
	{"storage with path and secretRef", map[string]any{"path": "/var/lib/flame/session/a", "secretRef": map[string]any{"name": "s", "key": "k"}}, []string{"sessionManager", "storage"}},
	{"storage on a database server", map[string]any{"type": "postgres", "secretRef": map[string]any{"name": "s", "key": "k"}}, []string{"sessionManager", "storage"}},
	{"storage outside of the volume", map[string]any{"path": "/etc/flame"}, []string{"sessionManager", "storage"}},
	{"privileged port", 80, []string{"sessionManager", "service", "port"}},
	{"docker shim", "docker", []string{"executorManager", "shim"}},
	{"kubernetes shim", "kubernetes", []string{"executorManager", "shim"}},
	{"unknown shim", "vm", []string{"executorManager", "shim"}},
	{"requests above limits", map[string]any{"requests": map[string]any{"cpu": "2"}, "limits": map[string]any{"cpu": "1"}}, []string{"executorManager", "resources"}},
	{"a quantity that is none", map[string]any{"limits": map[string]any{"cpu": "lots"}}, []string{"executorManager", "resources"}},
	{"one claim for several executors", map[string]any{"persistentVolumeClaim": map[string]any{"claimName": "shared"}}, []string{"executorManager", "volumeSource"}},
	{"RUST_LOG in env", []any{map[string]any{"name": "RUST_LOG", "value": "trace"}}, []string{"executorManager", "env"}},
	{"unknown field in podTemplate", map[string]any{"spec": map[string]any{"nodeSelektor": map[string]any{"pool": "flame"}}}, []string{"executorManager", "podTemplate"}},
	{"private label in podTemplate", map[string]any{"metadata": map[string]any{"labels": map[string]any{"flame.xflops.io/cluster": "another"}}}, []string{"sessionManager", "podTemplate"}},
	{"command in podTemplate", map[string]any{"spec": map[string]any{"containers": []any{map[string]any{"name": "session-manager", "command": []any{"/bin/sh"}}}}}, []string{"sessionManager", "podTemplate"}},
	{"podTemplate is text", "pods", []string{"objectCache", "podTemplate"}},
	{"cache behind a load balancer", "LoadBalancer", []string{"objectCache", "service", "type"}},
	{"cache TLS alone", map[string]any{"objectCache": map[string]any{"secretName": "tls"}}, []string{"tls"}},
	{"Flame that is too old", "0.5.0", []string{"version"}},
	{"version that is none", "main", []string{"version"}},
	{"protected key in extraConfig", map[string]any{"cluster": map[string]any{"endpoint": "http://elsewhere:8080"}}, []string{"extraConfig"}},
	{"broken regular expression", "eth[", []string{"objectCache", "networkInterface"}},
}

// An edit that makes no sense is refused at once or reported; either way nothing
// that runs is touched. The way back is the way forth.
func TestInvalidEditsTouchNothing(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		good := map[string]any{"replicas": 2, "sessionManager": map[string]any{"policy": "priority"}}
		c := newFlameCluster(t, e, good)
		c.waitRunning()
		before := c.snapshot()
		var refused, reported int
		for _, edit := range badEdits {
			err := c.set(edit.value, edit.path...)
			if err != nil {
				assert.True(t, apierrors.IsInvalid(err), "%s: %v", edit.name, err)
				refused++
				continue
			}
			reported++
			s := c.waitFor("Stalled after: "+edit.name, func(s *clusterStatus) bool { return s.is("Stalled") })
			assert.Contains(t, []string{"InvalidSpec", "UnsupportedByVersion"}, s.condition("Stalled").Reason, edit.name)
			assert.Contains(t, s.Message+s.condition("Stalled").Message, "spec."+edit.path[0], edit.name)
			assert.Equal(t, "Degraded", s.State, edit.name)
			c.requireSame(before, "FlameCluster/")
			require.NoError(t, c.replaceSpec(good))
			c.waitFor("Ready again after: "+edit.name, func(s *clusterStatus) bool { return s.State == "Running" && s.is("Ready") })
			c.requireSame(before, "FlameCluster/", "ConfigMap/flame-last-good")
			before = c.snapshot()
		}
		t.Logf("%d edits refused at admission, %d reported in status", refused, reported)
		assert.GreaterOrEqual(t, refused+reported, 15)
	})
}

// While the spec is invalid the last good one is kept alive: children come back,
// and scaling waits.
func TestInvalidSpecKeepsTheLastGoodCluster(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, map[string]any{"replicas": 2})
		c.waitRunning()
		c.mustSet("docker", "executorManager", "shim")
		c.waitStalled("UnsupportedByVersion")
		require.NoError(t, bed.kube.CoreV1().Services(c.namespace).Delete(bed.ctx, "flame-session-manager", metav1.DeleteOptions{}))
		require.NoError(t, bed.kube.AppsV1().Deployments(c.namespace).Delete(bed.ctx, "flame-object-cache", metav1.DeleteOptions{}))
		eventually(t, "deleted children are back", func() error {
			children := c.children()
			for _, key := range []string{"Service/flame-session-manager", "Deployment/flame-object-cache"} {
				if child := children[key]; child == nil || child.GetDeletionTimestamp() != nil {
					return fmt.Errorf("no %s", key)
				}
			}
			return nil
		})
		assert.Len(t, c.pods("executor-manager"), 2)
		c.mustSet("host", "executorManager", "shim")
		c.waitRunning()
	})
}

// A first spec that can't be run creates nothing, says why, and starts once it is
// repaired.
func TestInvalidFromTheStart(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, map[string]any{"executorManager": map[string]any{"shim": "docker"}})
		s := c.waitStalled("UnsupportedByVersion")
		assert.Contains(t, s.Message, "0.6.0")
		assert.Empty(t, c.pods(""))
		c.mustSet("host", "executorManager", "shim")
		c.waitRunning()
	})
}

// What the API server already knows to be wrong never becomes an object.
func TestRefusedAtAdmission(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t, nil)
	post := func(name, spec string) error {
		object := `{"apiVersion":"flame.xflops.io/v1alpha1","kind":"FlameCluster","metadata":{"name":"` + name + `"},"spec":` + spec + `}`
		return bed.kube.CoreV1().RESTClient().Post().AbsPath("/apis/flame.xflops.io/v1alpha1/namespaces", namespace, "flameclusters").
			Param("fieldValidation", "Strict").SetHeader("Content-Type", "application/json").Body([]byte(object)).Do(bed.ctx).Error()
	}
	for name, spec := range map[string]string{
		"negative":  `{"replicas":-1}`,
		"unknown":   `{"replica":1}`,
		"nested":    `{"sessionManager":{"polici":"fair"}}`,
		"text":      `{"replicas":"1"}`,
		"retry":     `{"sessionManager":{"retryLimit":0}}`,
		"policy":    `{"sessionManager":{"policy":"lottery"}}`,
		"secretref": `{"sessionManager":{"storage":{"path":"/var/lib/flame/session/x","secretRef":{"name":"a","key":"b"}}}}`,
	} {
		err := post(name, spec)
		assert.Error(t, err, spec)
		assert.True(t, err == nil || apierrors.IsInvalid(err) || apierrors.IsBadRequest(err), "%s: %v", spec, err)
	}
	for name, spec := range map[string]string{"empty": `{}`, "nothing": `null`} {
		assert.NoError(t, post(name, spec), spec)
	}
}

// Every form in which a user may say nothing is a working cluster.
func TestMissingFields(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		namespace := newNamespace(t, nil)
		for name, spec := range map[string]any{"absent": nil, "empty": map[string]any{}, "sparse": map[string]any{"sessionManager": map[string]any{}, "objectCache": map[string]any{"service": map[string]any{}}}} {
			c := reference(t, e, namespace, name)
			object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": flameClusters.GroupVersion().String(), "kind": "FlameCluster", "metadata": map[string]any{}}}
			if spec != nil {
				object.Object["spec"] = spec
			}
			require.NoError(t, c.createObject(object))
			c.waitState("Running")
		}
	})
}

// The annotation that pauses holds everything as it is, whatever the spec says.
func TestPaused(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, nil)
		c.waitRunning()
		annotate := func(value string) {
			patch := fmt.Sprintf(`{"metadata":{"annotations":{"flame.xflops.io/paused":%s}}}`, value)
			_, err := c.client().Patch(bed.ctx, c.name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
			require.NoError(t, err)
		}
		annotate(`"true"`)
		c.waitFor("Paused", func(s *clusterStatus) bool { return s.is("Paused") })
		before := c.snapshot()
		c.mustSet("fair", "sessionManager", "policy")
		c.waitFor("the edit is seen", func(s *clusterStatus) bool { return s.is("Paused") })
		time.Sleep(2 * time.Second)
		c.requireSame(before, "FlameCluster/")
		annotate("null")
		c.waitRunning()
		config := c.children()["ConfigMap/flame-config"]
		content, _, err := unstructured.NestedString(config.Object, "data", "flame-cluster.yaml")
		require.NoError(t, err)
		assert.Contains(t, content, "drf", "the policy has arrived")
	})
}
