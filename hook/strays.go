package hook

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
	"github.com/xflops/flame-operator/hook/resources"
)

// standing is what exists at the time of the request.
type standing struct {
	children *observed.Children
	now      time.Time
}

// withStraysOf finds what others added to children, and gets rid of it. Metacontroller's
// dynamic apply takes away only what it sent itself before, as kubectl apply does. So a
// stray is sent once, with which it becomes Metacontroller's, and is left out at the next
// call. Server-side apply leaves a field alone as long as another manager has it: there
// strays can only be reported. withStraysOf does not write to children.
func withStraysOf(existing standing, children childList) (childList, error) {
	cloned := false
	for i := range children {
		next, err := children[i].besides(existing)
		if err != nil {
			return nil, err
		}
		if next == nil {
			continue
		}
		if !cloned {
			cloned, children = true, slices.Clone(children)
		}
		children[i] = *next
	}
	return children, nil
}

// besides is the child as it is to be sent in view of what others added, nil if as it is.
func (c *child) besides(existing standing) (*child, error) {
	meta, found := looseChild(existing.children, c)
	if meta == nil {
		return nil, nil
	}
	marked := readStrayMark(meta.Annotations[v1alpha1.AnnotationStraysSent])
	mark := marked.fresh(existing.now)
	strays := found.strays(&c.loose, true)
	if len(strays) == 0 {
		if mark != nil {
			return c.remade(nil, mark)
		}
		return nil, nil
	}
	sent := meta.LastApplied()
	if sent == "" {
		strays = found.strays(&c.loose, false)
		// Another hash: what is there may be what was sent before.
		if len(strays) == 0 || meta.Hash() != c.Hash {
			return nil, nil
		}
		reported := *c
		reported.strays = strings.Join(strays, ", ")
		return &reported, nil
	}
	add := &found
	switch takesAway := c.takesAway(strays, sent); {
	case takesAway && !marked.covers(strays):
		// It was wanted before the spec was changed.
		strays, add = nil, nil
	case takesAway:
		add, mark = nil, marked
	case mark.covers(strays):
		add = nil
	default:
		mark = mark.with(strays, existing.now)
	}
	if add == nil && mark == nil {
		return nil, nil
	}
	next, err := c.remade(add, mark)
	if err == nil {
		next.strays = strings.Join(strays, ", ")
	}
	return next, err
}

// looseChild returns what is observed of a child, nil if it does not exist.
func looseChild(existing *observed.Children, c *child) (*observed.Meta, loose) {
	if c.isDeployment() {
		if d := existing.Deployments[c.Name]; d != nil {
			return &d.Metadata, looseDeployment(d)
		}
	} else if o := existing.Object(c.Kind, c.Name); o != nil {
		return &o.Metadata, readLoose(c.Kind, o.Spec())
	}
	return nil, loose{}
}

// takesAway says whether dynamic apply takes all of the strays away with the child as it
// is, since they were in what was sent last.
func (c *child) takesAway(strays []string, sent string) bool {
	last := readLoose(c.Kind, memberOf(sent, "spec"))
	return containsAll(last.strays(&c.loose, true), strays)
}

// remade is the child with the mark, and with what was found in it, unless that is nil,
// such that the API server takes it.
func (c *child) remade(found *loose, mark *strayMark) (*child, error) {
	var object resources.Object = &appsv1.Deployment{}
	switch c.Kind {
	case "Service":
		object = &corev1.Service{}
	case "NetworkPolicy":
		object = &networkingv1.NetworkPolicy{}
	case "PodDisruptionBudget":
		object = &policyv1.PodDisruptionBudget{}
	}
	if err := c.decode(object); err != nil {
		return nil, err
	}
	if found != nil {
		c.add(found, object)
	}
	with, err := newMarkedChild(object, map[string]string{v1alpha1.AnnotationStraysSent: mark.String()})
	with.keptSelector = c.keptSelector
	return &with, err
}

func (c *child) add(found *loose, object resources.Object) {
	switch o := object.(type) {
	case *corev1.Service:
		for _, other := range found.ports {
			if i := c.loose.displacedBy(other); i >= 0 {
				o.Spec.Ports[i].Port = other.number
			}
		}
		o.Spec.Selector = united[map[string]string](found.selector, c.loose.selector)
	case *networkingv1.NetworkPolicy:
		o.Spec.PodSelector = united[metav1.LabelSelector](found.selector, c.loose.selector)
	case *policyv1.PodDisruptionBudget:
		o.Spec.Selector = united[*metav1.LabelSelector](found.selector, c.loose.selector)
		if found.minAvailable != "" {
			o.Spec.MinAvailable, o.Spec.MaxUnavailable = united[*intstr.IntOrString](found.minAvailable), nil
		}
	case *appsv1.Deployment:
		o.Spec.Paused = found.paused
		if found.rollingUpdate != "" && c.loose.rollingUpdate == "" {
			o.Spec.Strategy.Type = appsv1.RollingUpdateDeploymentStrategyType
			o.Spec.Strategy.RollingUpdate = united[*appsv1.RollingUpdateDeployment](found.rollingUpdate)
			// No pod must be replaced by another strategy than its own.
			o.Spec.Paused = true
		}
	}
}

// united reads JSON texts over each other. What is of a wrong type counts as absent.
func united[T any](texts ...string) T {
	var value T
	for _, text := range texts {
		_ = json.Unmarshal([]byte(text), &value)
	}
	return value
}
