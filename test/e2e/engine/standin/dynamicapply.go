package standin

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	k8sjson "k8s.io/apimachinery/pkg/util/json"
)

// lastApplied is the annotation that keeps what was desired the last time.
const lastApplied = "metacontroller.k8s.io/last-applied-configuration"

// systemFields of metadata belong to the API server: a desired value is ignored.
var systemFields = []string{
	"selfLink", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields",
}

// dynamicApply writes children with a three-way merge and an update. observed is
// nil for a child that is to be created.
func (c *controller) dynamicApply(ctx context.Context, k *kind, method string, parent, observed, desired *unstructured.Unstructured) error {
	client := k.client(c.engine.dynamic, desired.GetNamespace())
	if observed == nil {
		if err := setLastApplied(desired, desired.Object); err != nil {
			return err
		}
		own(desired, parent)
		_, err := client.Create(ctx, desired, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			c.log("%s %s exists already and is not ours", k.Kind, objectKey(desired))
			return nil
		}
		return err
	}
	updated, err := updatedObject(observed, desired)
	if err != nil {
		return err
	}
	if reflect.DeepEqual(updated.Object, observed.Object) || observed.GetDeletionTimestamp() != nil {
		return nil
	}
	switch method {
	case "", "OnDelete":
		return nil
	case "Recreate":
		return c.deleteObject(ctx, k, observed)
	case "InPlace":
		c.log("updating %s %s", k.Kind, objectKey(desired))
		_, err := client.Update(ctx, updated, metav1.UpdateOptions{})
		if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
			return nil
		}
		return err
	}
	return fmt.Errorf("the stand-in knows no update strategy %q", method)
}

// updatedObject is what observed becomes when desired is applied to it.
func updatedObject(observed, desired *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	applied := map[string]any{}
	if annotation := observed.GetAnnotations()[lastApplied]; annotation != "" {
		if err := k8sjson.Unmarshal([]byte(annotation), &applied); err != nil {
			return nil, fmt.Errorf("annotation %s: %w", lastApplied, err)
		}
	}
	desired = desired.DeepCopy()
	removeLastApplied(desired)
	updated := &unstructured.Unstructured{Object: merged(observed.Object, applied, desired.Object)}
	for _, field := range systemFields {
		if err := restore(updated.Object, observed.Object, "metadata", field); err != nil {
			return nil, err
		}
	}
	if err := restore(updated.Object, observed.Object, "status"); err != nil {
		return nil, err
	}
	return updated, setLastApplied(updated, desired.Object)
}

// restore gives a field the value that it has in original, or removes it.
func restore(object, original map[string]any, path ...string) error {
	value, found, err := unstructured.NestedFieldCopy(original, path...)
	if err != nil {
		return err
	}
	if !found {
		unstructured.RemoveNestedField(object, path...)
		return nil
	}
	return unstructured.SetNestedField(object, value, path...)
}

func setLastApplied(object *unstructured.Unstructured, desired map[string]any) error {
	content, err := json.Marshal(desired)
	if err != nil {
		return err
	}
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[lastApplied] = string(content)
	object.Object = runtime.DeepCopyJSON(object.Object)
	object.SetAnnotations(annotations)
	return nil
}

func removeLastApplied(object *unstructured.Unstructured) {
	annotations := object.GetAnnotations()
	if _, has := annotations[lastApplied]; !has {
		return
	}
	delete(annotations, lastApplied)
	if len(annotations) == 0 {
		annotations = nil
	}
	object.SetAnnotations(annotations)
}

// own adds the parent as the controller of a child.
func own(child, parent *unstructured.Unstructured) {
	owners := child.GetOwnerReferences()
	for _, owner := range owners {
		if owner.UID == parent.GetUID() {
			return
		}
	}
	child.SetOwnerReferences(append(owners, *metav1.NewControllerRef(parent, parent.GroupVersionKind())))
}
