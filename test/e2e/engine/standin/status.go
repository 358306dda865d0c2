package standin

import (
	"context"
	"reflect"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/util/retry"
)

// writeStatus replaces the parent's status by the answer's, with the generation
// that the sync started from, unless the live object has it already.
func (c *controller) writeStatus(ctx context.Context, parent *unstructured.Unstructured, status map[string]any) error {
	if status == nil {
		status = map[string]any{}
	}
	status["observedGeneration"] = parent.GetGeneration()
	client := c.parent.client(c.engine.dynamic, parent.GetNamespace())
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		current, err := client.Get(ctx, parent.GetName(), metav1.GetOptions{})
		if err != nil {
			return err
		}
		if current.GetUID() != parent.GetUID() {
			return apierrors.NewNotFound(c.parent.resource.GroupResource(), parent.GetName())
		}
		if reflect.DeepEqual(current.Object["status"], any(status)) {
			return nil
		}
		current.Object["status"] = status
		_, err = client.UpdateStatus(ctx, current, metav1.UpdateOptions{})
		return err
	})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return errSwallowed
	}
	return err
}
