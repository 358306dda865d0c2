// Package rehearsal plays Metacontroller and an API server for one FlameCluster, in
// memory: it builds hook requests, takes the answers as applied, and lets workloads
// become ready. Tests, benchmarks and the walkthrough use it. It compares and
// merges nothing; test/e2e does that with the real programs.
package rehearsal

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/xflops/flame-operator/hook/canonical"
)

// Cluster is the FlameCluster that is rehearsed and all that exists because of it.
type Cluster struct {
	// Parent is the FlameCluster as JSON would have it.
	Parent map[string]any
	// HookVersion is "v1" or "v2" (the default): it decides how children are keyed.
	HookVersion string
	// Pods are sent as related objects; nil means that there is no customize hook.
	Pods map[string]any

	children map[string]map[string]map[string]any
	uids     int
}

// groups are the kinds that the CompositeController lists, as requests name them.
var groups = groupsOf(canonical.ChildKinds())

func groupsOf(kinds []canonical.ChildKind) map[string]string {
	named := map[string]string{}
	for _, k := range kinds {
		named[k.Kind] = k.Kind + "." + k.APIVersion
	}
	return named
}

// New returns a FlameCluster that was just created with that spec, which may be
// nil. Nothing exists yet.
func New(namespace, name string, spec any) *Cluster {
	parent := map[string]any{
		"apiVersion": "flame.xflops.io/v1alpha1",
		"kind":       "FlameCluster",
		"metadata": map[string]any{
			"name": name, "namespace": namespace, "generation": 1,
			"uid":               "7d0f0d5c-6a52-4a4c-9d0e-0d1a0d9f2a11",
			"resourceVersion":   "100",
			"creationTimestamp": "2026-01-01T00:00:00Z",
		},
	}
	if spec != nil {
		parent["spec"] = spec
	}
	return &Cluster{Parent: parent, children: map[string]map[string]map[string]any{}}
}

// Edit replaces the spec, as an apply would.
func (c *Cluster) Edit(spec any) {
	c.Parent["spec"] = spec
	metadata := c.metadata()
	metadata["generation"] = metadata["generation"].(int) + 1
}

// Annotate sets an annotation of the FlameCluster.
func (c *Cluster) Annotate(key, value string) {
	metadata := c.metadata()
	annotations, _ := metadata["annotations"].(map[string]any)
	if annotations == nil {
		annotations = map[string]any{}
		metadata["annotations"] = annotations
	}
	annotations[key] = value
}

func (c *Cluster) metadata() map[string]any { return c.Parent["metadata"].(map[string]any) }

// Request returns the body of the next hook call.
func (c *Cluster) Request() []byte {
	children := map[string]any{}
	for _, group := range groups {
		children[group] = map[string]any{}
	}
	for group, named := range c.children {
		keyed := map[string]any{}
		for name, object := range named {
			keyed[c.key(name)] = object
		}
		children[group] = keyed
	}
	related := map[string]any{}
	if c.Pods != nil {
		keyed := map[string]any{}
		for name, pod := range c.Pods {
			keyed[c.key(name)] = pod
		}
		related["Pod.v1"] = keyed
	}
	body, err := json.Marshal(map[string]any{
		"controller": map[string]any{"kind": "CompositeController", "apiVersion": "metacontroller.k8s.io/v1alpha1", "metadata": map[string]any{"name": "flame"}},
		"parent":     c.Parent, "children": children, "related": related, "finalizing": false,
	})
	if err != nil {
		panic(fmt.Sprintf("a rehearsed request is always valid JSON: %v", err))
	}
	return body
}

func (c *Cluster) key(name string) string {
	if c.HookVersion == "v1" {
		return name
	}
	return c.metadata()["namespace"].(string) + "/" + name
}

