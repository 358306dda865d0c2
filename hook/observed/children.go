package observed

import "github.com/xflops/flame-operator/hook/internal/jsonread"

// Children are the observed children by kind and then by name. Metacontroller
// only sends children of the parent's namespace, and its keys differ between hook
// v1 and v2, so the key here is the object's own metadata.name.
type Children struct {
	ConfigMaps           map[string]*ConfigMap
	Deployments          map[string]*Deployment
	Services             map[string]*Object
	PodDisruptionBudgets map[string]*Object
	NetworkPolicies      map[string]*Object
}

// Read reads the `children` of a request. Kinds that this package has no view of are
// skipped.
func (c *Children) Read(r *jsonread.Reader) {
	*c = Children{}
	for kind := range r.Members() {
		switch kind {
		case "ConfigMap.v1":
			c.ConfigMaps = readByName[ConfigMap](r)
		case "Deployment.apps/v1":
			c.Deployments = readByName[Deployment](r)
		case "Service.v1":
			c.Services = readByName[Object](r)
		case "PodDisruptionBudget.policy/v1":
			c.PodDisruptionBudgets = readByName[Object](r)
		case "NetworkPolicy.networking.k8s.io/v1":
			c.NetworkPolicies = readByName[Object](r)
		}
	}
}

// UnmarshalJSON is Read for encoding/json.
func (c *Children) UnmarshalJSON(data []byte) error {
	r := jsonread.New(string(data))
	c.Read(r)
	return r.End()
}

// Len is the number of observed children.
func (c *Children) Len() int {
	return len(c.ConfigMaps) + len(c.Deployments) + len(c.Services) + len(c.PodDisruptionBudgets) + len(c.NetworkPolicies)
}

// Find returns the metadata of the child of that kind and name, or nil.
func (c *Children) Find(kind, name string) *Meta {
	switch kind {
	case "ConfigMap":
		if o := c.ConfigMaps[name]; o != nil {
			return &o.Metadata
		}
	case "Deployment":
		if o := c.Deployments[name]; o != nil {
			return &o.Metadata
		}
	}
	if o := c.Object(kind, name); o != nil {
		return &o.Metadata
	}
	return nil
}

// Object returns the child of that kind and name, or nil. Kinds that have a view of their
// own have none of this kind.
func (c *Children) Object(kind, name string) *Object {
	switch kind {
	case "Service":
		return c.Services[name]
	case "PodDisruptionBudget":
		return c.PodDisruptionBudgets[name]
	case "NetworkPolicy":
		return c.NetworkPolicies[name]
	}
	return nil
}

// child is a view of a child.
type child[T any] interface {
	view[T]
	meta() *Meta
}

func readByName[T any, C child[T]](r *jsonread.Reader) map[string]*T {
	named := map[string]*T{}
	for range r.Members() {
		if r.Null() {
			continue
		}
		object := C(new(T))
		object.read(r)
		named[object.meta().Name] = object
	}
	return named
}
