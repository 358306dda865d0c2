package resources

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// The selector of a Deployment can't be changed, and a Service that selects other labels
// than the pods have loses its traffic: whatever the spec says, both are the same two labels.
func TestSelectorsDependOnNoSpec(t *testing.T) {
	specs := inputs(t, "cluster")
	for name, text := range inputs(t, "podtemplate") {
		specs["podtemplate/"+name] = text
	}
	for name, text := range specs {
		t.Run(name, func(t *testing.T) {
			objects := children(t, text)
			pods := map[v1alpha1.Component]map[string]string{}
			for _, o := range objects {
				d, ok := o.(*appsv1.Deployment)
				if !ok {
					continue
				}
				component := v1alpha1.Component(d.Labels[v1alpha1.LabelComponent])
				pods[component] = d.Spec.Template.Labels
				want := map[string]string{"flame.xflops.io/cluster": "demo", "flame.xflops.io/component": string(component)}
				assert.Equal(t, want, d.Spec.Selector.MatchLabels)
				assert.Empty(t, d.Spec.Selector.MatchExpressions)
				assert.True(t, labels.SelectorFromSet(want).Matches(labels.Set(d.Spec.Template.Labels)))
			}
			for _, o := range objects {
				var selector map[string]string
				switch o := o.(type) {
				case *corev1.Service:
					selector = o.Spec.Selector
				case *policyv1.PodDisruptionBudget:
					selector = o.Spec.Selector.MatchLabels
				default:
					continue
				}
				component := v1alpha1.Component(o.GetLabels()[v1alpha1.LabelComponent])
				require.Contains(t, pods, component)
				assert.Equal(t, Selector("demo", component), selector)
			}
		})
	}
}

func TestSelectorStringIsSorted(t *testing.T) {
	assert.Equal(t, "flame.xflops.io/cluster=demo,flame.xflops.io/component=executor-manager",
		SelectorString("demo", v1alpha1.ComponentExecutorManager))
}

// The labels that a user gives a Service can't take it away from its pods.
func TestServiceLabelsOfUsersDoNotSelect(t *testing.T) {
	spec := decodeSpec(t, `sessionManager: {service: {labels: {team: batch}}}`)
	spec.SessionManager.Service.Labels[v1alpha1.LabelCluster] = "other"
	s := find[*corev1.Service](t, allChildren(t, newCluster(t, spec)), "demo-session-manager")
	assert.Equal(t, "batch", s.Labels["team"])
	assert.Equal(t, "demo", s.Labels[v1alpha1.LabelCluster])
	assert.Equal(t, "demo", s.Spec.Selector[v1alpha1.LabelCluster])
}
