package flameconf

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/internal/secrecy"
)

// originVersion marks, as the error's Origin, what another version may allow.
const originVersion = "flameVersion"

// IsUnsupportedByVersion tells whether the error came from what a Flame version
// can't do, in contrast to a value that is wrong with every version.
func IsUnsupportedByVersion(err *field.Error) bool {
	return err != nil && err.Origin == originVersion
}

// Check compares a defaulted spec with what its Flame version can do. Errors are
// what the version can't do and what would stop its daemons; warnings, sorted, are
// what it does differently without a word. A version that is unreadable or too old
// is one error, and what depends on the version is not judged then.
func Check(spec *v1alpha1.FlameClusterSpec) (field.ErrorList, []string) {
	var errs field.ErrorList
	var warnings []string
	path := field.NewPath("spec")

	d := &dialects[len(dialects)-1]
	flame := "Flame"
	v, err := parseVersion(spec.Version)
	switch {
	case err != nil:
		errs = append(errs, field.Invalid(path.Child("version"), secrecy.Shown(spec.Version), versionAdvice(spec.Version)))
	case v.LessThan(oldest):
		errs = append(errs, unsupported(path.Child("version"), spec.Version,
			fmt.Sprintf("Flame %s can't be run: it reads another configuration; the oldest version that works is %s", spec.Version, oldest)))
	default:
		d = dialectOf(v)
		flame = "Flame " + v.String()
		if newestRelease.LessThan(v) {
			warnings = append(warnings, fmt.Sprintf("spec.version: %s is later than %s, the newest release that is known here; it is treated like Flame's main branch of August 2026", v, newestRelease))
		}
		if v.BuildMetadata() != "" && usesDefaultImage(spec) {
			errs = append(errs, field.Invalid(path.Child("version"), secrecy.Shown(spec.Version), "build metadata can't be part of an image tag: set the image of each component, or leave out what follows the plus sign"))
		}
		capabilityErrs, capabilityWarnings := checkCapabilities(spec, d, flame)
		errs = append(errs, capabilityErrs...)
		warnings = append(warnings, capabilityWarnings...)
	}

	extraErrs, extraWarnings := checkExtraConfig(spec, d, flame)
	errs = append(errs, extraErrs...)
	warnings = append(warnings, extraWarnings...)
	slices.Sort(warnings)
	return errs, warnings
}

// checkCapabilities compares the typed fields with the table of versions.
func checkCapabilities(spec *v1alpha1.FlameClusterSpec, d *dialect, flame string) (field.ErrorList, []string) {
	var errs field.ErrorList
	var warnings []string
	path := field.NewPath("spec")
	sessionManager, executorManager := path.Child("sessionManager"), path.Child("executorManager")

	if shim := spec.ExecutorManager.Shim; shim != "" && !slices.Contains(d.shims, shim) {
		errs = append(errs, missing(executorManager.Child("shim"), flame, shim, d.shims, func(d *dialect) bool {
			return slices.Contains(d.shims, shim)
		}))
	}
	if storage := spec.SessionManager.Storage; storage != nil && storage.Type != "" && !slices.Contains(d.storages, storage.Type) {
		errs = append(errs, missing(sessionManager.Child("storage", "type"), flame, storage.Type, d.storages, func(d *dialect) bool {
			return slices.Contains(d.storages, storage.Type)
		}))
	}
	policy := spec.SessionManager.Policy
	if _, known := d.policies[policy]; policy != "" && !known {
		errs = append(errs, missing(sessionManager.Child("policy"), flame, policy, policiesOf(d), func(d *dialect) bool {
			_, known := d.policies[policy]
			return known
		}))
	}
	if policy == v1alpha1.PolicyFIFO {
		warnings = append(warnings, fmt.Sprintf("%s: %s has no policy of its own for fifo and gets %s, which serves sessions of equal priority in the order of their creation; a session that sets a priority still overtakes",
			sessionManager.Child("policy"), flame, quoted(d.policies[policy])))
	}
	if spec.ExecutorManager.MaxExecutors != nil && !d.maxExecutors {
		warnings = append(warnings, fmt.Sprintf("%s: %s accepts this limit, and it has no effect", executorManager.Child("maxExecutors"), flame))
	}
	return errs, warnings
}

// missing reports a value that the version does not have.
func missing[T ~string](path *field.Path, flame string, value T, working []T, has func(*dialect) bool) *field.Error {
	return unsupported(path, string(value), fmt.Sprintf("%s does not have it; values that work: %s; %s", flame, quoted(working), firstWith(dialects, has)))
}

func unsupported(path *field.Path, value, detail string) *field.Error {
	return &field.Error{Type: field.ErrorTypeNotSupported, Field: path.String(), BadValue: value, Detail: detail, Origin: originVersion}
}

func policiesOf(d *dialect) []v1alpha1.SchedulingPolicy {
	all := []v1alpha1.SchedulingPolicy{v1alpha1.PolicyPriority, v1alpha1.PolicyFIFO, v1alpha1.PolicyFair}
	return slices.DeleteFunc(all, func(policy v1alpha1.SchedulingPolicy) bool {
		_, known := d.policies[policy]
		return !known
	})
}

// versionAdvice says what to write in place of a version that can't be read.
func versionAdvice(text string) string {
	if text == "main" || text == "latest" || text == "master" {
		return fmt.Sprintf("is a branch or a tag and not a version: set the image of each component, and here the version that comes after %s", newestRelease)
	}
	return fmt.Sprintf("must be a semantic version such as %q; for another build set the image of each component, and here the version that it is closest to", newestRelease.String())
}

// usesDefaultImage tells whether a component runs the image that follows from the
// version.
func usesDefaultImage(spec *v1alpha1.FlameClusterSpec) bool {
	images := map[v1alpha1.Component]string{
		v1alpha1.ComponentSessionManager:  spec.SessionManager.Image,
		v1alpha1.ComponentExecutorManager: spec.ExecutorManager.Image,
	}
	if spec.CacheEnabled() {
		images[v1alpha1.ComponentObjectCache] = spec.ObjectCache.Image
	}
	for component, image := range images {
		if image == v1alpha1.DefaultImage(component, spec.Version) {
			return true
		}
	}
	return false
}
