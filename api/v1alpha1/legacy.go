package v1alpha1

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// translateLegacy rewrites the string forms of the API's first release inside a
// decoded spec, in place, and says in a warning what each has become. A string
// that can't be translated is an error and is taken out.
func translateLegacy(spec map[string]any, path *field.Path) (warnings []string, errs field.ErrorList) {
	if manager, ok := spec["sessionManager"].(map[string]any); ok {
		managerPath := path.Child("sessionManager")
		if text, ok := manager["slot"].(string); ok {
			slot, err := TranslateLegacySlot(text, managerPath.Child("slot"))
			if err != nil {
				errs = append(errs, err)
				delete(manager, "slot")
			} else {
				manager["slot"] = slot
				warnings = append(warnings, deprecated(managerPath.Child("slot"),
					fmt.Sprintf("the string form is deprecated: write %s", slotFlow(slot))))
			}
		}
		if text, ok := manager["storage"].(string); ok {
			storage, note, err := TranslateLegacyStorage(text, managerPath.Child("storage"))
			if err != nil {
				errs = append(errs, err)
				delete(manager, "storage")
			} else {
				manager["storage"] = storage
				warnings = append(warnings, deprecated(managerPath.Child("storage"),
					"the string form is deprecated: write "+storageFlow(storage)+note))
			}
		}
	}
	if manager, ok := spec["executorManager"].(map[string]any); ok && manager["replicas"] != nil {
		warnings = append(warnings, deprecated(path.Child("executorManager", "replicas"),
			"deprecated: move it to spec.replicas; until then it wins, and `kubectl scale` has no effect"))
	}
	if cache, ok := spec["objectCache"].(map[string]any); ok {
		if text, ok := cache["storage"].(string); ok && text != "" {
			warnings = append(warnings, deprecated(path.Child("objectCache", "storage"),
				"deprecated: write volumeSource: {emptyDir: {}}, which is what it stands for: a path was never outside of the container"))
		}
	}
	return warnings, errs
}

func deprecated(path *field.Path, message string) string {
	return path.String() + ": " + message
}
