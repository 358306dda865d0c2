package resources

import (
	"maps"
	"slices"
	"strings"

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
// lowered limit may meet a default request.
func checkResources(merged *corev1.PodTemplateSpec, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	eachContainer(merged, at, func(c *corev1.Container, path *field.Path) {
		// The place in the merged list is not the place in the user's.
		list := "containers"
		if strings.HasPrefix(path.String(), at.Child("spec", "initContainers").String()) {
			list = "initContainers"
		}
		path = at.Child("spec", list).Key(c.Name).Child("resources")
		for _, name := range slices.Sorted(maps.Keys(c.Resources.Requests)) {
			request := c.Resources.Requests[name]
			limit, limited := c.Resources.Limits[name]
			at := path.Child("requests").Key(string(name))
			switch {
			case limited && request.Cmp(limit) > 0:
				errs = append(errs, field.Invalid(at, request.String(), "must be at most the limit, "+limit.String()))
			case v1alpha1.Overcommitable(name):
			case !limited:
				errs = append(errs, field.Required(path.Child("limits").Key(string(name)), "devices and huge pages need a limit, which is the request too"))
			case request.Cmp(limit) != 0:
				errs = append(errs, field.Invalid(at, request.String(), "must be the limit, "+limit.String()+": devices and huge pages can't be overcommitted"))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(c.Resources.Limits)) {
			if limit := c.Resources.Limits[name]; isGPU(name) && (limit.Sign() < 0 || limit.Value() > maxVisibleDevices) {
				errs = append(errs, field.Invalid(path.Child("limits").Key(string(name)), limit.String(), "must be 0 to 1024"))
			}
		}
	})
	return errs
}
