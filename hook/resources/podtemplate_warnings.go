package resources

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// podTemplateWarnings is advice about a podTemplate that will be applied, in a fixed order.
func podTemplateWarnings(user, merged, generated *corev1.PodTemplateSpec, component v1alpha1.Component, at *field.Path) []string {
	var warnings []string
	warn := func(path *field.Path, text string) { warnings = append(warnings, path.String()+": "+text) }
	spec, path := &user.Spec, at.Child("spec")
	executors := component == v1alpha1.ComponentExecutorManager
	if spec.HostNetwork {
		if executors {
			warn(path.Child("hostNetwork"), "all executors on a node get the node's name, and Flame takes them for one")
		} else {
			warn(path.Child("hostNetwork"), "the ports are opened on the node itself, to everybody who reaches it")
		}
	}
	if spec.ShareProcessNamespace != nil && !*spec.ShareProcessNamespace {
		text := "Flame's daemons ignore SIGTERM as process 1, so every stop takes the whole grace period"
		if executors {
			text += ", and an executor can't sign off: its node stays a scheduling target, and sessions wait for it"
		}
		warn(path.Child("shareProcessNamespace"), text)
	}
	for i, v := range spec.Volumes {
		if v.HostPath != nil {
			warn(path.Child("volumes").Index(i).Child("hostPath"), "Pod Security forbids it, and its directory must be writable for the pod's user")
		}
	}
	eachContainer(user, at, func(c *corev1.Container, path *field.Path) {
		if c.SecurityContext != nil && c.SecurityContext.Privileged != nil && *c.SecurityContext.Privileged {
			warn(path.Child("securityContext", "privileged"), "Pod Security forbids it")
		}
	})
	if own := daemonContainer(user, component); executors && own != nil && (own.Resources.Limits != nil || own.Resources.Requests != nil) {
		cpu := daemonContainer(merged, component).Resources.Limits.Cpu()
		if cpu.IsZero() || cpu.MilliValue()%1000 != 0 {
			warn(path.Child("containers").Key(string(component)).Child("resources", "limits").Key("cpu"),
				"give whole CPUs: Flame rounds a fraction up, and without a limit it offers the whole node")
		}
	}
	if executors && !equality.Semantic.DeepEqual(preStop(daemonContainer(merged, component)), preStop(daemonContainer(generated, component))) {
		warn(path.Child("containers").Key(string(component)).Child("lifecycle", "preStop"),
			"takes the place of the generated hook, which signs the executor off: its node stays a scheduling target after a scale-down or a rollout, and sessions wait for it")
	}
	return warnings
}
