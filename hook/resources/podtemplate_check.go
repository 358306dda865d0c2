package resources

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// CheckPodTemplates says what is wrong with the three podTemplates of a defaulted spec:
// what can't be decoded, what the API server or Metacontroller can't handle, and what
// touches a part of the pod that the cluster depends on. The warnings are advice. Name is
// the FlameCluster's.
func CheckPodTemplates(name string, spec *v1alpha1.FlameClusterSpec) (field.ErrorList, []string) {
	var errs field.ErrorList
	var warnings []string
	c := Cluster{Name: name, Spec: spec}
	for _, component := range []struct {
		field  string
		spec   *v1alpha1.ComponentSpec
		daemon func(Cluster) daemon
	}{
		{"sessionManager", &spec.SessionManager.ComponentSpec, sessionManagerDaemon},
		{"executorManager", &spec.ExecutorManager.ComponentSpec, executorManagerDaemon},
		{"objectCache", &spec.ObjectCache.ComponentSpec, objectCacheDaemon},
	} {
		raw := userTemplate(component.spec)
		if raw == nil {
			continue
		}
		componentErrs, componentWarnings := checkPodTemplate(c, component.daemon(c), raw, field.NewPath("spec", component.field, "podTemplate"))
		errs = append(errs, componentErrs...)
		warnings = append(warnings, componentWarnings...)
	}
	return errs, warnings
}

func checkPodTemplate(c Cluster, d daemon, raw []byte, at *field.Path) (field.ErrorList, []string) {
	user, errs := decodePodTemplate(raw, at)
	if len(errs) > 0 {
		return errs, nil
	}
	errs = slices.Concat(
		checkUniqueEntries(user, at),
		checkProtected(user, d, at),
		checkUnsupported(user, at),
	)
	if len(errs) > 0 {
		return errs, nil
	}
	// Only a null can still take something away; what is left is seen after the merge.
	generated := generatedTemplate(c, d)
	merged, err := mergePodTemplate(&generated, d.component, raw)
	if err != nil {
		return field.ErrorList{field.Invalid(at, field.OmitValueType{}, fmt.Sprintf("can't be merged: %v", err))}, nil
	}
	errs = append(checkRemoved(merged, &generated, d.component, at), checkResources(merged, at)...)
	if len(errs) > 0 {
		return errs, nil
	}
	return nil, podTemplateWarnings(user, merged, &generated, d.component, at)
}

// eachContainer calls f for every container of a pod, init containers first, with its path.
func eachContainer(template *corev1.PodTemplateSpec, at *field.Path, f func(*corev1.Container, *field.Path)) {
	for i := range template.Spec.InitContainers {
		f(&template.Spec.InitContainers[i], at.Child("spec", "initContainers").Index(i))
	}
	for i := range template.Spec.Containers {
		f(&template.Spec.Containers[i], at.Child("spec", "containers").Index(i))
	}
}
