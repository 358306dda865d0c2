package v1alpha1

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// MaxExternalNameLength is the longest name of a FlameCluster whose session manager
// has an external Service: with "-session-manager-external" it makes the 63
// characters that the name of a Service may have.
const MaxExternalNameLength = 38

// validateExternalName refuses an external Service whose name would be too long. It
// is an error of the type: the name of an object can't be changed.
func validateExternalName(name string, service *ServiceSpec, path *field.Path) field.ErrorList {
	if !service.External() || len(name) <= MaxExternalNameLength {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("service", "type"), string(service.Type), fmt.Sprintf(
		"needs a FlameCluster whose name has at most %d characters: the Service's name is made from it; use a Service of your own, or create the cluster again with a shorter name", MaxExternalNameLength))}
}
