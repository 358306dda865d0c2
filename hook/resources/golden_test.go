package resources

import (
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
)

// Each spec in testdata/cluster gives the objects in its golden file.
func TestChildrenGolden(t *testing.T) {
	for name, spec := range inputs(t, "cluster") {
		t.Run(name, func(t *testing.T) {
			var objects []any
			for _, o := range children(t, spec) {
				objects = append(objects, o)
			}
			requireGolden(t, toYAML(t, objects...), "cluster", name+".golden.yaml")
		})
	}
}

// Each spec in testdata/podtemplate has podTemplates; its golden file has the pods of the
// daemons that one was given for.
func TestPodTemplateGolden(t *testing.T) {
	for name, text := range inputs(t, "podtemplate") {
		t.Run(name, func(t *testing.T) {
			spec := decodeSpec(t, text)
			errs, _ := CheckPodTemplates("demo", spec)
			require.Empty(t, errs)
			objects := allChildren(t, newCluster(t, spec))
			var templates []any
			if spec.SessionManager.PodTemplate != nil {
				templates = append(templates, find[*appsv1.Deployment](t, objects, "demo-session-manager").Spec.Template)
			}
			if spec.ExecutorManager.PodTemplate != nil {
				templates = append(templates, find[*appsv1.Deployment](t, objects, "demo-executor-manager").Spec.Template)
			}
			if spec.ObjectCache.PodTemplate != nil {
				templates = append(templates, find[*appsv1.Deployment](t, objects, "demo-object-cache").Spec.Template)
			}
			requireGolden(t, toYAML(t, templates...), "podtemplate", name+".golden.yaml")
		})
	}
}
