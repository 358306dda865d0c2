package scenarios

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/util/retry"

	"github.com/stretchr/testify/require"
)

// flameClusters is the resource of FlameCluster.
var flameClusters = schema.GroupVersionResource{Group: "flame.xflops.io", Version: "v1alpha1", Resource: "flameclusters"}

// flameCluster is one FlameCluster of a scenario.
type flameCluster struct {
	t         *testing.T
	e         *environment
	namespace string
	name      string
}

// clusterStatus is what scenarios read of a FlameCluster's status.
type clusterStatus struct {
	ObservedGeneration int64              `json:"observedGeneration"`
	LastGoodGeneration int64              `json:"lastGoodGeneration"`
	State              string             `json:"state"`
	Message            string             `json:"message"`
	Replicas           int64              `json:"replicas"`
	ReadyReplicas      int64              `json:"readyReplicas"`
	Selector           string             `json:"selector"`
	Endpoint           string             `json:"endpoint"`
	CacheEndpoint      string             `json:"cacheEndpoint"`
	Conditions         []metav1.Condition `json:"conditions"`
	Warnings           []string           `json:"warnings"`
}

func (s *clusterStatus) condition(kind string) *metav1.Condition {
	for i := range s.Conditions {
		if s.Conditions[i].Type == kind {
			return &s.Conditions[i]
		}
	}
	return nil
}

func (s *clusterStatus) is(kind string) bool {
	c := s.condition(kind)
	return c != nil && c.Status == metav1.ConditionTrue
}

// newNamespace creates a namespace with those labels. It stays until the control
// plane ends: to delete what is in it costs more than to leave it alone.
func newNamespace(t *testing.T, labels map[string]string) string {
	t.Helper()
	name := strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, strings.TrimPrefix(t.Name(), "Test")), "-")
	name = strings.Trim(name[:min(len(name), 50)], "-") + "-" + rand.String(5)
	_, err := bed.kube.CoreV1().Namespaces().Create(bed.ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}, metav1.CreateOptions{})
	require.NoError(t, err)
	return name
}

// newFlameCluster applies a FlameCluster called "flame" in a new namespace.
func newFlameCluster(t *testing.T, e *environment, spec map[string]any) *flameCluster {
	t.Helper()
	return createFlameCluster(t, e, newNamespace(t, nil), "flame", spec)
}

func createFlameCluster(t *testing.T, e *environment, namespace, name string, spec map[string]any) *flameCluster {
	t.Helper()
	c := reference(t, e, namespace, name)
	require.NoError(t, c.create(spec))
	return c
}

// reference returns a FlameCluster that may or may not exist.
func reference(t *testing.T, e *environment, namespace, name string) *flameCluster {
	t.Helper()
	c := &flameCluster{t: t, e: e, namespace: namespace, name: name}
	t.Cleanup(c.explain)
	return c
}

func (c *flameCluster) create(spec map[string]any) error {
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": flameClusters.GroupVersion().String(), "kind": "FlameCluster",
		"metadata": map[string]any{"name": c.name, "namespace": c.namespace},
	}}
	if spec != nil {
		object.Object["spec"] = normalized(c.t, spec)
	}
	return c.createObject(object)
}

func (c *flameCluster) createObject(object *unstructured.Unstructured) error {
	object.SetNamespace(c.namespace)
	object.SetName(c.name)
	labels := object.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	labels[parentLabel] = c.e.name
	object.SetLabels(labels)
	_, err := c.client().Create(bed.ctx, object, metav1.CreateOptions{})
	return err
}

// normalized turns a literal into what a JSON decoder would have made of it.
func normalized(t *testing.T, literal map[string]any) map[string]any {
	t.Helper()
	raw, err := json.Marshal(literal)
	require.NoError(t, err)
	object := &unstructured.Unstructured{}
	require.NoError(t, json.Unmarshal([]byte(`{"apiVersion":"v1","kind":"Any","spec":`+string(raw)+`}`), object))
	spec, _, err := unstructured.NestedMap(object.Object, "spec")
	require.NoError(t, err)
	return spec
}

func (c *flameCluster) client() dynamic.ResourceInterface {
	return bed.dynamic.Resource(flameClusters).Namespace(c.namespace)
}

func (c *flameCluster) get() (*unstructured.Unstructured, error) {
	return c.client().Get(bed.ctx, c.name, metav1.GetOptions{})
}

func (c *flameCluster) mustGet() *unstructured.Unstructured {
	c.t.Helper()
	object, err := c.get()
	require.NoError(c.t, err)
	return object
}

// edit changes the FlameCluster as a user would, and returns the API server's answer.
func (c *flameCluster) edit(change func(object *unstructured.Unstructured)) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		object, err := c.get()
		if err != nil {
			return err
		}
		change(object)
		_, err = c.client().Update(bed.ctx, object, metav1.UpdateOptions{})
		return err
	})
}

// set changes one field of the spec.
func (c *flameCluster) set(value any, path ...string) error {
	return c.edit(func(object *unstructured.Unstructured) {
		wrapped := normalized(c.t, map[string]any{"value": value})
		require.NoError(c.t, unstructured.SetNestedField(object.Object, wrapped["value"], append([]string{"spec"}, path...)...))
	})
}

