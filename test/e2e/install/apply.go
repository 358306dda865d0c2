package install

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// lastApplied is where `kubectl apply` keeps what it applied. Its size is limited,
// which limits the size of what can be applied.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

const fieldManager = "kubectl-client-side-apply"

// Installer applies objects and collects the warnings of the API server.
type Installer struct {
	client dynamic.Interface
	mapper *restmapper.DeferredDiscoveryRESTMapper

	mu       sync.Mutex
	warnings []string
}

// New returns an Installer that talks to the API server of config.
func New(config *rest.Config) (*Installer, error) {
	i := &Installer{}
	config = rest.CopyConfig(config)
	config.WarningHandler = i
	disco, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	i.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(disco))
	i.client, err = dynamic.NewForConfig(config)
	return i, err
}

// HandleWarningHeader collects a warning.
func (i *Installer) HandleWarningHeader(code int, _ string, text string) {
	if code != 299 || text == "" {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if !slices.Contains(i.warnings, text) {
		i.warnings = append(i.warnings, text)
	}
}

// Warnings returns what the API server has warned about so far.
func (i *Installer) Warnings() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.warnings)
}

// Apply creates or updates the objects in their order, as `kubectl apply` does. It
// waits until a CustomResourceDefinition is served before it goes on.
func (i *Installer) Apply(ctx context.Context, objects ...*unstructured.Unstructured) error {
	for _, o := range objects {
		if err := i.apply(ctx, o); err != nil {
			return fmt.Errorf("%s %s: %w", o.GetKind(), o.GetName(), err)
		}
	}
	return nil
}

func (i *Installer) apply(ctx context.Context, object *unstructured.Unstructured) error {
	client, err := i.clientFor(object)
	if err != nil {
		return err
	}
	object = object.DeepCopy()
	compact, err := json.Marshal(object)
	if err != nil {
		return err
	}
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[lastApplied] = string(compact)
	object.SetAnnotations(annotations)
	_, err = client.Create(ctx, object, metav1.CreateOptions{FieldManager: fieldManager})
	if apierrors.IsAlreadyExists(err) {
		err = update(ctx, client, object)
	}
	if err != nil {
		return err
	}
	if object.GetKind() == "CustomResourceDefinition" {
		return i.waitEstablished(ctx, client, object.GetName())
	}
	return nil
}

// update changes an existing object from what was applied before to what is applied now.
func update(ctx context.Context, client dynamic.ResourceInterface, object *unstructured.Unstructured) error {
	live, err := client.Get(ctx, object.GetName(), metav1.GetOptions{})
	if err != nil {
		return err
	}
	current, err := json.Marshal(live)
	if err != nil {
		return err
	}
	modified, err := json.Marshal(object)
	if err != nil {
		return err
	}
	original := []byte(live.GetAnnotations()[lastApplied])
	if len(original) == 0 {
		original = []byte("{}")
	}
	patch, err := jsonmergepatch.CreateThreeWayJSONMergePatch(original, modified, current)
	if err != nil {
		return err
	}
	_, err = client.Patch(ctx, object.GetName(), types.MergePatchType, patch, metav1.PatchOptions{FieldManager: fieldManager})
	return err
}

func (i *Installer) clientFor(object *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	gvk := object.GroupVersionKind()
	mapping, err := i.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if meta.IsNoMatchError(err) {
		i.mapper.Reset()
		mapping, err = i.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	}
	if err != nil {
		return nil, err
	}
	if mapping.Scope.Name() == meta.RESTScopeNameRoot {
		return i.client.Resource(mapping.Resource), nil
	}
	namespace := object.GetNamespace()
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	return i.client.Resource(mapping.Resource).Namespace(namespace), nil
}

func (i *Installer) waitEstablished(ctx context.Context, client dynamic.ResourceInterface, name string) error {
	const patience = 5 * time.Minute
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		definition, err := client.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		status, _ := definition.Object["status"].(map[string]any)
		conditions, _ := status["conditions"].([]any)
		for _, c := range conditions {
			if condition, ok := c.(map[string]any); ok && condition["type"] == "Established" && condition["status"] == "True" {
				i.mapper.Reset()
				return nil
			}
		}
	}
	return fmt.Errorf("not established after %s", patience)
}
