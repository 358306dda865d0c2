package hook

import (
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/canonical"
	"github.com/xflops/flame-operator/hook/observed"
	"github.com/xflops/flame-operator/hook/resources"
)

// child is one child, and what decisions need to know about it. The rest is set for
// Deployments only.
type child struct {
	canonical.Object

	component v1alpha1.Component
	selector  *metav1.LabelSelector
	// keptSelector is true when the selector is not the one that it should be.
	keptSelector bool
	// podTemplate is the hash of the session manager's pod template.
	podTemplate string

	// loose is what is wanted of the parts that others add to.
	loose loose
	// strays names what others added to the existing object, "" for nothing.
	strays string
}

func (c *child) isDeployment() bool { return c.selector != nil }

type childList []child

// size is about how many bytes the children take.
func (l childList) size() int {
	const besidesText = 1 << 10
	size := besidesText * len(l)
	for i := range l {
		size += l[i].Size()
	}
	return size
}

func newChildren(objects []resources.Object) (childList, error) {
	children := make(childList, 0, len(objects))
	for _, object := range objects {
		c, err := newChild(object)
		if err != nil {
			return nil, err
		}
		children = append(children, c)
	}
	return children, nil
}

func newChild(object resources.Object) (child, error) { return newMarkedChild(object, nil) }

// newMarkedChild is a child with annotations that are not in its hash.
func newMarkedChild(object resources.Object, marks map[string]string) (c child, err error) {
	if c.Object, err = canonical.NewMarked(object, marks); err != nil {
		return child{}, err
	}
	c.loose = readLoose(c.Kind, memberOf(c.Text(), "spec"))
	if d, ok := object.(*appsv1.Deployment); ok {
		c.component = v1alpha1.Component(d.Labels[v1alpha1.LabelComponent])
		c.selector = d.Spec.Selector
		if c.component == v1alpha1.ComponentSessionManager {
			c.podTemplate, err = canonical.Hash(&d.Spec.Template)
		}
	}
	return c, err
}

// withSelectorsOf gives Deployments the selectors that the existing ones have. It does
// not write to children.
func withSelectorsOf(existing map[string]*observed.Deployment, children childList) (childList, error) {
	changed := false
	for i := range children {
		c, d := &children[i], existing[children[i].Name]
		if !c.isDeployment() || d == nil || d.Spec.Selector == nil || isSelector(d.Spec.Selector, c.selector.MatchLabels) {
			continue
		}
		if !changed {
			changed, children = true, slices.Clone(children)
		}
		var err error
		if children[i], err = c.withSelector(d.Spec.Selector); err != nil {
			return nil, err
		}
	}
	return children, nil
}

// isSelector says whether a selector asks for these labels and nothing else.
func isSelector(s *metav1.LabelSelector, labels map[string]string) bool {
	return len(s.MatchExpressions) == 0 && maps.Equal(s.MatchLabels, labels)
}

// withSelector is the Deployment with another selector, and with the labels that this
// one asks for.
func (c *child) withSelector(selector *metav1.LabelSelector) (child, error) {
	var d appsv1.Deployment
	if err := c.decode(&d); err != nil {
		return child{}, err
	}
	d.Spec.Selector = selector
	maps.Copy(d.Spec.Template.Labels, selector.MatchLabels)
	changed, err := newChild(&d)
	changed.keptSelector = true
	return changed, err
}

// decode makes a typed object of the child, of which another child can be made.
func (c *child) decode(into resources.Object) error {
	if err := c.Decode(into); err != nil {
		return fmt.Errorf("%s %s can't be changed: %w", c.Kind, c.Name, err)
	}
	// The hash is of everything but itself.
	delete(into.GetAnnotations(), v1alpha1.AnnotationHash)
	return nil
}
