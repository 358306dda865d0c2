package v1alpha1

import (
	"fmt"
	"regexp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// MaxNameLength is the longest name of a FlameCluster, in characters: with the
// longest suffix ("-executor-manager", 17) every child's name is still a DNS label
// of at most 63. Nothing is ever cut or hashed.
const MaxNameLength = 46

var (
	clusterName     = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)
	clusterNamePath = field.NewPath("metadata", "name")
)

func validateName(name string) field.ErrorList {
	var errs field.ErrorList
	if len(name) > MaxNameLength {
		errs = append(errs, field.Invalid(clusterNamePath, secrecy.Shown(name), fmt.Sprintf(
			"must have at most %d characters, so that the names made from it are legal; create the cluster again with a shorter name", MaxNameLength)))
	}
	if !clusterName.MatchString(name) {
		errs = append(errs, field.Invalid(clusterNamePath, secrecy.Shown(name),
			"must start with a letter, end with a letter or digit, and have only a-z, 0-9 and - (a Service is named after it)"))
	}
	return errs
}

// validateObjectName accepts the empty string: the field is optional.
func validateObjectName(value string, path *field.Path, name string) field.ErrorList {
	if value == "" || len(validation.IsDNS1123Subdomain(value)) == 0 {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child(name), secrecy.Shown(value),
		"must be the name of an object: at most 253 of a-z, 0-9, - and ., with a letter or digit at both ends")}
}

func validateRequiredName(value string, path *field.Path, name, what string) field.ErrorList {
	if value == "" {
		return field.ErrorList{field.Required(path.Child(name), "name "+what)}
	}
	return validateObjectName(value, path, name)
}

func validateImagePullSecrets(secrets []corev1.LocalObjectReference, path *field.Path, name string) field.ErrorList {
	errs := validateCount(len(secrets), maxImagePullSecrets, path, name)
	seen := make(map[string]bool, len(secrets))
	for i, secret := range secrets {
		item := path.Child(name).Index(i)
		errs = append(errs, validateRequiredName(secret.Name, item, "name", "a Secret with registry credentials")...)
		if seen[secret.Name] {
			errs = append(errs, field.Duplicate(item, secrecy.Shown(secret.Name)))
		}
		seen[secret.Name] = true
	}
	return errs
}

func validateCount(count, most int, path *field.Path, name string) field.ErrorList {
	if count <= most {
		return nil
	}
	return field.ErrorList{field.TooMany(path.Child(name), count, most)}
}

func atLeast[T int32 | int64](lowest T) string { return fmt.Sprintf("must be at least %d", lowest) }

func atMost[T int32 | int64](highest T) string { return fmt.Sprintf("must be at most %d", highest) }
