package podsecurity

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

// The rules of these minor versions of Kubernetes 1 are asked, besides the latest: a
// namespace may pin them to a version.
const (
	oldest = 25
	newest = 37
)

// objections lists, sorted, why a level forbids a pod, by the rules of any version.
func objections(t *testing.T, level api.Level, template corev1.PodTemplateSpec) []string {
	t.Helper()
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	require.NoError(t, err)
	versions := []api.Version{api.LatestVersion()}
	for minor := oldest; minor <= newest; minor++ {
		versions = append(versions, api.MajorMinorVersion(1, minor))
	}
	var found []string
	for _, version := range versions {
		for _, result := range evaluator.EvaluatePod(api.LevelVersion{Level: level, Version: version}, &template.ObjectMeta, &template.Spec) {
			if !result.Allowed {
				found = append(found, result.ForbiddenReason+": "+result.ForbiddenDetail)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// A test that accepts everything would look the same.
func TestTheEvaluatorObjects(t *testing.T) {
	pod := corev1.PodTemplateSpec{Spec: corev1.PodSpec{HostNetwork: true, Containers: []corev1.Container{{Name: "c"}}}}
	require.Len(t, objections(t, api.LevelBaseline, pod), 1)
	require.Greater(t, len(objections(t, api.LevelRestricted, pod)), 3)
}
