package standin

import (
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var compositeControllers = schema.GroupVersionResource{Group: "metacontroller.k8s.io", Version: "v1alpha1", Resource: "compositecontrollers"}

// compositeController is what is read of a CompositeController.
type compositeController struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		ParentResource struct {
			APIVersion          string                `json:"apiVersion"`
			Resource            string                `json:"resource"`
			LabelSelector       *metav1.LabelSelector `json:"labelSelector"`
			IgnoreStatusChanges bool                  `json:"ignoreStatusChanges"`
		} `json:"parentResource"`
		ChildResources []struct {
			APIVersion     string `json:"apiVersion"`
			Resource       string `json:"resource"`
			UpdateStrategy struct {
				Method string `json:"method"`
			} `json:"updateStrategy"`
		} `json:"childResources"`
		Hooks struct {
			Sync      *hook `json:"sync"`
			Finalize  *hook `json:"finalize"`
			Customize *hook `json:"customize"`
		} `json:"hooks"`
		EndpointConfigs     []endpointConfig `json:"endpointConfigs"`
		GenerateSelector    bool             `json:"generateSelector"`
		ResyncPeriodSeconds int64            `json:"resyncPeriodSeconds"`
	} `json:"spec"`

	raw map[string]any
}

// hook is one webhook of a CompositeController.
type hook struct {
	Version string `json:"version"`
	Webhook struct {
		URL     string `json:"url"`
		Path    string `json:"path"`
		Service struct {
			Name      string `json:"name"`
			Namespace string `json:"namespace"`
			Port      int    `json:"port"`
			Protocol  string `json:"protocol"`
		} `json:"service"`
		Timeout                string `json:"timeout"`
		ResponseUnMarshallMode string `json:"responseUnMarshallMode"`
	} `json:"webhook"`

	endpoint *endpoint
}

func readCompositeController(object *unstructured.Unstructured) (*compositeController, error) {
	raw, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	c := &compositeController{raw: object.DeepCopy().Object}
	// The real thing sends its typed object, which always has a status.
	c.raw["status"] = map[string]any{}
	if err := json.Unmarshal(raw, c); err != nil {
		return nil, err
	}
	if !c.Spec.GenerateSelector {
		return nil, fmt.Errorf("generateSelector is not true, and the stand-in knows no other selector")
	}
	if c.Spec.Hooks.Sync == nil {
		return nil, fmt.Errorf("there is no sync hook")
	}
	return c, nil
}

// address is where the webhook is called.
func (h *hook) address() string {
	w := h.Webhook
	if w.URL != "" {
		return w.URL
	}
	protocol, port := w.Service.Protocol, w.Service.Port
	if protocol == "" {
		protocol = "http"
	}
	if port == 0 {
		port = 80
	}
	return fmt.Sprintf("%s://%s.%s:%d%s", protocol, w.Service.Name, w.Service.Namespace, port, w.Path)
}

// timeout covers a whole call. It is 10 s unless the webhook says something valid.
func (h *hook) timeout() time.Duration {
	if d, err := time.ParseDuration(h.Webhook.Timeout); err == nil && d > 0 {
		return d
	}
	return 10 * time.Second
}

// v2 says whether the hook speaks version 2; version 1 is the default.
func (h *hook) v2() bool { return h.Version == "v2" }

// strict says whether unknown and duplicate fields of an answer are errors.
func (h *hook) strict() bool {
	if h.Webhook.ResponseUnMarshallMode != "" {
		return h.Webhook.ResponseUnMarshallMode == "strict"
	}
	return h.v2()
}
