package scenarios

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/test/e2e/engine"
)

var (
	configMaps  = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	services    = schema.GroupVersionResource{Version: "v1", Resource: "services"}
	deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	budgets     = schema.GroupVersionResource{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"}
	policies    = schema.GroupVersionResource{Group: "networking.k8s.io", Version: "v1", Resource: "networkpolicies"}
)

func resourceOf(kind string) schema.GroupVersionResource {
	return map[string]schema.GroupVersionResource{"ConfigMap": configMaps, "Service": services, "Deployment": deployments}[kind]
}

func (c *flameCluster) patchChild(resource schema.GroupVersionResource, name string, kind types.PatchType, patch string) {
	c.t.Helper()
	_, err := bed.dynamic.Resource(resource).Namespace(c.namespace).Patch(bed.ctx, name, kind, []byte(patch), metav1.PatchOptions{})
	require.NoError(c.t, err)
}

// handEdit is what somebody does to a child, and the field that it changes.
type handEdit struct {
	resource schema.GroupVersionResource
	name     string
	patch    string
	path     []string
}

func (h handEdit) apply(c *flameCluster) {
	c.t.Helper()
	c.patchChild(h.resource, h.name, types.MergePatchType, h.patch)
}

// takeBack gives the field the value that it had, nil for none.
func (h handEdit) takeBack(c *flameCluster, before any) {
	c.t.Helper()
	operation := map[string]any{"op": "replace", "path": "/" + strings.Join(h.path, "/"), "value": before}
	if before == nil {
		operation = map[string]any{"op": "remove", "path": operation["path"]}
	}
	c.patchChild(h.resource, h.name, types.JSONPatchType, toJSON(c.t, []any{operation}))
}

func (h handEdit) read(c *flameCluster) any {
	c.t.Helper()
	object, err := bed.dynamic.Resource(h.resource).Namespace(c.namespace).Get(bed.ctx, h.name, metav1.GetOptions{})
	require.NoError(c.t, err)
	value, _, err := unstructured.NestedFieldCopy(object.Object, h.path...)
	require.NoError(c.t, err)
	return value
}

func (h handEdit) waitUndone(c *flameCluster, before any) {
	c.t.Helper()
	eventually(c.t, h.name+" is as before "+h.patch, func() error {
		if now := h.read(c); !assert.ObjectsAreEqual(byName(before), byName(now)) {
			return fmt.Errorf("%v", now)
		}
		return nil
	})
}

// byName makes a map of a list of objects with names, since a merge keeps no order.
func byName(value any) any {
	list, ok := value.([]any)
	if !ok {
		return value
	}
	named := map[any]any{}
	for _, item := range list {
		named[item.(map[string]any)["name"]] = item
	}
	return named
}

// Whatever child somebody deletes comes back.
func TestChildDeleted(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, nil)
		c.waitRunning()
		before := c.children()
		for key, child := range before {
			require.NoError(t, bed.dynamic.Resource(resourceOf(child.GetKind())).Namespace(c.namespace).Delete(bed.ctx, child.GetName(), metav1.DeleteOptions{}), key)
		}
		eventually(t, "all children are back", func() error {
			now := c.children()
			for key, child := range before {
				if now[key] == nil || now[key].GetUID() == child.GetUID() {
					return fmt.Errorf("no new %s", key)
				}
			}
			return nil
		})
		c.waitRunning()
	})
}

// What somebody changes in a child by hand is changed back.
func TestChildEdited(t *testing.T) {
	edits := []handEdit{
		{configMaps, "flame-config", `{"data":{"flame-cluster.yaml":"cluster: {}"}}`, []string{"data"}},
		{configMaps, "flame-client", `{"data":{"flame.yaml":"nothing"}}`, []string{"data"}},
		{services, "flame-session-manager", `{"spec":{"selector":{"flame.xflops.io/cluster":"another"}}}`, []string{"spec", "selector"}},
		{deployments, "flame-session-manager", `{"spec":{"replicas":3}}`, []string{"spec", "replicas"}},
		{deployments, "flame-executor-manager", `{"spec":{"replicas":7}}`, []string{"spec", "replicas"}},
		{deployments, "flame-object-cache", `{"spec":{"template":{"spec":{"shareProcessNamespace":false}}}}`, []string{"spec", "template", "spec", "shareProcessNamespace"}},
		{deployments, "flame-executor-manager", `{"spec":{"template":{"metadata":{"annotations":{"flame.xflops.io/config-hash":"0"}}}}}`, []string{"spec", "template", "metadata", "annotations", "flame.xflops.io/config-hash"}},
	}
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, nil)
		c.waitRunning()
		for _, edit := range edits {
			before := edit.read(c)
			edit.apply(c)
			edit.waitUndone(c, before)
		}
		c.waitRunning()
	})
}

