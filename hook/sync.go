package hook

import (
	"time"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/canonical"
	"github.com/xflops/flame-operator/hook/flameconf"
	"github.com/xflops/flame-operator/hook/resources"
	"github.com/xflops/flame-operator/hook/status"
)

// resyncWhileNotReady is after how many seconds to be asked again while a cluster is not
// ready. A pod that is stuck does not change, so no event would bring the next call, and
// grace times would never end.
const resyncWhileNotReady = 15

// Sync answers a sync call: every object that the FlameCluster should have, and a
// status that tells what was observed. The answer depends on the request and on now,
// which matters to nothing but grace times and the times of condition changes.
//
// An invalid spec is no error: the answer then holds the objects of the last good
// spec and a status that names the faults. An *Error is returned where any answer
// could do harm; Metacontroller then leaves everything as it is.
func Sync(r *Request, now time.Time) (*Response, error) {
	return new(Memo).Sync(r, now)
}

// Sync answers a sync call as the function Sync does.
func (m *Memo) Sync(r *Request, now time.Time) (*Response, error) {
	p, err := m.planFor(r)
	if err != nil {
		return nil, err
	}
	response := &Response{Children: []canonical.Object{}, namespace: r.Parent.Metadata.Namespace}
	input := statusInput(r, &p, now)
	if p.spec != nil {
		built, err := m.build(r, &p, now, func(b *built) resources.Executors { return decideExecutors(r, b) })
		if err != nil {
			return nil, err
		}
		response.Children = built.children
		describe(&input, &p, built)
	}
	response.Status = status.Compute(input)
	response.ResyncAfterSeconds = resyncAfter(response.Status)
	return response, nil
}

// Finalize answers a finalize call: no children are wanted any more, and the
// parent may go as soon as none is observed. It may be called any number of times.
func Finalize(r *Request, now time.Time) (*Response, error) {
	previous := r.Parent.PreviousStatus()
	input := statusInput(r, &plan{}, now)
	input.LastGoodGeneration = previous.LastGoodGeneration
	gone := r.Children.Len() == 0
	response := &Response{
		Children:  []canonical.Object{},
		Status:    status.Compute(input),
		Finalized: gone,
		namespace: r.Parent.Metadata.Namespace,
	}
	if !gone {
		response.ResyncAfterSeconds = resyncWhileNotReady
	}
	return response, nil
}

func statusInput(r *Request, p *plan, now time.Time) status.Input {
	parent := &r.Parent.Metadata
	return status.Input{
		Now: now,
		Parent: status.Parent{
			Name:              parent.Name,
			Namespace:         parent.Namespace,
			Generation:        parent.Generation,
			CreationTimestamp: parent.CreationTimestamp.Time,
			Deleting:          parent.DeletionTimestamp != nil,
		},
		Previous:           r.Parent.PreviousStatus(),
		Spec:               p.spec,
		Children:           &r.Children,
		Related:            &r.Related,
		Invalid:            p.invalid,
		Paused:             parent.Paused(),
		LastGoodGeneration: p.record.Generation,
		Warnings:           p.warnings,
		Selector:           resources.SelectorString(parent.Name, v1alpha1.ComponentExecutorManager),
	}
}

// describe tells the status what the answer wants.
func describe(input *status.Input, p *plan, b built) {
	name, namespace := input.Parent.Name, input.Parent.Namespace
	input.Desired = b.wanted
	one, cache := int32(1), *p.spec.ObjectCache.Replicas
	if p.spec.Suspend {
		one, cache = 0, 0
	}
	input.SessionManager = status.Workload{Name: resources.SessionManagerName(name), Wanted: true, Replicas: one}
	input.Executors = status.Workload{Name: resources.ExecutorManagerName(name), Wanted: b.executors.Wanted, Replicas: b.wantedExecutors}
	input.ObjectCache = status.Workload{Name: resources.ObjectCacheName(name), Wanted: p.spec.CacheEnabled(), Replicas: cache}
	input.Immutable = b.immutable
	input.Endpoint = flameconf.SessionManagerEndpoint(name, namespace, p.spec)
	input.CacheEndpoint = flameconf.ObjectCacheEndpoint(name, namespace, p.spec)
}

func resyncAfter(s *v1alpha1.FlameClusterStatus) float64 {
	if s.State == v1alpha1.StateSuspended {
		return 0
	}
	for _, condition := range s.Conditions {
		if condition.Type == v1alpha1.ConditionReady && condition.Status == "True" {
			return 0
		}
	}
	return resyncWhileNotReady
}
