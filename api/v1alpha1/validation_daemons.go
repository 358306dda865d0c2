package v1alpha1

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

func validateSessionManager(manager *SessionManagerSpec, path *field.Path) field.ErrorList {
	return slices.Concat(
		validateComponent(&manager.ComponentSpec, path),
		validateSlot(manager.Slot, path),
		validateEnum(manager.Policy, path, "policy", PolicyPriority, PolicyFIFO, PolicyFair),
		validateStorage(manager.Storage, path),
		validateLogSecrecy(manager, path),
		validateVolumeSource(manager.VolumeSource, path),
		validateScheduleInterval(manager.ScheduleInterval, path, "scheduleInterval"),
		validateRange(manager.MaxSessions, 1, math.MaxInt64, path, "maxSessions"),
		validateRange(manager.RetryLimit, 1, math.MaxInt32, path, "retryLimit"),
		validateService(&manager.Service, path),
	)
}

func validateScheduleInterval(interval *metav1.Duration, path *field.Path, name string) field.ErrorList {
	switch {
	case interval == nil:
		return nil
	case interval.Duration < time.Millisecond:
		return field.ErrorList{field.Invalid(path.Child(name), interval.Duration.String(), "must be at least 1ms: Flame would never pause")}
	case interval.Duration%time.Millisecond != 0:
		return field.ErrorList{field.Invalid(path.Child(name), interval.Duration.String(), "must be whole milliseconds")}
	}
	return nil
}

func validateExecutorManager(spec *FlameClusterSpec, path *field.Path) field.ErrorList {
	manager := &spec.ExecutorManager
	replicas := DefaultReplicas
	for _, given := range []*int32{spec.Replicas, manager.Replicas} {
		if given != nil {
			replicas = *given
		}
	}
	return slices.Concat(
		validateComponent(&manager.ComponentSpec, path),
		validateRange(manager.Replicas, 0, MaxReplicas, path, "replicas"),
		validateEnum(manager.Shim, path, "shim", ShimHost, ShimDocker, ShimKubernetes),
		validateRange(manager.MaxExecutors, 1, math.MaxInt32, path, "maxExecutors"),
		validateVolumeSource(manager.VolumeSource, path),
		validateSharedClaim(manager.VolumeSource, replicas, path),
		validateDisruptionBudget(manager.PodDisruptionBudget, path),
	)
}

var percentage = regexp.MustCompile(`^(100|[0-9]{1,2})%$`)

func validateDisruptionBudget(budget *PodDisruptionBudgetSpec, path *field.Path) field.ErrorList {
	if budget == nil || budget.MaxUnavailable == nil {
		return nil
	}
	most := budget.MaxUnavailable
	if most.Type == intstr.Int && most.IntVal >= 0 || most.Type == intstr.String && percentage.MatchString(most.StrVal) {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("podDisruptionBudget", "maxUnavailable"), secrecy.Shown(most.String()), `must be a number of at least 0, or a percentage such as "25%"`)}
}

func validateObjectCache(cache *ObjectCacheSpec, path *field.Path) field.ErrorList {
	errs := slices.Concat(
		validateComponent(&cache.ComponentSpec, path),
		validateRange(cache.Replicas, 0, MaxCacheReplicas, path, "replicas"),
		validateNetworkInterface(cache.NetworkInterface, path, "networkInterface"),
		validateVolumeSource(cache.VolumeSource, path),
		validateLength(cache.Storage, maxText, path, "storage"),
		validateEviction(cache.Eviction, path),
		validateService(&cache.Service, path),
	)
	if cache.Replicas != nil {
		errs = append(errs, validateSharedClaim(cache.VolumeSource, *cache.Replicas, path)...)
	}
	if cache.Storage != "" && cache.VolumeSource != nil {
		errs = append(errs, field.Forbidden(path.Child("storage"), "remove it: it is deprecated, and volumeSource is given"))
	}
	if cache.Service.External() {
		errs = append(errs, field.Forbidden(path.Child("service", "type"),
			fmt.Sprintf("must be ClusterIP, not %s: the cache hands out the addresses of its pods, so a Service from outside leads nowhere", cache.Service.Type)))
	}
	return errs
}

func validateNetworkInterface(pattern string, path *field.Path, name string) field.ErrorList {
	errs := validateLength(pattern, maxShortText, path, name)
	if _, err := regexp.Compile(pattern); err != nil || strings.Contains(pattern, `\Q`) {
		errs = append(errs, field.Invalid(path.Child(name), secrecy.Shown(pattern), `must be the name of an interface, such as "eth0", or a regular expression`))
	}
	return errs
}

func validateEviction(eviction *Eviction, path *field.Path) field.ErrorList {
	if eviction == nil {
		return nil
	}
	path = path.Child("eviction")
	return slices.Concat(
		validateEnum(eviction.Policy, path, "policy", EvictionLRU, EvictionNone),
		validateWhole(eviction.MaxMemory, 1, `whole bytes, such as "4Gi"`, path, "maxMemory"),
		validateRange(eviction.MaxObjects, 1, math.MaxInt64, path, "maxObjects"),
	)
}

func validateTLS(tls *TLSSpec, path *field.Path) field.ErrorList {
	if tls == nil {
		return nil
	}
	path = path.Child("tls")
	var errs field.ErrorList
	if tls.SessionManager != nil {
		errs = append(errs, validateRequiredName(tls.SessionManager.SecretName, path.Child("sessionManager"), "secretName", "a Secret of type kubernetes.io/tls")...)
	}
	if tls.ObjectCache != nil {
		errs = append(errs, validateRequiredName(tls.ObjectCache.SecretName, path.Child("objectCache"), "secretName", "a Secret of type kubernetes.io/tls")...)
		if tls.SessionManager == nil {
			errs = append(errs, field.Forbidden(path.Child("objectCache"),
				"needs tls.sessionManager too: tasks get the session manager's CA only, and both certificates must come from it"))
		}
	}
	return errs
}
