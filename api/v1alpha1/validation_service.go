package v1alpha1

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// Flame takes the default port of a scheme for no port at all, and opens its
// backend at port + 1; so the lowest port without privileges, and one less than
// the highest, are the bounds.
const (
	minPort int32 = 1024
	maxPort int32 = 65534
)

func validateService(service *ServiceSpec, path *field.Path) field.ErrorList {
	path = path.Child("service")
	return slices.Concat(
		validateEnum(service.Type, path, "type", corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort, corev1.ServiceTypeLoadBalancer),
		validateServiceMetadata(service.Annotations, path, "annotations"),
		validateServiceMetadata(service.Labels, path, "labels"),
		validateServiceLabels(service.Labels, path, "labels"),
		validateRange(service.Port, minPort, maxPort, path, "port"),
	)
}

func validateServiceLabels(labels map[string]string, path *field.Path, name string) field.ErrorList {
	var errs field.ErrorList
	for _, key := range sortedKeys(labels) {
		if ownLabels[key] {
			errs = append(errs, field.Forbidden(path.Child(name).Key(key), "belongs to the controller; use another key"))
		}
		if len(validation.IsValidLabelValue(labels[key])) > 0 {
			errs = append(errs, field.Invalid(path.Child(name).Key(secrecy.Shown(key)), secrecy.Shown(labels[key]),
				"must be a label's value: at most 63 letters, digits, -, _ and ., with a letter or digit at both ends"))
		}
	}
	return errs
}

// ownLabels are set on every Service, so a value from the spec would be dropped.
var ownLabels = map[string]bool{
	"app.kubernetes.io/name":       true,
	"app.kubernetes.io/instance":   true,
	"app.kubernetes.io/component":  true,
	"app.kubernetes.io/managed-by": true,
}

func validateServiceMetadata(entries map[string]string, path *field.Path, name string) field.ErrorList {
	errs := validateCount(len(entries), maxServiceMetadata, path, name)
	for _, key := range sortedKeys(entries) {
		if len(validation.IsQualifiedName(strings.ToLower(key))) > 0 {
			errs = append(errs, field.Invalid(path.Child(name), secrecy.Shown(key),
				`must be a key such as "team" or "example.com/team": letters, digits, -, _ and ., at most 63 after the prefix`))
			continue
		}
		if ReservedKey(key) {
			errs = append(errs, field.Forbidden(path.Child(name).Key(key), "belongs to the controller; use another key"))
		}
	}
	return errs
}

// ReservedKey says whether a label or annotation belongs to this controller or to
// Metacontroller, so that users can't set it.
func ReservedKey(key string) bool {
	prefix, _, prefixed := strings.Cut(key, "/")
	return prefixed && (prefix == Group || prefix == "metacontroller.k8s.io") || key == "controller-uid"
}
