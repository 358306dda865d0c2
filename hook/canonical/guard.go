package canonical

import (
	"fmt"
	"maps"
	"slices"
)

// Check refuses children that would make Metacontroller do harm: crash on a null,
// delete or forget objects, abort the whole sync. Its errors name the object and
// contain no values from it.
func Check(namespace string, children []Object) error {
	if children == nil {
		return fmt.Errorf("the answer has no children: everything that exists would be deleted")
	}
	seen := make(map[string]bool, len(children))
	for i, child := range children {
		if child.tree == nil {
			return fmt.Errorf("children[%d] is null", i)
		}
		identity := child.APIVersion + " " + child.Kind + " " + child.Name
		if err := checkObject(namespace, child); err != nil {
			return fmt.Errorf("children[%d] (%s): %w", i, identity, err)
		}
		if seen[identity] {
			return fmt.Errorf("children[%d] (%s) is there twice", i, identity)
		}
		seen[identity] = true
	}
	return nil
}

func checkObject(namespace string, child Object) error {
	if !isChildKind(child.APIVersion, child.Kind) {
		return fmt.Errorf("the CompositeController does not list this kind")
	}
	metadata, ok := child.tree["metadata"].(map[string]any)
	if !ok || child.Name == "" {
		return fmt.Errorf("it has no name")
	}
	if child.Namespace != namespace {
		return fmt.Errorf("its namespace is not the FlameCluster's")
	}
	for _, key := range []string{"generateName", "ownerReferences", "uid", "resourceVersion", "managedFields"} {
		if _, found := metadata[key]; found {
			return fmt.Errorf("metadata.%s belongs to the API server or to Metacontroller", key)
		}
	}
	for _, key := range []string{"labels", "annotations"} {
		if err := checkStrings(metadata, key); err != nil {
			return err
		}
	}
	labels, _ := metadata["labels"].(map[string]any)
	if _, found := labels["controller-uid"]; found {
		return fmt.Errorf("the label controller-uid belongs to Metacontroller")
	}
	annotations, _ := metadata["annotations"].(map[string]any)
	if _, found := annotations["metacontroller.k8s.io/last-applied-configuration"]; found {
		return fmt.Errorf("the last-applied annotation belongs to Metacontroller")
	}
	return checkNoNull(child.tree, "")
}

func checkStrings(metadata map[string]any, key string) error {
	member, found := metadata[key]
	if !found {
		return nil
	}
	entries, ok := member.(map[string]any)
	if !ok {
		return fmt.Errorf("metadata.%s is not a map", key)
	}
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		if _, ok := entries[name].(string); !ok {
			return fmt.Errorf("metadata.%s[%s] is not a string", key, name)
		}
	}
	return nil
}

func checkNoNull(v any, path string) error {
	switch v := v.(type) {
	case nil:
		return fmt.Errorf("%s is null", path)
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if err := checkNoNull(v[key], path+"."+key); err != nil {
				return err
			}
		}
	case []any:
		for i, element := range v {
			if err := checkNoNull(element, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	}
	return nil
}
