package v1alpha1

import (
	"slices"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// Bounds that the schema in the CRD has too. The API server estimates the cost of
// a rule from them.
const (
	// MaxQuantityLength is the longest text of a quantity, in characters.
	MaxQuantityLength = 32
	maxDurationLength = 64
	// MaxReplicas is the highest number of executor managers.
	MaxReplicas = 10000
	// MaxCacheReplicas is the highest number of object caches.
	MaxCacheReplicas = 100

	maxEnv              = 128
	maxImagePullSecrets = 32
	maxPeers            = 32
	maxResources        = 16
	maxServiceMetadata  = 64
	maxText             = 1024
	maxShortText        = 256
	maxVersionLength    = 64
	maxObjectNameLength = 253
)

// The paths of the blocks that most errors are in. A path never changes, so these are
// shared; one below them is made for an error only, since nearly every spec has none.
var (
	specPath            = field.NewPath("spec")
	sessionManagerPath  = specPath.Child("sessionManager")
	executorManagerPath = specPath.Child("executorManager")
	objectCachePath     = specPath.Child("objectCache")
)

// Validate checks the spec of the FlameCluster called name as it was decoded,
// before defaults are set: all rules that hold whatever the Flame version. It
// returns every error at once, in the order of the fields. No error repeats a text
// that may carry credentials.
func Validate(name string, spec *FlameClusterSpec) field.ErrorList {
	return slices.Concat(
		validateName(name),
		validateVersion(spec.Version, specPath, "version"),
		validateRange(spec.Replicas, 0, MaxReplicas, specPath, "replicas"),
		validateLength(spec.RestartedAt, maxShortText, specPath, "restartedAt"),
		validateImagePullSecrets(spec.ImagePullSecrets, specPath, "imagePullSecrets"),
		validateObjectName(spec.ServiceAccountName, specPath, "serviceAccountName"),
		validateEnum(spec.PodSecurity, specPath, "podSecurity", PodSecurityRestricted, PodSecurityImageDefault),
		validateSessionManager(&spec.SessionManager, sessionManagerPath),
		validateExternalName(name, &spec.SessionManager.Service, sessionManagerPath),
		validateExecutorManager(spec, executorManagerPath),
		validateObjectCache(&spec.ObjectCache, objectCachePath),
		validateTLS(spec.TLS, specPath),
		validateNetworkPolicy(spec.NetworkPolicy, specPath),
	)
}

// validateEnum accepts the empty string: it is the same as leaving the field out. As in
// all of these, the value is that of the field name below path.
func validateEnum[T ~string](value T, path *field.Path, name string, allowed ...T) field.ErrorList {
	if value == "" || slices.Contains(allowed, value) {
		return nil
	}
	return field.ErrorList{field.NotSupported(path.Child(name), T(secrecy.Shown(string(value))), allowed)}
}

func validateRange[T int32 | int64](value *T, lowest, highest T, path *field.Path, name string) field.ErrorList {
	switch {
	case value == nil || lowest <= *value && *value <= highest:
		return nil
	case *value < lowest:
		return field.ErrorList{field.Invalid(path.Child(name), *value, atLeast(lowest))}
	}
	return field.ErrorList{field.Invalid(path.Child(name), *value, atMost(highest))}
}

// validateLength counts characters, as the API server does for maxLength.
func validateLength(text string, longest int, path *field.Path, name string) field.ErrorList {
	if utf8.RuneCountInString(text) <= longest {
		return nil
	}
	return field.ErrorList{field.TooLongCharacters(path.Child(name), "", longest)}
}
