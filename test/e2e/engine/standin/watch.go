package standin

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"
)

// objectOf returns the object of an informer's notification, the last known one of
// an object that is gone.
func objectOf(o any) *unstructured.Unstructured {
	if gone, ok := o.(cache.DeletedFinalStateUnknown); ok {
		o = gone.Obj
	}
	object, _ := o.(*unstructured.Unstructured)
	return object
}

func (c *controller) handleParents(informer cache.SharedIndexInformer) error {
	registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) { c.enqueue(objectOf(o)) },
		UpdateFunc: func(o, n any) {
			if old, updated := objectOf(o), objectOf(n); !c.spec.Spec.ParentResource.IgnoreStatusChanges || parentChanged(old, updated) {
				c.enqueue(updated)
			}
		},
		DeleteFunc: func(o any) { c.enqueue(objectOf(o)) },
	})
	c.handlers = append(c.handlers, handler{informer, registration})
	return err
}

// parentChanged says whether an update is more than a status, under
// ignoreStatusChanges. A periodic notification, of the very same object, is.
func parentChanged(old, updated *unstructured.Unstructured) bool {
	return old == updated || old.GetGeneration() != updated.GetGeneration() || updated.GetDeletionTimestamp() != nil ||
		!reflect.DeepEqual(old.GetLabels(), updated.GetLabels()) || !reflect.DeepEqual(old.GetAnnotations(), updated.GetAnnotations())
}

func (c *controller) handleChildren(informer cache.SharedIndexInformer) error {
	notify := func(o any) {
		if child := objectOf(o); child != nil {
			c.enqueueParentOf(child)
		}
	}
	registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: notify,
		UpdateFunc: func(o, n any) {
			if objectOf(o).GetResourceVersion() != objectOf(n).GetResourceVersion() {
				notify(n)
			}
		},
		DeleteFunc: notify,
	})
	c.handlers = append(c.handlers, handler{informer, registration})
	return err
}

// enqueueParentOf finds the parent by the owner reference, or by the label for an
// object without a controller.
func (c *controller) enqueueParentOf(child *unstructured.Unstructured) {
	owner := metav1.GetControllerOf(child)
	uid := child.GetLabels()[uidLabel]
	if owner != nil {
		uid = string(owner.UID)
	} else if child.GetDeletionTimestamp() != nil {
		return
	}
	parents, err := c.engine.lister(c.parent.resource).ByNamespace(child.GetNamespace()).List(labels.Everything())
	if err != nil {
		return
	}
	for _, p := range parents {
		if parent := p.(*unstructured.Unstructured); string(parent.GetUID()) == uid {
			c.enqueue(parent)
		}
	}
}

func (c *controller) handleRelated(informer cache.SharedIndexInformer) error {
	notify := func(objects ...*unstructured.Unstructured) {
		for _, parent := range c.parentsOf(objects...) {
			c.enqueue(parent)
		}
	}
	registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) { notify(objectOf(o)) },
		UpdateFunc: func(o, n any) {
			if old, updated := objectOf(o), objectOf(n); old.GetResourceVersion() != updated.GetResourceVersion() {
				notify(old, updated)
			}
		},
		DeleteFunc: func(o any) { notify(objectOf(o)) },
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handlers = append(c.handlers, handler{informer, registration})
	return err
}
