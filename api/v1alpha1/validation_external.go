package v1alpha1

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// MaxExternalNameLength is the longest name of a FlameCluster whose session manager
// has an external Service: with "-session-manager-external" it makes the 63
// characters that the name of a Service may have.
const MaxExternalNameLength = 38

// validateExternalName refuses an external Service whose name would be too long. It
// is an error of the type: the name of an object can't be changed.
func validateExternalName(name string, service corev1.ServiceType, path *field.Path) field.ErrorList {
	if !reachesOutside(service) || len(name) <= MaxExternalNameLength {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("service", "type"), string(service), fmt.Sprintf(
		"needs a FlameCluster whose name has at most %d characters: the Service's name is made from it; use a Service of your own, or create the cluster again with a shorter name", MaxExternalNameLength))}
}

func reachesOutside(service corev1.ServiceType) bool {
	return service == corev1.ServiceTypeNodePort || service == corev1.ServiceTypeLoadBalancer
}
