package v1alpha1

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// reservedEnv are the variables that can't be set, and what to do instead. Flame's
// daemons read them all, or set them for their tasks; see the CRD's rule on env,
// which has the same list.
var reservedEnv = map[string]string{
	"RUST_LOG":                    "set by the controller: use logLevel",
	"FLAME_HOME":                  "set by the controller: the volumes are mounted below it",
	"HOME":                        "set by the controller: it is a writable volume",
	"FLAME_TEST_DIR":              "would move the events off the volume: use sessionManager.volumeSource",
	"FLAME_CACHE_STORAGE":         "would move the objects off the volume, and tasks to local storage: use objectCache.volumeSource",
	"FLAME_CACHE_EVICTION_POLICY": "use objectCache.eviction.policy",
	"FLAME_CACHE_MAX_MEMORY":      "use objectCache.eviction.maxMemory",
	"FLAME_CACHE_MAX_OBJECTS":     "use objectCache.eviction.maxObjects",
	"FLAME_INSTANCE_ENDPOINT":     "Flame sets it for each task",
	"FLAME_ENDPOINT":              "Flame sets it for each task",
	"FLAME_LOG":                   "Flame sets it for each task: use logLevel",
}

// ReservedEnv says whether a variable of a daemon's environment can't be set by users,
// and what to do instead.
func ReservedEnv(name string) (advice string, reserved bool) {
	advice, reserved = reservedEnv[name]
	return advice, reserved
}

func validateEnv(env []corev1.EnvVar, path *field.Path, name string) field.ErrorList {
	errs := validateCount(len(env), maxEnv, path, name)
	seen := make(map[string]bool, len(env))
	for i, variable := range env {
		item := path.Child(name).Index(i)
		errs = append(errs, validateEnvName(variable.Name, item)...)
		if seen[variable.Name] {
			errs = append(errs, field.Duplicate(item, secrecy.Shown(variable.Name)))
		}
		seen[variable.Name] = true
		if variable.ValueFrom != nil {
			errs = append(errs, validateEnvSource(variable, item)...)
		}
	}
	return errs
}

func validateEnvName(name string, path *field.Path) field.ErrorList {
	if advice, reserved := ReservedEnv(name); reserved {
		return field.ErrorList{field.Forbidden(path.Child("name"), name+" can't be set: "+advice)}
	}
	errs := validateLength(name, maxObjectNameLength, path, "name")
	if len(validation.IsEnvVarName(name)) > 0 {
		errs = append(errs, field.Invalid(path.Child("name"), secrecy.Shown(name), `must be a variable's name: letters, digits, _, - and ., not starting with a digit`))
	}
	return errs
}

func validateEnvSource(variable corev1.EnvVar, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if variable.Value != "" {
		errs = append(errs, field.Forbidden(path.Child("value"), "give value or valueFrom, not both"))
	}
	if count := membersSet(*variable.ValueFrom); count != 1 {
		errs = append(errs, field.Invalid(path.Child("valueFrom"), field.OmitValueType{},
			fmt.Sprintf("must have exactly one source, not %d", count)))
	}
	return errs
}
