package resources

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// CheckPodTemplates says what is wrong with the three podTemplates of a defaulted spec:
// what can't be decoded, what the API server would refuse, and what touches a part of
// the pod that the cluster depends on. The warnings are advice. Name is the FlameCluster's.
func CheckPodTemplates(name string, spec *v1alpha1.FlameClusterSpec) (field.ErrorList, []string) {
	var errs field.ErrorList
	var warnings []string
	c := Cluster{Name: name, Spec: spec}
	for _, d := range []struct {
		daemon daemon
		field  string
	}{
		{sessionManagerDaemon(c), "sessionManager"},
		{executorManagerDaemon(c), "executorManager"},
		{objectCacheDaemon(c), "objectCache"},
	} {
		raw := d.daemon.spec.PodTemplate
		if raw == nil || len(raw.Raw) == 0 {
			continue
		}
		at := field.NewPath("spec", d.field, "podTemplate")
		_, decodeErrs := decodePodTemplate(raw.Raw, at)
		errs = append(errs, decodeErrs...)
	}
	return errs, warnings
}
