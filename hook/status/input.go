package status

import (
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// Input is everything that a status depends on.
type Input struct {
	// Now is the time of the request. Conditions carry it in whole seconds.
	Now time.Time
	// Parent is the FlameCluster itself.
	Parent Parent
	// Previous is the status that the request carries, written by any version of
	// this package or of another controller.
	Previous v1alpha1.FlameClusterStatus
	// Spec is the spec that runs, with defaults. It is nil when there is none: the
	// very first spec is invalid, or the cluster is being finalized.
	Spec *v1alpha1.FlameClusterSpec
	// Desired are all children in the answer.
	Desired []Ref
	// SessionManager, Executors and ObjectCache are the Deployments that are wanted.
	SessionManager, Executors, ObjectCache Workload
	// Children are the observed children; nil is none.
	Children *observed.Children
	// Related are the observed pods, where they are visible; nil is none.
	Related *observed.Related
	// Invalid is set while the spec of the parent can't be used.
	Invalid *Invalid
	// Paused says that children are kept as they are, whatever the spec says.
	Paused bool
	// Immutable are the fields that keep their observed value although another is
	// wanted, as "Deployment NAME: spec.selector".
	Immutable []string
	// LastGoodGeneration is the generation of the spec that runs, 0 if unknown.
	LastGoodGeneration int64
	// Warnings are advice about the spec, in a stable order.
	Warnings []string
	// Selector selects the executor managers' pods.
	Selector string
	// Endpoint and CacheEndpoint are where clients reach the daemons; "" for none.
	Endpoint, CacheEndpoint string
}

// Parent is what a status needs to know about the FlameCluster's metadata.
type Parent struct {
	Name, Namespace   string
	Generation        int64
	CreationTimestamp time.Time
	// Deleting says that the FlameCluster has a deletionTimestamp.
	Deleting bool
}

// Ref names one wanted child.
type Ref struct {
	Kind, Name string
	// Hash is the value of the annotation AnnotationHash that the child is sent with.
	Hash string
	// Strays names what others added to the child and what has to go, as "spec.paused,
	// spec.selector[app]"; "" for nothing.
	Strays string
}

// Workload is one Deployment that is wanted, or not.
type Workload struct {
	Name string
	// Wanted says whether the Deployment is among the children of the answer.
	Wanted bool
	// Replicas is the number of pods that the spec asks for. It may exceed what the
	// Deployment is sent with while executors wait for the session manager.
	Replicas int32
}

// Invalid says why the spec of the parent can't be used.
type Invalid struct {
	// Reason is ReasonInvalidSpec or ReasonUnsupportedByVersion.
	Reason string
	// Errors are all errors of the spec.
	Errors field.ErrorList
}
