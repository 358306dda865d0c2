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
	items := v.items()
	reason := v.changeReason(items)
	if reason == "" {
		return nil
	}
	return v.condition(v1alpha1.ConditionReconciling, metav1.ConditionTrue, reason, told(items))
}

// changeReason is the kind of change that is on its way, or "" for none. The first
// thing that does nothing but change tells; otherwise the last answer does.
func (v *view) changeReason(items []item) string {
	if v.suspend() && !v.suspendedAtZero() {
		return v1alpha1.ReasonSuspending
	}
	change := ""
	for _, i := range items {
		switch {
		case !i.moving:
		case !i.troubled && !i.missing:
			return i.change
		case change == "":
			change = i.change
		}
	}
	if change == "" {
		return ""
	}
	return orElse(v.before.reason(v1alpha1.ConditionReconciling), change)
}
