package standin

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/util/retry"
)

// uidLabel is the generated selector: children carry the UID of their parent.
const uidLabel = "controller-uid"

// claim returns the children of the parent. An object without a controller that
// carries the label is adopted; a child that lost the label is released.
func (c *controller) claim(ctx context.Context, parent *unstructured.Unstructured) (objectMap, error) {
	claimed := objectMap{}
	var errs []error
	for _, k := range c.children {
		group := claimed.group(k.GroupVersionKind)
		candidates, err := c.engine.lister(k.resource).ByNamespace(parent.GetNamespace()).List(labels.Everything())
		if err != nil {
			return nil, err
		}
		for _, candidate := range candidates {
			object := candidate.(*unstructured.Unstructured)
			ours, err := c.claimObject(ctx, k, parent, object)
			if err != nil {
				errs = append(errs, fmt.Errorf("can't claim %s %s: %w", k.Kind, objectKey(object), err))
			}
			if ours {
				group[objectKey(object)] = object
			}
		}
	}
	return claimed, utilerrors.NewAggregate(errs)
}

func (c *controller) claimObject(ctx context.Context, k *kind, parent, object *unstructured.Unstructured) (bool, error) {
	matches := object.GetLabels()[uidLabel] == string(parent.GetUID())
	owner := metav1.GetControllerOf(object)
	switch {
	case owner != nil && owner.UID != parent.GetUID():
		return false, nil
	case owner != nil && matches:
		return true, nil
	case parent.GetDeletionTimestamp() != nil:
		return false, nil
	case owner != nil:
		c.log("releasing %s %s", k.Kind, objectKey(object))
		return false, ignoreNotFound(c.changeOwners(ctx, k, object, func(owners []metav1.OwnerReference) []metav1.OwnerReference {
			var others []metav1.OwnerReference
			for _, o := range owners {
				if o.UID != parent.GetUID() {
					others = append(others, o)
				}
			}
			return others
		}))
	case !matches || object.GetDeletionTimestamp() != nil:
		return false, nil
	}
	return c.adopt(ctx, k, parent, object)
}

// adopt makes the parent the controller, unless the parent has just been deleted.
func (c *controller) adopt(ctx context.Context, k *kind, parent, object *unstructured.Unstructured) (bool, error) {
	fresh, err := c.parent.client(c.engine.dynamic, parent.GetNamespace()).Get(ctx, parent.GetName(), metav1.GetOptions{})
	if err != nil {
		return false, err
	}
	if fresh.GetUID() != parent.GetUID() || fresh.GetDeletionTimestamp() != nil {
		return false, fmt.Errorf("the parent is gone")
	}
	c.log("adopting %s %s", k.Kind, objectKey(object))
	err = c.changeOwners(ctx, k, object, func(owners []metav1.OwnerReference) []metav1.OwnerReference {
		return append(owners, *metav1.NewControllerRef(parent, parent.GroupVersionKind()))
	})
	return err == nil, ignoreNotFound(err)
}

func (c *controller) changeOwners(ctx context.Context, k *kind, object *unstructured.Unstructured, change func([]metav1.OwnerReference) []metav1.OwnerReference) error {
	client := k.client(c.engine.dynamic, object.GetNamespace())
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		current, err := client.Get(ctx, object.GetName(), metav1.GetOptions{})
		if err != nil {
			return err
		}
		if current.GetUID() != object.GetUID() {
			return apierrors.NewNotFound(k.resource.GroupResource(), object.GetName())
		}
		current.SetOwnerReferences(change(current.GetOwnerReferences()))
		_, err = client.Update(ctx, current, metav1.UpdateOptions{})
		return err
	})
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
