package hook

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/canonical"
	"github.com/xflops/flame-operator/hook/flameconf"
	"github.com/xflops/flame-operator/hook/observed"
	"github.com/xflops/flame-operator/hook/resources"
	"github.com/xflops/flame-operator/hook/status"
)

// built is what an answer's children were made of.
type built struct {
	children []canonical.Object
	// wanted says of each of them what the status has to know.
	wanted    []status.Ref
	executors resources.Executors
	// wantedExecutors is how many executor managers the spec asks for, be they held
	// back for the moment or not.
	wantedExecutors int32
	// holdExecutors is true while the session manager is not available.
	holdExecutors bool
	immutable     []string
	// sessionManagerTemplate is the hash of the session manager's pod template.
	sessionManagerTemplate string
}

// decider says what is to happen to the executors, given everything else.
type decider func(b *built) resources.Executors

func (m *Memo) build(r *Request, p *plan, now time.Time, decide decider) (built, error) {
	parent, existing := &r.Parent.Metadata, standing{&r.Children, now}
	b := built{wantedExecutors: wantedExecutors(r, p)}
	key := childrenKey{name: parent.Name, namespace: parent.Namespace, record: p.record}
	from := source{p.spec, sync.OnceValues(func() (flameconf.Config, error) {
		return flameconf.Render(parent.Name, parent.Namespace, p.spec)
	})}
	others, err := m.childrenFor(key, from, existing)
	if err != nil {
		return built{}, noSafeAnswer(err.Error())
	}
	b.add(others)
	b.executors = decide(&b)
	b.executors.KeepBudget = keepsBudget(r, p)
	if !b.executors.Wanted {
		return b, nil
	}
	key.executors, key.replicas = b.executors, *p.spec.Replicas
	executors, err := m.childrenFor(key, from, existing)
	if err == nil && b.holds(r.Children.Deployments, executors) {
		key.executors.Paused = true
		executors, err = m.childrenFor(key, from, existing)
	}
	if err != nil {
		return built{}, noSafeAnswer(err.Error())
	}
	b.add(executors)
	return b, nil
}

func (b *built) add(children childList) {
	for i := range children {
		c := &children[i]
		b.children = append(b.children, c.Object)
		b.wanted = append(b.wanted, status.Ref{Kind: c.Kind, Name: c.Name, Hash: c.Hash, Strays: c.strays})
		if c.keptSelector {
			b.immutable = append(b.immutable, fmt.Sprintf("Deployment %s: spec.selector", c.Name))
		}
		if c.component == v1alpha1.ComponentSessionManager {
			b.sessionManagerTemplate = c.podTemplate
		}
	}
}

// holds says whether a change of the executors has to wait for the session manager:
// new executors would exit, be restarted ever more slowly, and take the place of
// old ones. A paused Deployment can still be scaled.
func (b *built) holds(existing map[string]*observed.Deployment, executors childList) bool {
	if !b.holdExecutors || b.executors.Replicas == 0 {
		return false
	}
	return slices.ContainsFunc(executors, func(c child) bool {
		d := existing[c.Name]
		return c.isDeployment() && d != nil && d.Metadata.Hash() != c.Hash
	})
}

// source is what children are made from when they are not remembered.
type source struct {
	spec *v1alpha1.FlameClusterSpec
	// render renders the configuration once for all of them.
	render func() (flameconf.Config, error)
}

// childrenFor returns the children of the executors if the key says that these are
// wanted, or else all others. A Deployment that exists keeps its selector: the API
// server refuses a change of it, and with it every other change of the Deployment. What
// others added to a child goes as withStraysOf says.
func (m *Memo) childrenFor(key childrenKey, from source, existing standing) (childList, error) {
	children, err := m.children.get(key, func(key childrenKey) (childList, error) {
		return makeChildren(key, from)
	})
	if err != nil {
		return nil, err
	}
	if children, err = withSelectorsOf(existing.children.Deployments, children); err != nil {
		return nil, err
	}
	return withStraysOf(existing, children)
}

func makeChildren(key childrenKey, from source) (childList, error) {
	config, err := from.render()
	if err != nil {
		return nil, fmt.Errorf("the configuration can't be rendered: %w", err)
	}
	cluster := resources.Cluster{
		Name: key.name, Namespace: key.namespace,
		// Builders put parts of the spec into objects that they go on to change, and
		// other calls may be reading the spec.
		Spec:   from.spec.DeepCopy(),
		Config: config, LastGood: key.record, Executors: key.executors,
	}
	builders := resources.Children
	if key.executors.Wanted {
		builders = resources.ExecutorChildren
	}
	objects, err := builders(cluster)
	if err != nil {
		return nil, fmt.Errorf("the objects can't be built: %w", err)
	}
	return newChildren(objects)
}

func (b *built) find(kind, name string) *canonical.Object {
	for i := range b.children {
		if b.children[i].Kind == kind && b.children[i].Name == name {
			return &b.children[i]
		}
	}
	return nil
}
