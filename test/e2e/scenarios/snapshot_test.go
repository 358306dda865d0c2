package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/stretchr/testify/require"
)

// childResources are the kinds of our children.
var childResources = []schema.GroupVersionResource{configMaps, services, deployments, budgets, policies}

// snapshotKinds are the kinds of our children, and pods.
var snapshotKinds = []struct {
	name     string
	resource schema.GroupVersionResource
}{
	{"ConfigMap", configMaps}, {"Service", services}, {"Deployment", deployments},
	{"PodDisruptionBudget", budgets}, {"NetworkPolicy", policies}, {"Pod", schema.GroupVersionResource{Version: "v1", Resource: "pods"}},
}

// children returns the objects with the cluster's label, by kind and name.
func (c *flameCluster) children() map[string]*unstructured.Unstructured {
	found := map[string]*unstructured.Unstructured{}
	for _, resource := range childResources {
		list, err := bed.dynamic.Resource(resource).Namespace(c.namespace).List(bed.ctx, metav1.ListOptions{LabelSelector: "flame.xflops.io/cluster=" + c.name})
		if err != nil {
			c.t.Errorf("list %s: %v", resource.Resource, err)
			continue
		}
		for i := range list.Items {
			found[list.Items[i].GetKind()+"/"+list.Items[i].GetName()] = &list.Items[i]
		}
	}
	return found
}

// version is what tells whether an object was written, changed or replaced.
type version struct {
	uid, resourceVersion string
	generation           int64
}

// snapshot is the version of the FlameCluster, its children and its pods.
type snapshot map[string]version

func (c *flameCluster) snapshot() snapshot {
	c.t.Helper()
	s := snapshot{}
	add := func(key string, o metav1.Object) {
		s[key] = version{string(o.GetUID()), o.GetResourceVersion(), o.GetGeneration()}
	}
	if object, err := c.get(); err == nil {
		add("FlameCluster/"+c.name, object)
	}
	for _, kind := range snapshotKinds {
		list, err := bed.metadata.Resource(kind.resource).Namespace(c.namespace).List(bed.ctx, metav1.ListOptions{LabelSelector: "flame.xflops.io/cluster=" + c.name})
		if err != nil {
			c.t.Errorf("list %s: %v", kind.resource.Resource, err)
			continue
		}
		for i := range list.Items {
			add(kind.name+"/"+list.Items[i].Name, &list.Items[i])
		}
	}
	return s
}

// since lists, in words, how s differs from an earlier snapshot. Objects whose key
// starts with one of ignored are left out.
func (s snapshot) since(before snapshot, ignored ...string) []string {
	all := maps.Clone(before)
	maps.Copy(all, s)
	var changes []string
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if slices.ContainsFunc(ignored, func(prefix string) bool { return strings.HasPrefix(key, prefix) }) {
			continue
		}
		old, was := before[key]
		current, is := s[key]
		switch {
		case !was:
			changes = append(changes, "created "+key)
		case !is:
			changes = append(changes, "deleted "+key)
		case old.uid != current.uid:
			changes = append(changes, "replaced "+key)
		case old.resourceVersion != current.resourceVersion:
			changes = append(changes, fmt.Sprintf("wrote %s (generation %d, was %d)", key, current.generation, old.generation))
		}
	}
	return changes
}

// waitSettled waits until nothing has been written for two seconds.
func (c *flameCluster) waitSettled() snapshot {
	c.t.Helper()
	last, since := c.snapshot(), time.Now()
	eventually(c.t, "two seconds without a write", func() error {
		now := c.snapshot()
		if changes := now.since(last); len(changes) > 0 {
			last, since = now, time.Now()
			time.Sleep(400 * time.Millisecond)
			return fmt.Errorf("%s", strings.Join(changes, ", "))
		}
		if time.Since(since) < 2*time.Second {
			time.Sleep(400 * time.Millisecond)
			return fmt.Errorf("not long enough")
		}
		return nil
	})
	return last
}

// requireSame fails if anything was written since before.
func (c *flameCluster) requireSame(before snapshot, ignored ...string) {
	c.t.Helper()
	require.Empty(c.t, c.snapshot().since(before, ignored...), "objects that were written")
}
