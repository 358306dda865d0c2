package standin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/util/retry"
)

// errSwallowed ends a sync without a retry: the parent has changed or gone while
// it ran, which is a reason for another sync anyway.
var errSwallowed = errors.New("the parent has changed meanwhile")

// sync asks the hook about one parent and does what it says.
func (c *controller) sync(ctx context.Context, parent *unstructured.Unstructured) error {
	if !c.concerned(parent) {
		return nil
	}
	parent, err := c.keepFinalizer(ctx, parent)
	if err != nil {
		return fmt.Errorf("can't sync the finalizer: %w", err)
	}
	if !c.concerned(parent) {
		return nil
	}
	observed, err := c.claim(ctx, parent)
	if err != nil {
		return err
	}
	related, err := c.related(ctx, parent)
	if err != nil {
		return err
	}
	answer, err := c.ask(ctx, parent, observed, related)
	if err != nil {
		return err
	}
	if answer.ResyncAfterSeconds > 0 {
		c.queue.AddAfter(parent.GetNamespace()+"/"+parent.GetName(), time.Duration(answer.ResyncAfterSeconds*float64(time.Second)))
	}
	if answer.Finalized {
		if parent, err = c.changeFinalizers(ctx, parent, c.withoutFinalizer); err != nil {
			return fmt.Errorf("can't remove finalizer: %w", err)
		}
	}
	desired := objectMap{}
	for _, child := range answer.Children {
		if err := label(child, parent); err != nil {
			return err
		}
		desired.insert(child)
	}
	var failed error
	if parent.GetDeletionTimestamp() == nil || c.finalizes(parent) {
		if err := c.manageChildren(ctx, parent, observed, desired); err != nil {
			failed = fmt.Errorf("can't reconcile children for %s %s: %w", c.parent.Kind, objectKey(parent), err)
		}
	}
	if err := c.writeStatus(ctx, parent, answer.Status); errors.Is(err, errSwallowed) {
		return nil
	} else if err != nil {
		return fmt.Errorf("can't update status for %s %s: %w", c.parent.Kind, objectKey(parent), err)
	}
	return failed
}

// ask calls the finalize hook for a parent that is on its way out, and the sync
// hook otherwise, also for a parent that is being deleted without a finalize hook.
func (c *controller) ask(ctx context.Context, parent *unstructured.Unstructured, observed, related objectMap) (*syncAnswer, error) {
	h, name := c.spec.Spec.Hooks.Sync, "sync"
	leaving := parent.GetDeletionTimestamp() != nil || !c.selector.Matches(labels.Set(parent.GetLabels()))
	finalizing := c.spec.Spec.Hooks.Finalize != nil && leaving
	if finalizing {
		h, name = c.spec.Spec.Hooks.Finalize, "finalize"
	}
	answer := &syncAnswer{}
	if err := call(ctx, h, map[string]any{
		"controller": c.spec.raw, "parent": parent, "finalizing": finalizing,
		"children": observed.wire(h.v2(), parent.GetNamespace()), "related": related.wire(h.v2(), parent.GetNamespace()),
	}, answer); err != nil {
		return nil, fmt.Errorf("%s hook failed: %w", name, err)
	}
	for _, child := range answer.Children {
		if child.GetNamespace() == "" {
			child.SetNamespace(parent.GetNamespace())
		}
	}
	return answer, nil
}

// label makes a child match the generated selector, unless it says otherwise, which
// is an error.
func label(child, parent *unstructured.Unstructured) error {
	set, _, err := unstructured.NestedStringMap(child.Object, "metadata", "labels")
	if err != nil {
		return fmt.Errorf("invalid labels on desired child %s %s: %w", child.GetKind(), objectKey(child), err)
	}
	if set == nil {
		set = map[string]string{}
	}
	if _, there := set[uidLabel]; !there {
		set[uidLabel] = string(parent.GetUID())
		child.SetLabels(set)
	}
	if set[uidLabel] != string(parent.GetUID()) {
		return fmt.Errorf("labels on desired child %s %s don't match parent selector", child.GetKind(), objectKey(child))
	}
	return nil
}

func (c *controller) finalizer() string {
	return "metacontroller.io/compositecontroller-" + c.spec.Metadata.Name
}

func (c *controller) hasFinalizer(parent *unstructured.Unstructured) bool {
	return slices.Contains(parent.GetFinalizers(), c.finalizer())
}

// finalizes says whether children of a parent that is being deleted are managed:
// with a finalize hook, while our finalizer is there and the garbage collector has
// nothing to do with the children.
func (c *controller) finalizes(parent *unstructured.Unstructured) bool {
	finalizers := parent.GetFinalizers()
	return c.spec.Spec.Hooks.Finalize != nil && c.hasFinalizer(parent) &&
		!slices.Contains(finalizers, metav1.FinalizerDeleteDependents) && !slices.Contains(finalizers, metav1.FinalizerOrphanDependents)
}

// keepFinalizer adds the finalizer where there is a finalize hook, and removes it
// where there is none any more.
func (c *controller) keepFinalizer(ctx context.Context, parent *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	wanted := c.spec.Spec.Hooks.Finalize != nil
	switch {
	case wanted == c.hasFinalizer(parent), wanted && parent.GetDeletionTimestamp() != nil:
		return parent, nil
	case wanted:
		return c.changeFinalizers(ctx, parent, func(f []string) []string { return append(c.withoutFinalizer(f), c.finalizer()) })
	}
	return c.changeFinalizers(ctx, parent, c.withoutFinalizer)
}

func (c *controller) withoutFinalizer(finalizers []string) []string {
	return slices.DeleteFunc(finalizers, func(f string) bool { return f == c.finalizer() })
}

func (c *controller) changeFinalizers(ctx context.Context, parent *unstructured.Unstructured, change func([]string) []string) (*unstructured.Unstructured, error) {
	client := c.parent.client(c.engine.dynamic, parent.GetNamespace())
	var result *unstructured.Unstructured
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		current, err := client.Get(ctx, parent.GetName(), metav1.GetOptions{})
		if err != nil {
			return err
		}
		finalizers := change(current.GetFinalizers())
		if slices.Equal(finalizers, current.GetFinalizers()) {
			result = current
			return nil
		}
		current.SetFinalizers(finalizers)
		result, err = client.Update(ctx, current, metav1.UpdateOptions{})
		return err
	})
	return result, err
}