func (c *flameCluster) mustSet(value any, path ...string) {
	c.t.Helper()
	require.NoError(c.t, c.set(value, path...))
}

// replaceSpec replaces the whole spec.
func (c *flameCluster) replaceSpec(spec map[string]any) error {
	return c.edit(func(object *unstructured.Unstructured) { object.Object["spec"] = normalized(c.t, spec) })
}

func statusOf(object *unstructured.Unstructured) (*clusterStatus, error) {
	raw, err := json.Marshal(object.Object["status"])
	if err != nil {
		return nil, err
	}
	status := &clusterStatus{}
	return status, json.Unmarshal(raw, status)
}

func (c *flameCluster) status() *clusterStatus {
	c.t.Helper()
	status, err := statusOf(c.mustGet())
	require.NoError(c.t, err)
	return status
}

// waitFor waits until the status is about the present spec and holds, and returns it.
func (c *flameCluster) waitFor(what string, holds func(s *clusterStatus) bool) *clusterStatus {
	c.t.Helper()
	var last *clusterStatus
	eventually(c.t, what, func() error {
		object, err := c.get()
		if err != nil {
			return err
		}
		if last, err = statusOf(object); err != nil {
			return err
		}
		if last.ObservedGeneration != object.GetGeneration() {
			return fmt.Errorf("status is about generation %d, the spec is generation %d", last.ObservedGeneration, object.GetGeneration())
		}
		if !holds(last) {
			return fmt.Errorf("state %s: %s", last.State, last.Message)
		}
		return nil
	})
	return last
}

func (c *flameCluster) waitState(state string) *clusterStatus {
	c.t.Helper()
	return c.waitFor("state "+state, func(s *clusterStatus) bool { return s.State == state })
}

// waitRunning waits until the cluster runs and all that its objects do has come to rest.
func (c *flameCluster) waitRunning() *clusterStatus {
	c.t.Helper()
	c.waitFor("state Running, Ready", func(s *clusterStatus) bool { return s.State == "Running" && s.is("Ready") })
	c.waitSettled()
	return c.status()
}

// waitStalled waits for that reason of the Stalled condition.
func (c *flameCluster) waitStalled(reason string) *clusterStatus {
	c.t.Helper()
	return c.waitFor("Stalled, "+reason, func(s *clusterStatus) bool { return s.is("Stalled") && s.condition("Stalled").Reason == reason })
}

func (c *flameCluster) delete(policy metav1.DeletionPropagation) {
	c.t.Helper()
	require.NoError(c.t, c.client().Delete(bed.ctx, c.name, metav1.DeleteOptions{PropagationPolicy: &policy}))
}

// pods returns the pods of one component, or of all if component is empty.
func (c *flameCluster) pods(component string) []corev1.Pod {
	c.t.Helper()
	selector := "flame.xflops.io/cluster=" + c.name
	if component != "" {
		selector += ",flame.xflops.io/component=" + component
	}
	list, err := bed.kube.CoreV1().Pods(c.namespace).List(bed.ctx, metav1.ListOptions{LabelSelector: selector})
	require.NoError(c.t, err)
	return list.Items
}

// explain shows, after a failure, what a person would look at first.
func (c *flameCluster) explain() {
	if !c.t.Failed() {
		return
	}
	if object, err := c.get(); err == nil {
		spec, _ := json.Marshal(object.Object["spec"])
		status, _ := json.MarshalIndent(object.Object["status"], "", "  ")
		c.t.Logf("FlameCluster %s/%s, generation %d\nspec: %s\nstatus: %s", c.namespace, c.name, object.GetGeneration(), spec, status)
	}
	for _, o := range c.children() {
		c.t.Logf("child %s %s, resourceVersion %s", o.GetKind(), o.GetName(), o.GetResourceVersion())
	}
	for _, p := range c.pods("") {
		c.t.Logf("pod %s: %s", p.Name, p.Status.Phase)
	}
	events, err := bed.kube.CoreV1().Events(c.namespace).List(bed.ctx, metav1.ListOptions{FieldSelector: "type=Warning"})
	if err != nil {
		return
	}
	for _, e := range events.Items {
		c.t.Logf("event %s %s/%s %s: %.600s", e.LastTimestamp.Format(time.TimeOnly), e.InvolvedObject.Kind, e.InvolvedObject.Name, e.Reason, e.Message)
	}
}

// syncErrors returns the messages of the engine's events about failed syncs.
func (c *flameCluster) syncErrors() []string {
	c.t.Helper()
	events, err := bed.kube.CoreV1().Events(c.namespace).List(bed.ctx, metav1.ListOptions{FieldSelector: "reason=SyncError,involvedObject.name=" + c.name})
	require.NoError(c.t, err)
	var messages []string
	for _, e := range events.Items {
		messages = append(messages, e.Message)
	}
	return messages
}

func readStatus(t *testing.T, object *unstructured.Unstructured) *clusterStatus {
	t.Helper()
	status, err := statusOf(object)
	require.NoError(t, err)
	return status
}

// annotate sets an annotation, which is a reason for the engine to sync.
func (c *flameCluster) annotate(key, value string) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]any{key: value}}})
	if err != nil {
		return err
	}
	_, err = c.client().Patch(bed.ctx, c.name, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}
