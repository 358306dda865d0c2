package v1alpha1

import (
	"regexp"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
)

// OldestVersion is the first Flame release whose configuration is known here.
const OldestVersion = "0.6.0"

// semanticVersion is a version of semver.org without build metadata, since the
// version becomes an image tag and "+" is not legal there. Numbers have at most
// nine digits.
var semanticVersion = regexp.MustCompile(`^v?(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})` +
	`(-(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*)?$`)

func validateVersion(text string, path *field.Path) field.ErrorList {
	if text == "" {
		return nil
	}
	errs := validateLength(text, maxVersionLength, path)
	if !semanticVersion.MatchString(text) {
		return append(errs, field.Invalid(path, shown(text),
			`must be a semantic version such as "0.6.0"; for a build from a branch set the images, and here the version that will come next`))
	}
	parsed, err := version.ParseSemantic(text)
	if err != nil || parsed.LessThan(version.MustParseSemantic(OldestVersion)) {
		errs = append(errs, field.Invalid(path, shown(text), "must be "+OldestVersion+" or later: the configuration of older versions is not known"))
	}
	return errs
}
