package resources

import (
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// podDisruptionBudget is nil unless one is asked for and there is more than one
// executor: a single one would either not be protected or block every node drain. It
// looks at the number that the spec asks for, so that suspending keeps the object.
func podDisruptionBudget(c Cluster) *policyv1.PodDisruptionBudget {
	budget := c.Spec.ExecutorManager.PodDisruptionBudget
	if budget == nil || !c.Executors.KeepBudget && max(*c.Spec.Replicas, c.Executors.Replicas) <= 1 {
		return nil
	}
	component := v1alpha1.ComponentExecutorManager
	return &policyv1.PodDisruptionBudget{
		TypeMeta:   metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"},
		ObjectMeta: c.objectMeta(ExecutorManagerName(c.Name), component),
		Spec: policyv1.PodDisruptionBudgetSpec{
			Selector:       &metav1.LabelSelector{MatchLabels: Selector(c.Name, component)},
			MaxUnavailable: new(*budget.MaxUnavailable),
			// Executors in a crash loop must not keep a node from being drained.
			UnhealthyPodEvictionPolicy: new(policyv1.AlwaysAllow),
		},
	}
}
