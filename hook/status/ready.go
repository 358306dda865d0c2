package status

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// readyStatus is True exactly when every wanted child is observed as it is sent and
// all pods are ready. It is Unknown while children are still to take a change: what
// was ready before says nothing about what will be.
func (v *view) readyStatus() metav1.ConditionStatus {
	if v.Spec == nil || v.Parent.Deleting || v.suspend() {
		return metav1.ConditionFalse
	}
	status := metav1.ConditionTrue
	for _, c := range v.components() {
		switch c.status {
		case metav1.ConditionUnknown:
			return metav1.ConditionUnknown
		case metav1.ConditionFalse:
			status = metav1.ConditionFalse
		}
	}
	for _, o := range v.others {
		if !o.missing {
			return metav1.ConditionUnknown
		}
		status = metav1.ConditionFalse
	}
	return status
}

// readyCondition is about the cluster as a whole. It is always present.
func (v *view) readyCondition() *metav1.Condition {
	reason, message := v.readyReason()
	return v.condition(v1alpha1.ConditionReady, v.ready, reason, message)
}

func (v *view) readyReason() (reason, message string) {
	switch {
	case v.Parent.Deleting:
		return v1alpha1.ReasonTerminating, "the FlameCluster is being deleted"
	case v.Spec == nil && v.Invalid != nil:
		return v.Invalid.Reason, "nothing runs: no spec has been valid so far"
	case v.Spec == nil:
		return v1alpha1.ReasonCreating, "nothing runs yet"
	case v.ready == metav1.ConditionTrue:
		return v1alpha1.ReasonReady, v.readyMessage()
	case v.suspendedAtZero():
		return v1alpha1.ReasonSuspended, "suspended: no pods run, all objects and volumes are kept"
	case v.suspend():
		return v1alpha1.ReasonSuspending, told(v.items())
	}
	items := v.items()
	return chief(items).reason, told(items)
}

func (v *view) readyMessage() string {
	parts := "session manager"
	if v.ObjectCache.Wanted {
		parts += ", object cache"
	}
	message := fmt.Sprintf("%s and %s ready", parts, plural(int(v.Executors.Replicas), "executor", ""))
	if v.LastGoodGeneration > 0 && v.LastGoodGeneration < v.Parent.Generation && (v.Invalid != nil || v.Paused) {
		message += fmt.Sprintf(", with the spec of generation %d", v.LastGoodGeneration)
	}
	return message
}

// chief is the item that explains most: the first that needs somebody to act, or
// else the first with a trouble, or else the first.
func chief(items []item) item {
	for _, i := range items {
		if i.stalled {
			return i
		}
	}
	for _, i := range items {
		if i.troubled && i.reason != v1alpha1.ReasonWaitingForSessionManager {
			return i
		}
	}
	return items[0]
}

// told lists all items, those that need somebody to act first.
func told(items []item) string {
	var acute, rest []string
	for _, i := range items {
		if i.stalled {
			acute = append(acute, i.text())
		} else {
			rest = append(rest, i.text())
		}
	}
	return strings.Join(append(acute, rest...), "; ")
}
