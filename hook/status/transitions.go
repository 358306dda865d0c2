package status

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// previous is what this package reads of the status in the request. Another
// version, or another controller, may have written it: what makes no sense counts
// as absent.
type previous struct {
	state      v1alpha1.ClusterState
	generation int64
	// conditions by type. Reconciling and Stalled are here only if they are True,
	// and of those listed twice the first counts, as it does for kstatus.
	conditions map[string]metav1.Condition
}

func remember(s v1alpha1.FlameClusterStatus) previous {
	p := previous{state: s.State, conditions: make(map[string]metav1.Condition, len(s.Conditions))}
	for _, c := range s.Conditions {
		switch c.Status {
		case metav1.ConditionTrue:
		case metav1.ConditionFalse, metav1.ConditionUnknown:
			if c.Type == v1alpha1.ConditionReconciling || c.Type == v1alpha1.ConditionStalled {
				continue
			}
		default:
			continue
		}
		if _, found := p.conditions[c.Type]; !found {
			p.conditions[c.Type] = c
		}
	}
	// Metacontroller itself writes status.observedGeneration, whatever was answered;
	// the one in Ready says which generation the rest of the status is about.
	p.generation = p.conditions[v1alpha1.ConditionReady].ObservedGeneration
	return p
}

// transition is the time at which the condition took the status that it has now.
func (p previous) transition(condition string, status metav1.ConditionStatus, now time.Time) time.Time {
	old, found := p.conditions[condition]
	if found && !old.LastTransitionTime.IsZero() && old.Status == status {
		return old.LastTransitionTime.UTC().Truncate(time.Second)
	}
	return now
}

func (p previous) reason(condition string) string { return p.conditions[condition].Reason }

func (p previous) has(condition string) bool {
	_, found := p.conditions[condition]
	return found
}

// condition fills in what all conditions have in common.
func (v *view) condition(kind string, status metav1.ConditionStatus, reason, message string) *metav1.Condition {
	return &metav1.Condition{
		Type:               kind,
		Status:             status,
		ObservedGeneration: v.Parent.Generation,
		LastTransitionTime: metav1.NewTime(v.before.transition(kind, status, v.now)),
		Reason:             reason,
		Message:            limit(message),
	}
}
