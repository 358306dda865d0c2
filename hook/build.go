package hook

import (
	"fmt"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/canonical"
	"github.com/xflops/flame-operator/hook/flameconf"
	"github.com/xflops/flame-operator/hook/observed"
	"github.com/xflops/flame-operator/hook/resources"
)

// built is what an answer's children were made of.
type built struct {
	children  []canonical.Object
	executors resources.Executors
	// wantedExecutors is how many executor managers the spec asks for, be they held
	// back for the moment or not.
	wantedExecutors int32
	// holdExecutors is true while the session manager is not available.
	holdExecutors bool
	immutable     []string
	// sessionManagerTemplate is the pod template of the session manager.
	sessionManagerTemplate *corev1.PodTemplateSpec
}

// decider says what is to happen to the executors, given everything else.
type decider func(b *built) resources.Executors

func build(r *Request, p *plan, decide decider) (built, error) {
	name, namespace := r.Parent.Metadata.Name, r.Parent.Metadata.Namespace
	config, err := flameconf.Render(name, namespace, p.spec)
	if err != nil {
		return built{}, noSafeAnswer("the configuration can't be rendered: " + err.Error())
	}
	cluster := resources.Cluster{
		Name: name, Namespace: namespace,
		Spec: p.spec, Config: config, LastGood: p.record,
	}
	b := built{wantedExecutors: wantedExecutors(r, p)}
	objects, err := resources.Children(cluster)
	if err != nil {
		return built{}, noSafeAnswer("the objects can't be built: " + err.Error())
	}
	if err := b.add(&r.Children, objects); err != nil {
		return built{}, err
	}
	b.executors = decide(&b)
	b.executors.KeepBudget = keepsBudget(r, p)
	cluster.Executors = b.executors
	objects, err = resources.ExecutorChildren(cluster)
	if err != nil {
		return built{}, noSafeAnswer("the executors can't be built: " + err.Error())
	}
	if err := b.add(&r.Children, objects); err != nil {
		return built{}, err
	}
	return b, nil
}

func (b *built) add(children *observed.Children, objects []resources.Object) error {
	for _, object := range objects {
		deployment, isDeployment := object.(*appsv1.Deployment)
		if isDeployment {
			b.keepImmutable(children.Deployments[deployment.Name], deployment)
			if deployment.Labels[v1alpha1.LabelComponent] == string(v1alpha1.ComponentSessionManager) {
				b.sessionManagerTemplate = &deployment.Spec.Template
			}
		}
		child, err := canonical.New(object)
		if err == nil && isDeployment && b.holds(deployment, child.Hash, children.Deployments[deployment.Name]) {
			deployment.Spec.Paused = true
			child, err = canonical.New(deployment)
		}
		if err != nil {
			return noSafeAnswer(err.Error())
		}
		b.children = append(b.children, child)
	}
	return nil
}

// holds says whether a change of the executors has to wait for the session manager:
// new executors would exit, be restarted ever more slowly, and take the place of
// old ones. A paused Deployment can still be scaled.
func (b *built) holds(desired *appsv1.Deployment, hash string, existing *observed.Deployment) bool {
	return b.holdExecutors && existing != nil && *desired.Spec.Replicas > 0 && existing.Metadata.Hash() != hash &&
		desired.Labels[v1alpha1.LabelComponent] == string(v1alpha1.ComponentExecutorManager)
}

// keepImmutable keeps the selector that a Deployment already has: the API server
// refuses a change of it, and with it every other change of the Deployment.
func (b *built) keepImmutable(existing *observed.Deployment, desired *appsv1.Deployment) {
	if existing == nil || existing.Spec.Selector == nil || equality.Semantic.DeepEqual(existing.Spec.Selector, desired.Spec.Selector) {
		return
	}
	desired.Spec.Selector = existing.Spec.Selector.DeepCopy()
	maps.Copy(desired.Spec.Template.Labels, existing.Spec.Selector.MatchLabels)
	b.immutable = append(b.immutable, fmt.Sprintf("Deployment %s: spec.selector", desired.Name))
}

func (b *built) find(kind, name string) *canonical.Object {
	for i := range b.children {
		if b.children[i].Kind == kind && b.children[i].Name == name {
			return &b.children[i]
		}
	}
	return nil
}
