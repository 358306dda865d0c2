package standin

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/xflops/flame-operator/test/e2e/engine"
)

// manageChildren deletes what is observed and not desired, and then creates and
// updates what is desired. An object that fails holds up no other one.
func (c *controller) manageChildren(ctx context.Context, parent *unstructured.Unstructured, observed, desired objectMap) error {
	var errs []error
	for _, gvk := range sortedKinds(observed) {
		k, err := c.engine.kinds.byKind(gvk.GroupVersion().String(), gvk.Kind)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for key, object := range observed[gvk] {
			if desired[gvk][key] != nil || object.GetDeletionTimestamp() != nil {
				continue
			}
			if err := c.deleteObject(ctx, k, object); err != nil {
				errs = append(errs, fmt.Errorf("can't delete %s %s: %w", k.Kind, key, err))
			}
		}
	}
	for _, gvk := range sortedKinds(desired) {
		k, err := c.engine.kinds.byKind(gvk.GroupVersion().String(), gvk.Kind)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for key, object := range desired[gvk] {
			if err := c.apply(ctx, k, parent, observed[gvk][key], object); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return utilerrors.NewAggregate(errs)
}

func (c *controller) apply(ctx context.Context, k *kind, parent, observed, desired *unstructured.Unstructured) error {
	method := c.methods[k.GroupKind()]
	if c.engine.config.Mode == engine.ServerSideApply {
		return c.serverSideApply(ctx, k, method, parent, observed, desired)
	}
	return c.dynamicApply(ctx, k, method, parent, observed, desired)
}

// deleteObject deletes this very object, and what belongs to it after it.
func (c *controller) deleteObject(ctx context.Context, k *kind, object *unstructured.Unstructured) error {
	c.log("deleting %s %s", k.Kind, objectKey(object))
	uid, background := object.GetUID(), metav1.DeletePropagationBackground
	err := k.client(c.engine.dynamic, object.GetNamespace()).Delete(ctx, object.GetName(), metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &uid}, PropagationPolicy: &background,
	})
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	c.engine.writes.set(writeKey(k, object), nil)
	return nil
}

func sortedKinds(m objectMap) []schema.GroupVersionKind {
	return slices.SortedFunc(maps.Keys(m), func(a, b schema.GroupVersionKind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Kind, b.Kind))
	})
}
