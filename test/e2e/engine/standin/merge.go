package standin

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
)

// merged is observed with the changes from applied to desired made to it: fields
// that were applied and are no longer desired are gone, desired ones are set, all
// others stay as observed.
func merged(observed, applied, desired map[string]any) map[string]any {
	return mergeMaps(runtime.DeepCopyJSON(observed), applied, desired)
}

func mergeMaps(observed, applied, desired map[string]any) map[string]any {
	for key := range applied {
		if _, still := desired[key]; !still {
			delete(observed, key)
		}
	}
	for key, value := range desired {
		observed[key] = mergeValues(observed[key], applied[key], value)
	}
	return observed
}

// mergeValues decides by the type of the observed value. A desired value of another
// type than an observed map or list counts as an empty one.
func mergeValues(observed, applied, desired any) any {
	switch o := observed.(type) {
	case map[string]any:
		a, _ := applied.(map[string]any)
		d, _ := desired.(map[string]any)
		return mergeMaps(o, a, d)
	case []any:
		a, _ := applied.([]any)
		d, _ := desired.([]any)
		if key := commonKey(o, a, d); key != "" {
			return mergeKeyed(key, o, a, d)
		}
		return d
	}
	return desired
}

// listKeys are the fields by which items of a list are told apart, the first one
// that all items have.
var listKeys = []string{"containerPort", "port", "mountPath", "name", "uid", "ip", "path"}

// commonKey returns the key for lists whose items are all objects that have it, or
// "" if the lists are not that kind.
func commonKey(lists ...[]any) string {
	var items []map[string]any
	for _, list := range lists {
		for _, item := range list {
			object, ok := item.(map[string]any)
			if !ok {
				return ""
			}
			items = append(items, object)
		}
	}
	if len(items) == 0 {
		return ""
	}
keys:
	for _, key := range listKeys {
		for _, item := range items {
			if _, has := item[key]; !has {
				continue keys
			}
		}
		return key
	}
	return ""
}

// mergeKeyed keeps observed items in their order and appends new ones.
func mergeKeyed(key string, observed, applied, desired []any) []any {
	result := mergeMaps(byKey(key, observed), byKey(key, applied), byKey(key, desired))
	list := make([]any, 0, len(result))
	added := map[string]bool{}
	for _, item := range observed {
		name := keyOf(key, item)
		if value, there := result[name]; there {
			list, added[name] = append(list, value), true
		}
	}
	for _, item := range desired {
		if name := keyOf(key, item); !added[name] {
			list, added[name] = append(list, result[name]), true
		}
	}
	return list
}

func byKey(key string, list []any) map[string]any {
	items := map[string]any{}
	for _, item := range list {
		items[keyOf(key, item)] = item
	}
	return items
}

func keyOf(key string, item any) string {
	object, _ := item.(map[string]any)
	return fmt.Sprint(object[key])
}
