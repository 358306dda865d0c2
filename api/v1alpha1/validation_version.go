package v1alpha1

import (
	"regexp"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// OldestVersion is the first Flame release whose configuration is known here.
// Older ones are refused by what knows the versions, package flameconf.
const OldestVersion = "0.6.0"

// semanticVersion is a version of semver.org whose numbers have at most nine
// digits, with or without a leading v.
var semanticVersion = regexp.MustCompile(`^v?(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})` +
	`(-(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*)?` +
	`(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$`)

func validateVersion(text string, path *field.Path, name string) field.ErrorList {
	if text == "" {
		return nil
	}
	errs := validateLength(text, maxVersionLength, path, name)
	if !semanticVersion.MatchString(text) {
		errs = append(errs, field.Invalid(path.Child(name), secrecy.Shown(text),
			`must be a semantic version such as "0.6.0"; for a build from a branch set the images, and here the version that will come next`))
	}
	return errs
}
