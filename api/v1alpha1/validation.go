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

// Validate checks the spec of the FlameCluster called name as it was decoded,
// before defaults are set: all rules that hold whatever the Flame version. It
// returns every error at once, in the order of the fields. No error repeats a text
// that may carry credentials.
func Validate(name string, spec *FlameClusterSpec) field.ErrorList {
	path := field.NewPath("spec")
	return slices.Concat(
		validateName(name, field.NewPath("metadata", "name")),
		validateVersion(spec.Version, path.Child("version")),
		validateRange(spec.Replicas, 0, MaxReplicas, path.Child("replicas")),
		validateLength(spec.RestartedAt, maxShortText, path.Child("restartedAt")),
		validateImagePullSecrets(spec.ImagePullSecrets, path.Child("imagePullSecrets")),
		validateObjectName(spec.ServiceAccountName, path.Child("serviceAccountName")),
		validateEnum(spec.PodSecurity, path.Child("podSecurity"), PodSecurityRestricted, PodSecurityImageDefault),
		validateSessionManager(&spec.SessionManager, path.Child("sessionManager")),
		validateExternalName(name, &spec.SessionManager.Service, path.Child("sessionManager", "service")),
		validateExecutorManager(spec, path.Child("executorManager")),
		validateObjectCache(&spec.ObjectCache, path.Child("objectCache")),
		validateTLS(spec.TLS, path.Child("tls")),
		validateNetworkPolicy(spec.NetworkPolicy, path.Child("networkPolicy")),
	)
}

// validateEnum accepts the empty string: it is the same as leaving the field out.
func validateEnum[T ~string](value T, path *field.Path, allowed ...T) field.ErrorList {
	if value == "" || slices.Contains(allowed, value) {
		return nil
	}
	return field.ErrorList{field.NotSupported(path, T(secrecy.Shown(string(value))), allowed)}
}

func validateRange[T int32 | int64](value *T, lowest, highest T, path *field.Path) field.ErrorList {
	switch {
	case value == nil || lowest <= *value && *value <= highest:
		return nil
	case *value < lowest:
		return field.ErrorList{field.Invalid(path, *value, atLeast(lowest))}
	}
	return field.ErrorList{field.Invalid(path, *value, atMost(highest))}
}

// validateLength counts characters, as the API server does for maxLength.
func validateLength(text string, longest int, path *field.Path) field.ErrorList {
	if utf8.RuneCountInString(text) <= longest {
		return nil
	}
	return field.ErrorList{field.TooLongCharacters(path, "", longest)}
}
