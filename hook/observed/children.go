package observed

import (
	"encoding/json"
	"fmt"
)

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

// UnmarshalJSON reads the `children` of a request. Kinds that this package has no
// view of are skipped.
func (c *Children) UnmarshalJSON(data []byte) error {
	var groups map[string]json.RawMessage
	if err := json.Unmarshal(data, &groups); err != nil {
		return err
	}
	*c = Children{}
	for kind, raw := range groups {
		var err error
		switch kind {
		case "ConfigMap.v1":
			c.ConfigMaps, err = byName(raw, func(o *ConfigMap) string { return o.Metadata.Name })
		case "Deployment.apps/v1":
			c.Deployments, err = byName(raw, func(o *Deployment) string { return o.Metadata.Name })
		case "Service.v1":
			c.Services, err = byName(raw, objectName)
		case "PodDisruptionBudget.policy/v1":
			c.PodDisruptionBudgets, err = byName(raw, objectName)
		case "NetworkPolicy.networking.k8s.io/v1":
			c.NetworkPolicies, err = byName(raw, objectName)
		}
		if err != nil {
			return fmt.Errorf("children %s: %w", kind, err)
		}
	}
	return nil
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
	case "Service":
		return objectMeta(c.Services[name])
	case "PodDisruptionBudget":
		return objectMeta(c.PodDisruptionBudgets[name])
	case "NetworkPolicy":
		return objectMeta(c.NetworkPolicies[name])
	}
	return nil
}

func objectName(o *Object) string { return o.Metadata.Name }

func objectMeta(o *Object) *Meta {
	if o == nil {
		return nil
	}
	return &o.Metadata
}

func byName[T any](raw json.RawMessage, name func(*T) string) (map[string]*T, error) {
	var keyed map[string]*T
	if err := json.Unmarshal(raw, &keyed); err != nil {
		return nil, err
	}
	named := make(map[string]*T, len(keyed))
	for _, o := range keyed {
		if o != nil {
			named[name(o)] = o
		}
	}
	return named, nil
}
