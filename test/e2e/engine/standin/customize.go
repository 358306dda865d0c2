package standin

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// customizeAnswer is the answer to a customize call.
type customizeAnswer struct {
	RelatedResources []relatedRule `json:"relatedResources"`
}

// relatedRule selects related objects of one kind.
type relatedRule struct {
	APIVersion    string                `json:"apiVersion"`
	Resource      string                `json:"resource"`
	LabelSelector *metav1.LabelSelector `json:"labelSelector"`
	Namespace     string                `json:"namespace"`
	Names         []string              `json:"names"`
}

// customizeLifetime is how long an answer to customize is good for.
const customizeLifetime = 20 * time.Minute

// errRelatedNotSynced asks for another try soon, without an event.
var errRelatedNotSynced = errors.New("related objects are not there yet")

// customizations remembers the answers to customize by parent and generation.
type customizations struct {
	mu    sync.Mutex
	known map[customizeKey]customization
}

type customizeKey struct {
	uid        types.UID
	generation int64
}

type customization struct {
	rules   []relatedRule
	expires time.Time
}

// rules returns which related objects the hook wants for that parent.
func (c *controller) rules(ctx context.Context, parent *unstructured.Unstructured) ([]relatedRule, error) {
	h := c.spec.Spec.Hooks.Customize
	if h == nil {
		return nil, nil
	}
	key := customizeKey{parent.GetUID(), parent.GetGeneration()}
	c.customized.mu.Lock()
	known, ok := c.customized.known[key]
	c.customized.mu.Unlock()
	if ok && time.Now().Before(known.expires) {
		return known.rules, nil
	}
	var answer customizeAnswer
	if err := call(ctx, h, map[string]any{"controller": c.spec.raw, "parent": parent}, &answer); err != nil {
		return nil, fmt.Errorf("customize hook failed: %w", err)
	}
	c.customized.mu.Lock()
	defer c.customized.mu.Unlock()
	c.customized.known[key] = customization{answer.RelatedResources, time.Now().Add(customizeLifetime)}
	return answer.RelatedResources, nil
}

// related returns the related objects that the hook wants for that parent.
func (c *controller) related(ctx context.Context, parent *unstructured.Unstructured) (objectMap, error) {
	rules, err := c.rules(ctx, parent)
	if err != nil {
		return nil, err
	}
	found := objectMap{}
	for _, rule := range rules {
		k, err := c.engine.kinds.byResource(rule.APIVersion, rule.Resource)
		if err != nil {
			return nil, err
		}
		informer := c.engine.informer(k.resource)
		if c.watchOnce(k) {
			if err := c.handleRelated(informer.Informer()); err != nil {
				return nil, err
			}
			// Informers outlive the controller: the next one uses them too.
			c.engine.factory.Start(c.engine.ctx.Done())
		}
		if !informer.Informer().HasSynced() {
			return nil, errRelatedNotSynced
		}
		found.group(k.GroupVersionKind)
		objects, err := c.engine.lister(k.resource).List(labels.Everything())
		if err != nil {
			return nil, err
		}
		for _, o := range objects {
			object := o.(*unstructured.Unstructured)
			matches, err := c.matches(rule, k, parent, object)
			if err != nil {
				return nil, err
			}
			if matches {
				found.insert(object)
			}
		}
	}
	return found, nil
}

// matches follows the rules of the hook's version: version 1 stays in the parent's
// namespace, version 2 spans all namespaces unless the rule names one.
func (c *controller) matches(rule relatedRule, k *kind, parent, object *unstructured.Unstructured) (bool, error) {
	if len(rule.Names) > 0 && rule.LabelSelector != nil {
		return false, fmt.Errorf("related rule for %s has both names and a label selector", rule.Resource)
	}
	namespace := rule.Namespace
	if !c.spec.Spec.Hooks.Customize.v2() && k.namespaced {
		if namespace != "" && namespace != parent.GetNamespace() {
			return false, fmt.Errorf("related rule for %s names another namespace than the parent's", rule.Resource)
		}
		namespace = parent.GetNamespace()
	}
	if k.namespaced && namespace != "" && object.GetNamespace() != namespace {
		return false, nil
	}
	if len(rule.Names) > 0 && !slices.Contains(rule.Names, object.GetName()) {
		return false, nil
	}
	if rule.LabelSelector == nil {
		return true, nil
	}
	selector, err := metav1.LabelSelectorAsSelector(rule.LabelSelector)
	if err != nil {
		return false, err
	}
	return selector.Matches(labels.Set(object.GetLabels())), nil
}

// parentsOf returns the parents for which one of the objects, two versions of the
// same, is related.
func (c *controller) parentsOf(objects ...*unstructured.Unstructured) []*unstructured.Unstructured {
	var parents []*unstructured.Unstructured
	all, err := c.engine.lister(c.parent.resource).List(labels.Everything())
	if err != nil {
		return nil
	}
	for _, p := range all {
		parent := p.(*unstructured.Unstructured)
		rules, err := c.rules(c.ctx, parent)
		if err != nil {
			continue
		}
		if slices.ContainsFunc(rules, func(rule relatedRule) bool { return c.relates(rule, parent, objects) }) {
			parents = append(parents, parent)
		}
	}
	return parents
}

func (c *controller) relates(rule relatedRule, parent *unstructured.Unstructured, objects []*unstructured.Unstructured) bool {
	k, err := c.engine.kinds.byResource(rule.APIVersion, rule.Resource)
	if err != nil {
		return false
	}
	for _, object := range objects {
		if object.GroupVersionKind() != k.GroupVersionKind {
			continue
		}
		if matches, err := c.matches(rule, k, parent, object); err == nil && matches {
			return true
		}
	}
	return false
}
