package status

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// paused is present only while the annotation AnnotationPaused is set.
func (v *view) paused() *metav1.Condition {
	if !v.Paused {
		return nil
	}
	message := fmt.Sprintf("the annotation %s keeps all children as they are", v1alpha1.AnnotationPaused)
	if v.LastGoodGeneration > 0 {
		message += fmt.Sprintf(", with the spec of generation %d", v.LastGoodGeneration)
	}
	return v.condition(v1alpha1.ConditionPaused, metav1.ConditionTrue, v1alpha1.ReasonPaused, message)
}
