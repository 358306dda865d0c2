package status

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// state is one word for all conditions.
func (v *view) state(conditions []metav1.Condition) v1alpha1.ClusterState {
	switch {
	case isTrue(conditions, v1alpha1.ConditionSuspended):
		return v1alpha1.StateSuspended
	case isTrue(conditions, v1alpha1.ConditionStalled):
		if isTrue(conditions, v1alpha1.ConditionSessionManagerReady) {
			return v1alpha1.StateDegraded
		}
		return v1alpha1.StateFailed
	case isTrue(conditions, v1alpha1.ConditionReady):
		return v1alpha1.StateRunning
	case !isTrue(conditions, v1alpha1.ConditionReconciling):
		return v1alpha1.StateDegraded
	case v.neverReady():
		return v1alpha1.StatePending
	}
	return v1alpha1.StateUpdating
}

// sentence explains the state: the message of the condition that it comes from.
func (v *view) sentence(conditions []metav1.Condition) string {
	source := find(conditions, v1alpha1.ConditionReady)
	if stalled := find(conditions, v1alpha1.ConditionStalled); stalled != nil {
		source = stalled
	}
	message := source.Message
	if v.Paused {
		message = "paused; " + message
	}
	return limit(message)
}
