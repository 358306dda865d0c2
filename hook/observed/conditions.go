package observed

import (
	"cmp"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Condition finds a condition of the pod; false when it has none of that type. Should
// one be listed twice, the choice does not depend on the order.
func (s *PodStatus) Condition(kind corev1.PodConditionType) (PodCondition, bool) {
	return choose(s.Conditions,
		func(c PodCondition) bool { return c.Type == kind },
		func(a, b PodCondition) int {
			return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message))
		})
}

// Ready says whether all containers of the pod are ready.
func (p *Pod) Ready() bool {
	ready, found := p.Status.Condition(corev1.PodReady)
	return found && ready.Status == corev1.ConditionTrue
}

// Condition finds a condition of the Deployment; false when it has none of that type.
// Should one be listed twice, the choice does not depend on the order.
func (s *DeploymentStatus) Condition(kind appsv1.DeploymentConditionType) (DeploymentCondition, bool) {
	return choose(s.Conditions,
		func(c DeploymentCondition) bool { return c.Type == string(kind) },
		func(a, b DeploymentCondition) int {
			return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message),
				a.LastTransitionTime.Compare(b.LastTransitionTime.Time))
		})
}

// choose returns the least of the conditions that are wanted.
func choose[T any](conditions []T, wanted func(T) bool, compare func(a, b T) int) (chosen T, found bool) {
	for _, c := range conditions {
		if wanted(c) && (!found || compare(c, chosen) < 0) {
			chosen, found = c, true
		}
	}
	return chosen, found
}
