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

var clusterName = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)

func validateName(name string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(name) > MaxNameLength {
		errs = append(errs, field.Invalid(path, secrecy.Shown(name), fmt.Sprintf(
			"must have at most %d characters, so that the names made from it are legal; create the cluster again with a shorter name", MaxNameLength)))
	}
	if !clusterName.MatchString(name) {
		errs = append(errs, field.Invalid(path, secrecy.Shown(name),
			"must start with a letter, end with a letter or digit, and have only a-z, 0-9 and - (a Service is named after it)"))
	}
	return errs
}

// validateObjectName accepts the empty string: the field is optional.
func validateObjectName(name string, path *field.Path) field.ErrorList {
	if name == "" || len(validation.IsDNS1123Subdomain(name)) == 0 {
		return nil
	}
	return field.ErrorList{field.Invalid(path, secrecy.Shown(name),
		"must be the name of an object: at most 253 of a-z, 0-9, - and ., with a letter or digit at both ends")}
}

func validateRequiredName(name string, path *field.Path, what string) field.ErrorList {
	if name == "" {
		return field.ErrorList{field.Required(path, "name "+what)}
	}
	return validateObjectName(name, path)
}

func validateImagePullSecrets(secrets []corev1.LocalObjectReference, path *field.Path) field.ErrorList {
	errs := validateCount(len(secrets), maxImagePullSecrets, path)
	seen := map[string]bool{}
	for i, secret := range secrets {
		namePath := path.Index(i).Child("name")
		errs = append(errs, validateRequiredName(secret.Name, namePath, "a Secret with registry credentials")...)
		if seen[secret.Name] {
			errs = append(errs, field.Duplicate(path.Index(i), secrecy.Shown(secret.Name)))
		}
		seen[secret.Name] = true
	}
	return errs
}

func validateCount(count, most int, path *field.Path) field.ErrorList {
	if count <= most {
		return nil
	}
	return field.ErrorList{field.TooMany(path, count, most)}
}

func atLeast[T int32 | int64](lowest T) string { return fmt.Sprintf("must be at least %d", lowest) }

func atMost[T int32 | int64](highest T) string { return fmt.Sprintf("must be at most %d", highest) }
