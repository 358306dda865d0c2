package status

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// maxWarnings is the number of warnings that a status may carry.
const maxWarnings = 10

// Compute returns the status of a FlameCluster. Inputs that differ only in the
// order of pods, conditions or maps give the same status, byte for byte.
func Compute(in Input) *v1alpha1.FlameClusterStatus {
	return newView(in).status()
}

// view is an Input together with everything that several conditions depend on.
type view struct {
	Input
	now    time.Time
	before previous
	// wanted are the children in the answer, by kind and name.
	wanted map[Ref]Ref

	sessionManager, objectCache, executors component
	// others are about the wanted children that are not in place and no Deployments
	// of a component.
	others []item
	ready  metav1.ConditionStatus
	// stuck says that the cluster is Stalled. Then what is not ready is told as it
	// will be told in every later answer, without regard to the change that led here.
	stuck bool
}

func newView(in Input) *view {
	if in.Children == nil {
		in.Children = &observed.Children{}
	}
	if in.Related == nil {
		in.Related = &observed.Related{}
	}
	v := &view{Input: in, now: in.Now.UTC().Truncate(time.Second), before: remember(in.Previous)}
	v.wanted = make(map[Ref]Ref, len(in.Desired))
	for _, ref := range in.Desired {
		v.wanted[Ref{Kind: ref.Kind, Name: ref.Name}] = ref
	}
	v.look()
	v.stuck = v.Invalid != nil || len(v.Immutable) > 0
	v.explain()
	if !v.stuck && v.anyStalled() {
		v.stuck = true
		v.explain()
	}
	return v
}

// look finds out what is ready. It decides every status, and no reason yet: how
// long something is not ready is counted from when its status flipped.
func (v *view) look() {
	v.sessionManager = v.component(v1alpha1.ConditionSessionManagerReady, "session manager", v.SessionManager)
	v.objectCache = v.component(v1alpha1.ConditionObjectCacheReady, "object cache", v.ObjectCache)
	v.executors = v.component(v1alpha1.ConditionExecutorsReady, "executors", v.Executors)
	v.others = v.otherChildren()
	v.ready = v.readyStatus()
	pods := v.podsByComponent()
	v.findTroubles(&v.sessionManager, pods[v1alpha1.ComponentSessionManager])
	v.findTroubles(&v.objectCache, pods[v1alpha1.ComponentObjectCache])
	v.findTroubles(&v.executors, pods[v1alpha1.ComponentExecutorManager])
}

// explain finds out why the rest is not ready, and whether that lasts too long.
func (v *view) explain() {
	for _, c := range v.components() {
		c.describe(v)
	}
	v.describeOthers()
}

func (v *view) anyStalled() bool {
	return slices.ContainsFunc(v.items(), func(i item) bool { return i.stalled })
}

// components are the parts of the cluster that are wanted, the most important first.
func (v *view) components() []*component {
	if v.Spec == nil {
		return nil
	}
	parts := []*component{&v.sessionManager, &v.executors}
	if v.ObjectCache.Wanted {
		parts = append(parts, &v.objectCache)
	}
	return parts
}

// items are all things that can be not ready, in the order in which they are told.
func (v *view) items() []item {
	var items []item
	for _, c := range v.components() {
		if c.status != metav1.ConditionTrue {
			items = append(items, c.item())
		}
	}
	return append(items, v.others...)
}

// item is something that is not as wanted.
type item struct {
	title, reason, message string
	// change is the reason of the change that is on its way; reason may be a trouble.
	change string
	// refs are the children that it is about, if it is not about a component.
	refs []Ref
	// missing says that these do not exist.
	missing bool
	// moving says that a change is on its way.
	moving bool
	// troubled says that reason is about something else than a change.
	troubled bool
	// stalled says that somebody has to act.
	stalled bool
}

func (i item) text() string {
	if i.title == "" {
		return i.message
	}
	return i.title + ": " + i.message
}

func (v *view) status() *v1alpha1.FlameClusterStatus {
	conditions := v.conditions()
	s := &v1alpha1.FlameClusterStatus{
		ObservedGeneration: v.Parent.Generation,
		Selector:           v.Selector,
		Endpoint:           v.Endpoint,
		CacheEndpoint:      v.CacheEndpoint,
		LastGoodGeneration: v.LastGoodGeneration,
		Conditions:         conditions,
		Warnings:           warnings(v.Warnings),
	}
	if d := v.executors.deployment; d != nil {
		s.Replicas, s.ReadyReplicas = d.Status.Replicas, d.Status.ReadyReplicas
	}
	if v.Spec != nil {
		s.SessionManager = v.sessionManager.counts(v.Endpoint)
		s.ExecutorManager = v.executors.counts("")
		if v.ObjectCache.Wanted {
			s.ObjectCache = v.objectCache.counts(v.CacheEndpoint)
		}
	}
	s.State = v.state(conditions)
	s.Message = v.sentence(conditions)
	return s
}

// warnings keeps the first of equal warnings and says how many were left out.
func warnings(all []string) []string {
	var kept []string
	seen := make(map[string]bool, len(all))
	for _, w := range all {
		w = limit(w)
		if w != "" && !seen[w] {
			seen[w] = true
			kept = append(kept, w)
		}
	}
	if len(kept) > maxWarnings {
		left := len(kept) - (maxWarnings - 1)
		kept = append(kept[:maxWarnings-1:maxWarnings-1], andMore(left, "warning"))
	}
	return kept
}
