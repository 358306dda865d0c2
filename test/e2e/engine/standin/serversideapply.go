package standin

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// fieldManager is who owns the fields under server-side apply.
const fieldManager = "metacontroller"

// written is what is remembered of the last write of a child under server-side
// apply: as long as it still fits, nothing is sent.
type written struct {
	content         string
	uid             types.UID
	generation      int64
	resourceVersion string
}

// fits says whether the observed child is what was written. A kind without
// generations is compared by resourceVersion; of others, changes to metadata go unnoticed.
func (w *written) fits(observed *unstructured.Unstructured, content string) bool {
	if w.content != content || w.uid != observed.GetUID() || w.generation != observed.GetGeneration() {
		return false
	}
	return observed.GetGeneration() != 0 || w.resourceVersion == observed.GetResourceVersion()
}

// writes remembers the last write of each child, as long as the engine runs.
type writes struct {
	mu  sync.Mutex
	all map[string]*written
}

func (w *writes) of(key string) *written {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all[key]
}

func (w *writes) set(key string, value *written) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if value == nil {
		delete(w.all, key)
		return
	}
	w.all[key] = value
}

func writeKey(k *kind, object *unstructured.Unstructured) string {
	return k.Group + "/" + k.Kind + "/" + objectKey(object)
}

// serverSideApply writes children with a patch that takes every field, and objects
// that nobody controls, by force.
func (c *controller) serverSideApply(ctx context.Context, k *kind, method string, parent, observed, desired *unstructured.Unstructured) error {
	if observed != nil && observed.GetDeletionTimestamp() != nil {
		return nil
	}
	own(desired, parent)
	desired = desired.DeepCopy()
	for _, field := range systemFields {
		unstructured.RemoveNestedField(desired.Object, "metadata", field)
	}
	unstructured.RemoveNestedField(desired.Object, "status")
	removeLastApplied(desired)
	content, err := json.Marshal(desired)
	if err != nil {
		return err
	}
	key := writeKey(k, desired)
	client := k.client(c.engine.dynamic, desired.GetNamespace())
	if observed != nil {
		if last := c.engine.writes.of(key); last != nil && last.fits(observed, string(content)) {
			return nil
		}
		switch method {
		case "", "OnDelete":
			return nil
		case "InPlace":
			if err := c.dropLastApplied(ctx, k, observed); err != nil {
				return err
			}
		default:
			return fmt.Errorf("the stand-in knows no update strategy %q under server-side apply", method)
		}
	}
	force := true
	result, err := client.Patch(ctx, desired.GetName(), types.ApplyPatchType, content, metav1.PatchOptions{FieldManager: fieldManager, Force: &force})
	if apierrors.IsConflict(err) {
		return nil
	}
	if err != nil {
		return err
	}
	c.engine.writes.set(key, &written{string(content), result.GetUID(), result.GetGeneration(), result.GetResourceVersion()})
	return nil
}

// dropLastApplied removes what dynamic apply left behind.
func (c *controller) dropLastApplied(ctx context.Context, k *kind, observed *unstructured.Unstructured) error {
	if _, has := observed.GetAnnotations()[lastApplied]; !has {
		return nil
	}
	patch := `[{"op":"remove","path":"/metadata/annotations/` + strings.ReplaceAll(lastApplied, "/", "~1") + `"}]`
	_, err := k.client(c.engine.dynamic, observed.GetNamespace()).Patch(ctx, observed.GetName(), types.JSONPatchType, []byte(patch), metav1.PatchOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
