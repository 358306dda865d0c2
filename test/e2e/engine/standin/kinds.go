package standin

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
)

// kind is a kind of object that the API server serves.
type kind struct {
	schema.GroupVersionKind
	resource   schema.GroupVersionResource
	namespaced bool
	hasStatus  bool
}

// client returns the client for objects of the kind in that namespace.
func (k *kind) client(d dynamic.Interface, namespace string) dynamic.ResourceInterface {
	if k.namespaced {
		return d.Resource(k.resource).Namespace(namespace)
	}
	return d.Resource(k.resource)
}

// kinds looks up what the API server serves, and remembers it.
type kinds struct {
	client discovery.DiscoveryInterface

	mu    sync.Mutex
	known map[string][]kind
}

func newKinds(client discovery.DiscoveryInterface) *kinds {
	return &kinds{client: client, known: map[string][]kind{}}
}

func (k *kinds) byResource(apiVersion, resource string) (*kind, error) {
	return k.find(apiVersion, resource, func(candidate kind) bool { return candidate.resource.Resource == resource })
}

func (k *kinds) byKind(apiVersion, name string) (*kind, error) {
	return k.find(apiVersion, name, func(candidate kind) bool { return candidate.Kind == name })
}

func (k *kinds) find(apiVersion, what string, is func(kind) bool) (*kind, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if i := slices.IndexFunc(k.known[apiVersion], is); i >= 0 {
		return &k.known[apiVersion][i], nil
	}
	served, err := k.client.ServerResourcesForGroupVersion(apiVersion)
	if err != nil {
		return nil, fmt.Errorf("discovery of %s: %w", apiVersion, err)
	}
	groupVersion, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return nil, err
	}
	var found []kind
	for _, r := range served.APIResources {
		if strings.Contains(r.Name, "/") {
			continue
		}
		hasStatus := slices.ContainsFunc(served.APIResources, func(s metav1.APIResource) bool { return s.Name == r.Name+"/status" })
		found = append(found, kind{groupVersion.WithKind(r.Kind), groupVersion.WithResource(r.Name), r.Namespaced, hasStatus})
	}
	k.known[apiVersion] = found
	if i := slices.IndexFunc(found, is); i >= 0 {
		return &found[i], nil
	}
	return nil, fmt.Errorf("can't find %s in apiVersion %s", what, apiVersion)
}