// Apply takes an answer as applied: what it lists exists afterwards, what it does
// not list is gone, and the status is replaced.
func (c *Cluster) Apply(answer []byte) error {
	var decoded struct {
		Status   map[string]any   `json:"status"`
		Children []map[string]any `json:"children"`
	}
	if err := json.Unmarshal(answer, &decoded); err != nil {
		return err
	}
	applied := map[string]map[string]map[string]any{}
	for _, child := range decoded.Children {
		kind, _ := child["kind"].(string)
		group, known := groups[kind]
		if !known {
			return fmt.Errorf("the answer has a child of kind %q", kind)
		}
		metadata := child["metadata"].(map[string]any)
		name := metadata["name"].(string)
		c.store(child, c.children[group][name])
		if applied[group] == nil {
			applied[group] = map[string]map[string]any{}
		}
		applied[group][name] = child
	}
	c.children = applied
	decoded.Status["observedGeneration"] = c.metadata()["generation"]
	c.Parent["status"] = decoded.Status
	return nil
}

// store adds to a child what the API server adds.
func (c *Cluster) store(child, previous map[string]any) {
	metadata := child["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	if labels == nil {
		labels = map[string]any{}
		metadata["labels"] = labels
	}
	labels["controller-uid"] = c.metadata()["uid"]
	metadata["creationTimestamp"] = "2026-01-01T00:00:01Z"
	metadata["ownerReferences"] = []any{map[string]any{
		"apiVersion": "flame.xflops.io/v1alpha1", "kind": "FlameCluster", "name": c.metadata()["name"], "uid": c.metadata()["uid"],
		"controller": true, "blockOwnerDeletion": true,
	}}
	if previous == nil {
		c.uids++
		metadata["uid"] = fmt.Sprintf("00000000-0000-4000-8000-%012d", c.uids)
		metadata["generation"] = 1
		return
	}
	old := previous["metadata"].(map[string]any)
	metadata["uid"], metadata["generation"] = old["uid"], old["generation"]
	if !sameJSON(previous["spec"], child["spec"]) {
		metadata["generation"] = old["generation"].(int) + 1
	}
	if status, found := previous["status"]; found {
		child["status"] = status
	}
}

// Ready lets every Deployment become what its spec asks for.
func (c *Cluster) Ready() {
	for _, name := range slices.Sorted(maps.Keys(c.children[groups["Deployment"]])) {
		c.SetDeployment(name, Available)
	}
}

// Available is a Deployment's status when everything is as its spec asks for.
func Available(replicas int) map[string]any {
	if replicas == 0 {
		return map[string]any{}
	}
	return map[string]any{
		"replicas": replicas, "updatedReplicas": replicas, "readyReplicas": replicas, "availableReplicas": replicas,
		"conditions": []any{
			map[string]any{"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable"},
			map[string]any{"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable"},
		},
	}
}

// SetDeployment gives a Deployment the status that a function makes of its wanted
// replicas. A Deployment that does not exist is left alone.
func (c *Cluster) SetDeployment(name string, status func(replicas int) map[string]any) {
	deployment := c.children[groups["Deployment"]][name]
	if deployment == nil {
		return
	}
	replicas, _ := deployment["spec"].(map[string]any)["replicas"].(float64)
	made := status(int(replicas))
	made["observedGeneration"] = deployment["metadata"].(map[string]any)["generation"]
	deployment["status"] = made
}

// Child returns an existing child, or nil.
func (c *Cluster) Child(kind, name string) map[string]any { return c.children[groups[kind]][name] }

// Delete removes a child, as a person with kubectl might.
func (c *Cluster) Delete(kind, name string) { delete(c.children[groups[kind]], name) }

// Status returns the FlameCluster's status as it was last answered.
func (c *Cluster) Status() map[string]any {
	status, _ := c.Parent["status"].(map[string]any)
	return status
}

func sameJSON(a, b any) bool {
	left, leftErr := json.Marshal(a)
	right, rightErr := json.Marshal(b)
	return leftErr == nil && rightErr == nil && string(left) == string(right)
}
