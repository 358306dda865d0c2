package standin

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// objectMap holds objects by kind and by namespace/name, or name alone for objects
// without a namespace.
type objectMap map[schema.GroupVersionKind]map[string]*unstructured.Unstructured

func objectKey(object *unstructured.Unstructured) string {
	if namespace := object.GetNamespace(); namespace != "" {
		return namespace + "/" + object.GetName()
	}
	return object.GetName()
}

// group makes sure that the kind is there, be it without objects.
func (m objectMap) group(kind schema.GroupVersionKind) map[string]*unstructured.Unstructured {
	if m[kind] == nil {
		m[kind] = map[string]*unstructured.Unstructured{}
	}
	return m[kind]
}

// insert adds an object. One of the same identity is replaced.
func (m objectMap) insert(object *unstructured.Unstructured) {
	m.group(object.GroupVersionKind())[objectKey(object)] = object
}

// wire is the form in which a hook of that version gets the objects: with keys
// Kind.group/version, and below it the keys of objectMap in version 2. In version 1
// the keys are names, and only objects in the parent's namespace are there.
func (m objectMap) wire(v2 bool, parentNamespace string) map[string]map[string]*unstructured.Unstructured {
	all := map[string]map[string]*unstructured.Unstructured{}
	for gvk, objects := range m {
		group := map[string]*unstructured.Unstructured{}
		for key, object := range objects {
			switch {
			case v2:
				group[key] = object
			case object.GetNamespace() == parentNamespace:
				group[object.GetName()] = object
			}
		}
		all[gvk.Kind+"."+gvk.GroupVersion().String()] = group
	}
	return all
}
