package v1alpha1

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Warnings is advice about a valid spec whose defaults are set: what works, but
// probably not as meant. Sorted, and the same for the same spec.
func Warnings(spec *FlameClusterSpec) []string {
	warnings := slices.Concat(
		volumeWarnings(spec),
		executorWarnings(&spec.ExecutorManager, spec.SessionManager.Slot),
		memoryWarnings(spec),
		cacheWarnings(spec),
		withoutEffectWarnings(spec),
	)
	slices.Sort(warnings)
	return slices.Compact(warnings)
}

func warn(path *field.Path, format string, args ...any) string {
	return path.String() + ": " + fmt.Sprintf(format, args...)
}

func volumeWarnings(spec *FlameClusterSpec) []string {
	var warnings []string
	for _, of := range []struct {
		component *field.Path
		source    *corev1.VolumeSource
	}{
		{sessionManagerPath, spec.SessionManager.VolumeSource},
		{executorManagerPath, spec.ExecutorManager.VolumeSource},
		{objectCachePath, spec.ObjectCache.VolumeSource},
	} {
		if of.source != nil && of.source.HostPath != nil {
			warnings = append(warnings, warn(of.component.Child("volumeSource", "hostPath"),
				"Pod Security levels baseline and restricted forbid hostPath, and the directory must exist on the node and be writable for the daemon's user"))
		}
	}
	return warnings
}

// executorWarnings compares the executors' limits with what Flame makes of them:
// an executor advertises its CPU limit, rounded up, and a session with a larger
// slot never gets an executor.
func executorWarnings(manager *ExecutorManagerSpec, slot *Slot) []string {
	var warnings []string
	limit := func(name string) *field.Path { return executorManagerPath.Child("resources", "limits").Key(name) }
	cpu, memory := manager.Resources.Limits.Cpu(), manager.Resources.Limits.Memory()
	cpus := cpu.Value()
	switch {
	case cpu.IsZero():
		warnings = append(warnings, warn(limit("cpu"), "there is no CPU limit, so each executor advertises the CPUs of its whole node"))
	case !whole(*cpu):
		warnings = append(warnings, warn(limit("cpu"), "%s is no whole number of CPUs; each executor advertises %d", cpu, cpus))
	}
	requested := Slot{CPU: resource.NewQuantity(1, resource.DecimalSI), Memory: resource.NewQuantity(1<<30, resource.BinarySI)}
	if slot != nil {
		requested = *slot
	}
	if requested.CPU != nil && !cpu.IsZero() && requested.CPU.CmpInt64(cpus) > 0 {
		warnings = append(warnings, warn(sessionManagerPath.Child("slot", "cpu"), "%s is more than the %d CPUs of an executor; such a session gets none", requested.CPU, cpus))
	}
	if !isZero(requested.GPU) && !hasDevice(manager.Resources.Limits) {
		warnings = append(warnings, warn(sessionManagerPath.Child("slot", "gpu"), "executors have no GPU in their limits; such a session gets none"))
	}
	if isZero(requested.Memory) || memory.IsZero() {
		return warnings
	}
	perExecutor := requested.Memory.DeepCopy()
	if perExecutor.Mul(slotsPerExecutor(requested.CPU, cpus)); perExecutor.Cmp(*memory) > 0 {
		warnings = append(warnings, warn(limit("memory"),
			"%s is less than %s, the memory of as many slots as the CPUs allow", memory, &perExecutor))
	}
	return warnings
}

// slotsPerExecutor is how many slots fit the CPUs of an executor; at least one.
func slotsPerExecutor(slotCPU *resource.Quantity, cpus int64) int64 {
	if isZero(slotCPU) {
		return max(cpus, 1)
	}
	return max(cpus/max(slotCPU.Value(), 1), 1)
}

func hasDevice(limits corev1.ResourceList) bool {
	for name, quantity := range limits {
		if strings.Contains(string(name), "/") && !quantity.IsZero() {
			return true
		}
	}
	return false
}

// memoryWarnings finds the most common slip in quantities, "512m" for "512Mi".
func memoryWarnings(spec *FlameClusterSpec) []string {
	var warnings []string
	for _, of := range []struct {
		component *field.Path
		kind      string
		list      corev1.ResourceList
	}{
		{sessionManagerPath, "limits", spec.SessionManager.Resources.Limits},
		{sessionManagerPath, "requests", spec.SessionManager.Resources.Requests},
		{executorManagerPath, "limits", spec.ExecutorManager.Resources.Limits},
		{executorManagerPath, "requests", spec.ExecutorManager.Resources.Requests},
		{objectCachePath, "limits", spec.ObjectCache.Resources.Limits},
		{objectCachePath, "requests", spec.ObjectCache.Resources.Requests},
	} {
		if memory, found := of.list[corev1.ResourceMemory]; found && !whole(memory) {
			warnings = append(warnings, warn(of.component.Child("resources", of.kind).Key("memory"), "%s is no whole number of bytes; mebibytes are written Mi", &memory))
		}
	}
	return warnings
}

func cacheWarnings(spec *FlameClusterSpec) []string {
	if !spec.CacheEnabled() {
		return nil
	}
	cache := &spec.ObjectCache
	var warnings []string
	if cache.Replicas != nil && *cache.Replicas > 1 {
		warnings = append(warnings, warn(objectCachePath.Child("replicas"),
			"objects are not replicated: with %d caches, references and package URLs lead to the wrong one at random", *cache.Replicas))
	}
	if cache.Eviction != nil && cache.Eviction.MaxMemory != nil {
		most := cache.Eviction.MaxMemory
		if limit := cache.Resources.Limits.Memory(); !limit.IsZero() && limit.Cmp(*most) <= 0 {
			warnings = append(warnings, warn(objectCachePath.Child("resources", "limits").Key("memory"),
				"%s is no more than eviction.maxMemory, %s; the cache is killed before it evicts", limit, most))
		}
	}
	if spec.ObjectCacheTLS() != nil {
		warnings = append(warnings, warn(specPath.Child("tls", "objectCache"),
			"clients connect to the cache by pod IP, so its certificate needs the pod IPs as subject alternative names"))
	}
	return warnings
}

func withoutEffectWarnings(spec *FlameClusterSpec) []string {
	var warnings []string
	if budget := spec.ExecutorManager.PodDisruptionBudget; budget != nil && budget.MaxUnavailable != nil {
		if most, err := intstr.GetScaledValueFromIntOrPercent(budget.MaxUnavailable, 100, true); err == nil && most == 0 {
			warnings = append(warnings, warn(executorManagerPath.Child("podDisruptionBudget", "maxUnavailable"), "0 keeps nodes with executors from being drained"))
		}
	}
	for _, variable := range spec.ExecutorManager.Env {
		switch {
		case variable.Name == "FLAME_CACHE_ENDPOINT" && spec.CacheEnabled(), variable.Name == "FLAME_CA_FILE" && spec.SessionManagerTLS() != nil:
			warnings = append(warnings, warn(executorManagerPath.Child("env").Key(variable.Name), "has no effect: Flame sets it for each task"))
		}
	}
	if spec.NetworkPolicy != nil && !spec.NetworkPolicy.Enabled && len(spec.NetworkPolicy.Clients) > 0 {
		warnings = append(warnings, warn(specPath.Child("networkPolicy", "clients"), "has no effect while enabled is false"))
	}
	if spec.ObjectCacheTLS() != nil && !spec.CacheEnabled() {
		warnings = append(warnings, warn(specPath.Child("tls", "objectCache"), "has no effect while objectCache.enabled is false"))
	}
	return warnings
}
