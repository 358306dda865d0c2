package status

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// suspended is present only while spec.suspend is set, and True as soon as no pods
// are left.
func (v *view) suspended() *metav1.Condition {
	switch {
	case !v.suspend():
		return nil
	case v.suspendedAtZero():
		return v.condition(v1alpha1.ConditionSuspended, metav1.ConditionTrue, v1alpha1.ReasonSuspended, "no pods run")
	}
	return v.condition(v1alpha1.ConditionSuspended, metav1.ConditionFalse, v1alpha1.ReasonSuspending, "pods are being stopped")
}

func (v *view) suspendedAtZero() bool {
	if !v.suspend() {
		return false
	}
	for _, c := range v.components() {
		if c.phase != phaseComplete {
			return false
		}
	}
	return true
}
