package resources

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// checkUnsupported refuses what the API server does not take in the pod template of a
// Deployment: its refusal would reach nobody but an event.
func checkUnsupported(user *corev1.PodTemplateSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	spec, path := &user.Spec, at.Child("spec")
	if spec.RestartPolicy != "" && spec.RestartPolicy != corev1.RestartPolicyAlways {
		errs = append(errs, field.NotSupported(path.Child("restartPolicy"), spec.RestartPolicy, []corev1.RestartPolicy{corev1.RestartPolicyAlways}))
	}
	if spec.ActiveDeadlineSeconds != nil {
		errs = append(errs, field.Forbidden(path.Child("activeDeadlineSeconds"), "a Deployment's pods have no deadline"))
	}
	if len(spec.EphemeralContainers) > 0 {
		errs = append(errs, field.Forbidden(path.Child("ephemeralContainers"), "only a running pod has them"))
	}
	if spec.HostPID && (spec.ShareProcessNamespace == nil || *spec.ShareProcessNamespace) {
		errs = append(errs, field.Forbidden(path.Child("hostPID"), "needs shareProcessNamespace: false"))
	}
	return errs
}

// checkResources looks at the requests and limits that come out of the merge, where a
// lowered limit may meet a default request. It names containers, since their place in
// the merged list is not the one in the user's.
func checkResources(merged *corev1.PodTemplateSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, list := range []struct {
		name       string
		containers []corev1.Container
	}{{"initContainers", merged.Spec.InitContainers}, {"containers", merged.Spec.Containers}} {
		for i := range list.containers {
			resources, path := &list.containers[i].Resources, at.Child("spec", list.name).Key(list.containers[i].Name).Child("resources")
			errs = append(errs, v1alpha1.ValidateRequests(resources, path)...)
			errs = append(errs, checkDevices(resources.Limits, path.Child("limits"))...)
		}
	}
	return errs
}

func checkDevices(limits corev1.ResourceList, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		if limit := limits[name]; isGPU(name) && (limit.Sign() < 0 || limit.Value() > maxVisibleDevices) {
			errs = append(errs, field.Invalid(at.Key(string(name)), limit.String(), fmt.Sprintf("must be 0 to %d", maxVisibleDevices)))
		}
	}
	return errs
}
