package v1alpha1

import (
	"regexp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

var (
	noBlanks       = regexp.MustCompile(`^\S+$`)
	printableASCII = regexp.MustCompile(`^[ -~]*$`)
)

// validateComponent checks what the three daemons have in common.
func validateComponent(component *ComponentSpec, path *field.Path) field.ErrorList {
	return slices.Concat(
		validateImage(component.Image, path, "image"),
		validateEnum(component.ImagePullPolicy, path, "imagePullPolicy", corev1.PullAlways, corev1.PullIfNotPresent, corev1.PullNever),
		validateResources(&component.Resources, path),
		validateEnv(component.Env, path, "env"),
		validateLogLevel(component.LogLevel, path, "logLevel"),
	)
}

func validateImage(image string, path *field.Path, name string) field.ErrorList {
	errs := validateLength(image, maxText, path, name)
	if image != "" && !noBlanks.MatchString(image) {
		errs = append(errs, field.Invalid(path.Child(name), secrecy.Shown(image), "must be an image reference without blanks"))
	}
	return errs
}

func validateLogLevel(level string, path *field.Path, name string) field.ErrorList {
	errs := validateLength(level, maxText, path, name)
	if !printableASCII.MatchString(level) {
		errs = append(errs, field.Invalid(path.Child(name), field.OmitValueType{}, `must be a filter such as "debug" or "info,flame_session_manager=debug", in printable ASCII`))
	}
	return errs
}