// Somebody adds what a merge leaves there: a Service that selects no pod any more, or
// objects of which the API server takes no change. Dynamic apply gets it away.
// Server-side apply can't, since it belongs to another manager, and so it is reported.
func TestChildAddedTo(t *testing.T) {
	edits := []handEdit{
		{services, "flame-session-manager", `{"spec":{"ports":[{"name":"frontend","port":9999,"targetPort":9999},{"name":"backend","port":8081}]}}`, []string{"spec", "ports"}},
		{services, "flame-object-cache", `{"spec":{"selector":{"app":"another"}}}`, []string{"spec", "selector"}},
		{budgets, "flame-executor-manager", `{"spec":{"minAvailable":1,"maxUnavailable":null}}`, []string{"spec"}},
		{policies, "flame", `{"spec":{"podSelector":{"matchLabels":{"app":"another"}}}}`, []string{"spec"}},
		{deployments, "flame-session-manager", `{"spec":{"paused":true}}`, []string{"spec", "paused"}},
		{deployments, "flame-object-cache", `{"spec":{"strategy":{"type":"RollingUpdate"}}}`, []string{"spec", "strategy"}},
	}
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, map[string]any{
			"replicas": 2, "networkPolicy": map[string]any{"enabled": true},
			"executorManager": map[string]any{"podDisruptionBudget": map[string]any{}},
		})
		c.waitRunning()
		pods := c.snapshot()
		var before []any
		for _, edit := range edits {
			before = append(before, edit.read(c))
			edit.apply(c)
		}
		if e.mode == engine.ServerSideApply {
			c.waitNotReady()
			// Selectors are replaced as a whole, and the Deployments' pods are as wanted.
			message := c.waitStalledWithin(troubleTime, "ApplyFailed").condition("Stalled").Message
			for _, words := range []string{
				"PodDisruptionBudget flame-executor-manager has what the FlameCluster does not ask for and what is in its way: spec.minAvailable;",
				"Service flame-session-manager (spec.ports[9999])",
			} {
				assert.Contains(t, message, words)
			}
			for i, edit := range edits {
				edit.takeBack(c, before[i])
			}
		}
		for i, edit := range edits {
			edit.waitUndone(c, before[i])
		}
		c.waitRunning()
		c.requireSame(pods, "FlameCluster/", "Service/", "PodDisruptionBudget/", "NetworkPolicy/", "Deployment/")
	})
}

// A child that lost the label by which it is ours is released. Dynamic apply can't
// take it back, and the status must not pretend otherwise.
func TestChildRelabelled(t *testing.T) {
	t.Parallel()
	for _, child := range []string{"ConfigMap/flame-client", "Service/flame-session-manager", "Deployment/flame-object-cache"} {
		t.Run(child, func(t *testing.T) {
			inEachMode(t, func(t *testing.T, e *environment) {
				c := newFlameCluster(t, e, nil)
				c.waitRunning()
				object := c.children()[child]
				c.patchChild(resourceOf(object.GetKind()), object.GetName(), types.JSONPatchType, `[{"op":"remove","path":"/metadata/labels/controller-uid"}]`)
				if e.mode == engine.ServerSideApply {
					eventually(t, "the child is ours again", func() error { return c.owns(child) })
					c.waitRunning()
					return
				}
				s := c.waitChildMissing()
				assert.Contains(t, s.Message, object.GetName())
				require.NoError(t, bed.dynamic.Resource(resourceOf(object.GetKind())).Namespace(c.namespace).Delete(bed.ctx, object.GetName(), metav1.DeleteOptions{}))
				c.waitRunning()
			})
		})
	}
}

// owns returns an error unless the FlameCluster controls the child.
func (c *flameCluster) owns(child string) error {
	object := c.children()[child]
	if object == nil {
		return fmt.Errorf("no %s with the cluster's label", child)
	}
	if owner := metav1.GetControllerOf(object); owner == nil || owner.UID != c.mustGet().GetUID() {
		return fmt.Errorf("%s is not controlled by the FlameCluster", child)
	}
	return nil
}

// waitChildMissing waits until a child is reported as missing, which takes a minute.
func (c *flameCluster) waitChildMissing() *clusterStatus {
	c.t.Helper()
	c.waitNotReady()
	return c.waitStalledWithin(troubleTime, "ChildMissing")
}

// waitNotReady waits until the status has taken notice of what was done to a child.
func (c *flameCluster) waitNotReady() {
	c.t.Helper()
	eventually(c.t, "not Ready", func() error {
		if c.status().is("Ready") {
			return fmt.Errorf("still Ready")
		}
		return nil
	})
}

// An object of our name that belongs to somebody else: dynamic apply leaves it
// alone, which is reported; server-side apply takes it over.
func TestForeignObject(t *testing.T) {
	t.Parallel()
	for _, foreign := range []struct{ kind, name, object string }{
		{"Service", "flame-session-manager", `{"apiVersion":"v1","kind":"Service","metadata":{"name":"flame-session-manager","labels":{"owner":"blue"}},"spec":{"ports":[{"name":"web","port":80}],"selector":{"app":"web"}}}`},
		{"ConfigMap", "flame-config", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"flame-config","labels":{"owner":"blue"}},"data":{"mine":"yes"}}`},
	} {
		t.Run(foreign.kind, func(t *testing.T) {
			inEachMode(t, func(t *testing.T, e *environment) {
				namespace := newNamespace(t, nil)
				object := &unstructured.Unstructured{}
				require.NoError(t, object.UnmarshalJSON([]byte(foreign.object)))
				client := bed.dynamic.Resource(resourceOf(foreign.kind)).Namespace(namespace)
				created, err := client.Create(bed.ctx, object, metav1.CreateOptions{})
				require.NoError(t, err)
				c := createFlameCluster(t, e, namespace, "flame", nil)
				if e.mode == engine.ServerSideApply {
					c.waitRunning()
					require.NoError(t, c.owns(foreign.kind+"/"+foreign.name))
					return
				}
				s := c.waitStalledWithin(troubleTime, "ChildMissing")
				assert.Contains(t, s.Message, foreign.name)
				now, err := client.Get(bed.ctx, foreign.name, metav1.GetOptions{})
				require.NoError(t, err)
				assert.Equal(t, created.GetResourceVersion(), now.GetResourceVersion(), "resourceVersion of what is not ours")
				require.NoError(t, client.Delete(bed.ctx, foreign.name, metav1.DeleteOptions{}))
				c.waitRunning()
			})
		})
	}
}
