package v1alpha1

import (
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
	errs := validateEnum(service.Type, path.Child("type"), corev1.ServiceTypeClusterIP, corev1.ServiceTypeNodePort, corev1.ServiceTypeLoadBalancer)
	errs = append(errs, validateServiceMetadata(service.Annotations, path.Child("annotations"))...)
	errs = append(errs, validateServiceMetadata(service.Labels, path.Child("labels"))...)
	for _, key := range sortedKeys(service.Labels) {
		if ownLabels[key] {
			errs = append(errs, field.Forbidden(path.Child("labels").Key(key), "belongs to the controller; use another key"))
		}
		if len(validation.IsValidLabelValue(service.Labels[key])) > 0 {
			errs = append(errs, field.Invalid(path.Child("labels").Key(key), secrecy.Shown(service.Labels[key]),
				"must be a label's value: at most 63 letters, digits, -, _ and ., with a letter or digit at both ends"))
		}
	}
	return append(errs, validateRange(service.Port, minPort, maxPort, path.Child("port"))...)
}

// ownLabels are set on every Service, so a value from the spec would be dropped.
var ownLabels = map[string]bool{
	"app.kubernetes.io/name":       true,
	"app.kubernetes.io/instance":   true,
	"app.kubernetes.io/component":  true,
	"app.kubernetes.io/managed-by": true,
}

func validateServiceMetadata(entries map[string]string, path *field.Path) field.ErrorList {
	errs := validateCount(len(entries), maxServiceMetadata, path)
	for _, key := range sortedKeys(entries) {
		errs = append(errs, validateMetadataKey(key, path)...)
	}
	return errs
}

func validateMetadataKey(key string, path *field.Path) field.ErrorList {
	if len(validation.IsQualifiedName(strings.ToLower(key))) > 0 {
		return field.ErrorList{field.Invalid(path, secrecy.Shown(key),
			`must be a key such as "team" or "example.com/team": letters, digits, -, _ and ., at most 63 after the prefix`)}
	}
	if reservedKey(key) {
		return field.ErrorList{field.Forbidden(path.Key(key), "belongs to the controller; use another key")}
	}
	return nil
}

// reservedKey is true for labels and annotations that this controller or
// Metacontroller sets and reads.
func reservedKey(key string) bool {
	prefix, _, prefixed := strings.Cut(key, "/")
	return prefixed && (prefix == Group || prefix == "metacontroller.k8s.io") || key == "controller-uid"
}
