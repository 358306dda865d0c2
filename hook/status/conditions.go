package status

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// conditions lists all conditions in the order in which they are published. Stalled
// comes before Reconciling because kstatus believes the first of the two.
func (v *view) conditions() []metav1.Condition {
	all := []*metav1.Condition{v.stalled(), v.reconciling(), v.readyCondition()}
	for _, c := range v.components() {
		all = append(all, v.componentReady(c))
	}
	all = append(all, v.suspended(), v.paused())
	var present []metav1.Condition
	for _, c := range all {
		if c != nil {
			present = append(present, *c)
		}
	}
	return present
}

func find(conditions []metav1.Condition, kind string) *metav1.Condition {
	for i := range conditions {
		if conditions[i].Type == kind {
			return &conditions[i]
		}
	}
	return nil
}

func isTrue(conditions []metav1.Condition, kind string) bool {
	c := find(conditions, kind)
	return c != nil && c.Status == metav1.ConditionTrue
}
