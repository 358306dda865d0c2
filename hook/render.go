package hook

import (
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/hook/canonical"
	"github.com/xflops/flame-operator/hook/resources"
)

// Rendering is what a FlameCluster gets, without any cluster at hand.
type Rendering struct {
	// Children are all objects, the executors included, which a live cluster gets
	// once its session manager is available. Empty when there are Errors.
	Children []canonical.Object
	// Errors say, with field paths, why the spec is refused.
	Errors field.ErrorList
	// Warnings are advice, in a stable order.
	Warnings []string
}

// Render returns what a FlameCluster gets. An unknown field is an error here, since
// the spec comes from a file and no API server dropped the field. Faults of the
// spec are in Rendering.Errors; the error is for what a valid spec never causes.
func Render(parent *Parent) (*Rendering, error) {
	name, namespace := parent.Metadata.Name, parent.Metadata.Namespace
	judgement := JudgeStrictly(name, parent.Spec)
	rendering := &Rendering{Errors: judgement.Errors, Warnings: judgement.Warnings}
	if len(judgement.Errors) > 0 {
		return rendering, nil
	}
	r := &Request{Parent: *parent}
	p := plan{spec: judgement.Spec, record: resources.LastGood{Spec: judgement.record, Generation: 1}}
	b, err := new(Memo).build(r, &p, time.Time{}, func(b *built) resources.Executors {
		state, _ := sessionManagerState(r, b.sessionManagerTemplate, "")
		return resources.Executors{Wanted: true, Replicas: b.wantedExecutors, SessionManagerState: state}
	})
	if err != nil {
		return nil, err
	}
	rendering.Children = b.children
	return rendering, canonical.Check(namespace, rendering.Children)
}
