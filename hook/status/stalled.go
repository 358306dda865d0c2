package status

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// stalled is present only while somebody has to act. What is wrong with the spec
// comes first, since nothing else can be repaired before.
func (v *view) stalled() *metav1.Condition {
	if v.Parent.Deleting || !v.stuck {
		return nil
	}
	reason, message := v.stalledReason()
	return v.condition(v1alpha1.ConditionStalled, metav1.ConditionTrue, reason, message)
}

func (v *view) stalledReason() (reason, message string) {
	switch {
	case v.Invalid != nil:
		return v.Invalid.Reason, v.invalidMessage()
	case len(v.Immutable) > 0:
		fields := slices.Sorted(slices.Values(v.Immutable))
		return v1alpha1.ReasonImmutableFieldChanged, fmt.Sprintf(
			"fields that can't be changed keep their value: %s; delete the object to have it created anew", names(slices.Compact(fields)))
	}
	var acute []item
	for _, i := range v.items() {
		if i.stalled {
			acute = append(acute, i)
		}
	}
	return acute[0].reason, told(acute)
}

// invalidMessage lists all errors of the spec, sorted, and counts those that don't
// fit. What keeps running is said at the end.
func (v *view) invalidMessage() string {
	errors := make([]string, 0, len(v.Invalid.Errors))
	for _, err := range v.Invalid.Errors {
		if err != nil {
			errors = append(errors, cut(err.Error(), maxText))
		}
	}
	slices.Sort(errors)
	errors = slices.Compact(errors)
	ending := ""
	switch {
	case v.Spec != nil:
		ending = "; the last good spec keeps running"
	case v.Children.Len() == 0:
		ending = "; nothing was created"
	}
	room := maxMessage - len(ending) - len("; and 1000000 more errors")
	message := ""
	for i, text := range errors {
		if i > 0 {
			text = "; " + text
		}
		if len(message)+len(text) > room {
			return message + "; " + andMore(len(errors)-i, "error") + ending
		}
		message += text
	}
	return orElse(message, "the spec can't be used") + ending
}
