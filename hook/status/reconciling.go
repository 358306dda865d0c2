package status

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// reconciling is present only while a change is on its way and nobody has to act.
func (v *view) reconciling() *metav1.Condition {
	if v.Parent.Deleting {
		return v.condition(v1alpha1.ConditionReconciling, metav1.ConditionTrue, v1alpha1.ReasonTerminating, "the FlameCluster is being deleted")
	}
	if v.stuck {
		return nil
	}
	if v.Spec == nil {
		return v.condition(v1alpha1.ConditionReconciling, metav1.ConditionTrue, v1alpha1.ReasonCreating, "nothing runs yet")
	}
	var moving []item
	for _, i := range v.items() {
		if i.moving {
			moving = append(moving, i)
		}
	}
	if len(moving) == 0 {
		return nil
	}
	return v.condition(v1alpha1.ConditionReconciling, metav1.ConditionTrue, v.changeReason(moving), told(moving))
}

// changeReason is the kind of change that is on its way. The items' own reasons name
// troubles where there are some.
func (v *view) changeReason(moving []item) string {
	if v.suspend() {
		return v1alpha1.ReasonSuspending
	}
	for _, i := range moving {
		if i.change != "" {
			return i.change
		}
	}
	return v1alpha1.ReasonRollingOut
}
