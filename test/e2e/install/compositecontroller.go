package install

import (
	"fmt"
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// PointAt lets all webhooks of a CompositeController call the hook at base, a URL
// without a path. Their paths and queries stay as they are.
func PointAt(controller *unstructured.Unstructured, base string) error {
	hooks, _, err := unstructured.NestedMap(controller.Object, "spec", "hooks")
	if err != nil {
		return err
	}
	if len(hooks) == 0 {
		return fmt.Errorf("CompositeController %s has no hooks", controller.GetName())
	}
	for name := range hooks {
		webhook, found, err := unstructured.NestedMap(hooks, name, "webhook")
		if err != nil || !found {
			return fmt.Errorf("hook %s has no webhook: %w", name, err)
		}
		path, err := pathOf(webhook)
		if err != nil {
			return fmt.Errorf("hook %s: %w", name, err)
		}
		for _, key := range []string{"service", "path"} {
			delete(webhook, key)
		}
		webhook["url"] = base + path
		if err := unstructured.SetNestedMap(hooks, webhook, name, "webhook"); err != nil {
			return err
		}
	}
	return unstructured.SetNestedMap(controller.Object, hooks, "spec", "hooks")
}

func pathOf(webhook map[string]any) (string, error) {
	if path, ok := webhook["path"].(string); ok && strings.HasPrefix(path, "/") {
		return path, nil
	}
	address, _ := webhook["url"].(string)
	parsed, err := url.Parse(address)
	if err != nil || parsed.Path == "" {
		return "", fmt.Errorf("neither path nor url says what to call")
	}
	return parsed.RequestURI(), nil
}

// Isolate makes a CompositeController one of several that run side by side: it
// is called name, engines select it by the label controllerLabel=name, and it only
// sees parents with the label parentLabel=name.
func Isolate(controller *unstructured.Unstructured, name, controllerLabel, parentLabel string) error {
	controller.SetName(name)
	controller.SetLabels(map[string]string{controllerLabel: name})
	return unstructured.SetNestedStringMap(controller.Object, map[string]string{parentLabel: name}, "spec", "parentResource", "labelSelector", "matchLabels")
}
