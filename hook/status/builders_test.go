package status

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// The cluster of the tests: "my", generation 3, one session manager, three
// executors, one object cache, all of them ready for an hour.
const (
	sessionManagerName = "my-session-manager"
	executorsName      = "my-executor-manager"
	cacheName          = "my-object-cache"
	wantedHash         = "wanted"
	olderHash          = "older"
)

var (
	now     = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	created = now.Add(-2 * time.Hour)
)

func at(ago time.Duration) metav1.Time { return metav1.NewTime(now.Add(-ago)) }

// world is an Input that is being put together.
type world struct {
	Input
	pods []observed.Pod
	// blind says that the request carries no pods.
	blind bool
}

type option func(*world)

// running is a cluster in its steady state, changed by options.
func running(options ...option) *world {
	w := &world{Input: Input{
		Now:                now,
		Parent:             Parent{Name: "my", Namespace: "ns", Generation: 3, CreationTimestamp: created},
		Spec:               &v1alpha1.FlameClusterSpec{},
		SessionManager:     Workload{Name: sessionManagerName, Wanted: true, Replicas: 1},
		Executors:          Workload{Name: executorsName, Wanted: true, Replicas: 3},
		ObjectCache:        Workload{Name: cacheName, Wanted: true, Replicas: 1},
		LastGoodGeneration: 3,
		Selector:           "flame.xflops.io/cluster=my,flame.xflops.io/component=executor-manager",
		Endpoint:           "http://my-session-manager.ns.svc:8080",
		CacheEndpoint:      "grpc://my-object-cache.ns.svc:9090",
		Children: &observed.Children{
			ConfigMaps:  map[string]*observed.ConfigMap{},
			Services:    map[string]*observed.Object{},
			Deployments: map[string]*observed.Deployment{},
		},
	}}
	for _, name := range []string{"my-config", "my-client", "my-last-good"} {
		w.Desired = append(w.Desired, Ref{Kind: "ConfigMap", Name: name, Hash: wantedHash})
		w.Children.ConfigMaps[name] = &observed.ConfigMap{Metadata: meta(name)}
	}
	for _, name := range []string{sessionManagerName, cacheName} {
		w.Desired = append(w.Desired, Ref{Kind: "Service", Name: name, Hash: wantedHash})
		w.Children.Services[name] = &observed.Object{Metadata: meta(name)}
	}
	for name, replicas := range map[string]int32{sessionManagerName: 1, executorsName: 3, cacheName: 1} {
		w.Desired = append(w.Desired, Ref{Kind: "Deployment", Name: name, Hash: wantedHash})
		w.Children.Deployments[name] = deployment(name, replicas)
	}
	w.Previous = v1alpha1.FlameClusterStatus{State: v1alpha1.StateRunning, ObservedGeneration: 3, Conditions: []metav1.Condition{
		{Type: v1alpha1.ConditionReady, Status: metav1.ConditionTrue, ObservedGeneration: 3, LastTransitionTime: at(time.Hour), Reason: "Ready"},
		{Type: v1alpha1.ConditionSessionManagerReady, Status: metav1.ConditionTrue, ObservedGeneration: 3, LastTransitionTime: at(time.Hour), Reason: "Ready"},
		{Type: v1alpha1.ConditionObjectCacheReady, Status: metav1.ConditionTrue, ObservedGeneration: 3, LastTransitionTime: at(time.Hour), Reason: "Ready"},
		{Type: v1alpha1.ConditionExecutorsReady, Status: metav1.ConditionTrue, ObservedGeneration: 3, LastTransitionTime: at(time.Hour), Reason: "Ready"},
	}}
	return w.with(options...)
}

// fresh is a cluster of which nothing exists yet.
func fresh(options ...option) *world {
	w := running(func(w *world) {
		w.Parent.Generation, w.Parent.CreationTimestamp = 1, now
		w.LastGoodGeneration = 0
		w.Previous = v1alpha1.FlameClusterStatus{}
		w.Children = &observed.Children{}
	}, executorsHeld)
	return w.with(options...)
}

func (w *world) with(options ...option) *world {
	for _, o := range options {
		o(w)
	}
	return w
}

// input is the Input with the pods as a request carries them.
func (w *world) input(t testing.TB) Input {
	t.Helper()
	in := w.Input
	if w.blind {
		in.Related = &observed.Related{}
		return in
	}
	keyed := map[string]any{}
	for _, p := range w.pods {
		keyed["ns/"+p.Metadata.Name] = p
	}
	related, err := observed.NewRelated(keyed)
	require.NoError(t, err)
	in.Related = &related
	return in
}

func (w *world) compute(t testing.TB) *v1alpha1.FlameClusterStatus {
	t.Helper()
	return Compute(w.input(t))
}

// next goes on from the status of the last answer, some time later.
func (w *world) next(t testing.TB, after time.Duration, options ...option) *world {
	t.Helper()
	w.Previous = *w.compute(t)
	w.Now = w.Now.Add(after)
	return w.with(options...)
}

func meta(name string) observed.Meta {
	return observed.Meta{
		Name: name, Namespace: "ns", Generation: 1, CreationTimestamp: metav1.NewTime(created),
		Annotations: map[string]string{v1alpha1.AnnotationHash: wantedHash},
	}
}

// deployment is complete.
func deployment(name string, replicas int32) *observed.Deployment {
	d := &observed.Deployment{Metadata: meta(name)}
	d.Spec.Replicas = &replicas
	d.Status = observed.DeploymentStatus{
		ObservedGeneration: 1, Replicas: replicas, UpdatedReplicas: replicas, ReadyReplicas: replicas, AvailableReplicas: replicas,
		Conditions: []observed.DeploymentCondition{
			{Type: "Available", Status: corev1.ConditionTrue, Reason: "MinimumReplicasAvailable"},
			{Type: "Progressing", Status: corev1.ConditionTrue, Reason: progressComplete},
		},
	}
	return d
}

// Options about the FlameCluster.

func generation(g int64) option         { return func(w *world) { w.Parent.Generation = g } }
func deleting(w *world)                 { w.Parent.Deleting = true }
func paused(w *world)                   { w.Paused = true }
func blind(w *world)                    { w.blind = true }
func immutable(fields ...string) option { return func(w *world) { w.Immutable = fields } }
func executorsHeld(w *world) {
	w.Executors.Wanted = false
	w.unwant("Deployment", executorsName)
}

func executorsWanted(w *world) {
	w.Executors.Wanted = true
	w.Desired = append(w.Desired, Ref{Kind: "Deployment", Name: executorsName, Hash: wantedHash})
}

func noCache(w *world) {
	w.ObjectCache = Workload{Name: cacheName}
	w.CacheEndpoint = ""
	w.unwant("Deployment", cacheName)
	w.unwant("Service", cacheName)
}

func (w *world) unwant(kind, name string) {
	var kept []Ref
	for _, ref := range w.Desired {
		if ref.Kind != kind || ref.Name != name {
			kept = append(kept, ref)
		}
	}
	w.Desired = kept
}

// suspend is what the spec asks for; what is observed does not change.
func suspend(w *world) {
	w.Spec = &v1alpha1.FlameClusterSpec{Suspend: true}
	w.SessionManager.Replicas, w.Executors.Replicas, w.ObjectCache.Replicas = 0, 0, 0
}

func resume(w *world) {
	w.Spec = &v1alpha1.FlameClusterSpec{}
	w.SessionManager.Replicas, w.Executors.Replicas, w.ObjectCache.Replicas = 1, 3, 1
}

// scale changes what the spec asks for.
func scale(replicas int32) option { return func(w *world) { w.Executors.Replicas = replicas } }

// Options about children.

// observe changes an observed Deployment.
func observe(name string, changes ...func(*observed.Deployment)) option {
	return func(w *world) {
		for _, change := range changes {
			change(w.Children.Deployments[name])
		}
	}
}

// exists adds a Deployment as the API server has it just after its creation.
func exists(name string, replicas int32) option {
	return func(w *world) {
		if w.Children.Deployments == nil {
			w.Children.Deployments = map[string]*observed.Deployment{}
		}
		d := deployment(name, replicas)
		counts(replicas, replicas, 0)(d)
		progress(corev1.ConditionTrue, "ReplicaSetUpdated")(d)
		w.Children.Deployments[name] = d
	}
}

// othersExist adds all wanted children that are no Deployments.
func othersExist(w *world) {
	steady := running()
	w.Children.ConfigMaps, w.Children.Services = steady.Children.ConfigMaps, steady.Children.Services
}

func gone(kind, name string) option {
	return func(w *world) {
		switch kind {
		case "Deployment":
			delete(w.Children.Deployments, name)
		case "Service":
			delete(w.Children.Services, name)
		case "ConfigMap":
			delete(w.Children.ConfigMaps, name)
		}
	}
}

func configOutdated(w *world) {
	w.Children.ConfigMaps["my-config"].Metadata.Annotations[v1alpha1.AnnotationHash] = olderHash
}

func hash(h string) func(*observed.Deployment) {
	return func(d *observed.Deployment) { d.Metadata.Annotations[v1alpha1.AnnotationHash] = h }
}

// counts sets the replicas that exist, are updated, and are ready and available.
func counts(replicas, updated, ready int32) func(*observed.Deployment) {
	return func(d *observed.Deployment) {
		s := &d.Status
		s.Replicas, s.UpdatedReplicas, s.ReadyReplicas, s.AvailableReplicas = replicas, updated, ready, ready
	}
}

func specReplicasOf(n int32) func(*observed.Deployment) {
	return func(d *observed.Deployment) { d.Spec.Replicas = &n }
}

func available(n int32) func(*observed.Deployment) {
	return func(d *observed.Deployment) { d.Status.AvailableReplicas = n }
}

// heldBack is a Deployment that waits with its change.
func heldBack(d *observed.Deployment) { d.Spec.Paused = true }

func notSeen(d *observed.Deployment) { d.Metadata.Generation++ }

func progress(status corev1.ConditionStatus, reason string) func(*observed.Deployment) {
	return func(d *observed.Deployment) {
		d.Status.Conditions[1] = observed.DeploymentCondition{Type: "Progressing", Status: status, Reason: reason,
			Message: `ReplicaSet "x" has timed out progressing.`}
	}
}

func replicaFailure(message string) func(*observed.Deployment) {
	return func(d *observed.Deployment) {
		d.Status.Conditions = append(d.Status.Conditions, observed.DeploymentCondition{
			Type: "ReplicaFailure", Status: corev1.ConditionTrue, Reason: "FailedCreate", Message: message,
		})
	}
}

// Options about pods.

// pod adds a pod of a component, an hour old, whose container does not run.
func pod(component v1alpha1.Component, suffix string, changes ...func(*observed.Pod)) option {
	return func(w *world) {
		p := observed.Pod{Metadata: observed.Meta{
			Name: "my-" + string(component) + "-" + suffix, Namespace: "ns", CreationTimestamp: at(time.Hour),
			Labels: map[string]string{
				v1alpha1.LabelCluster: "my", v1alpha1.LabelComponent: string(component), "pod-template-hash": "new",
			},
		}}
		p.Status.Phase = corev1.PodPending
		p.Status.ContainerStatuses = []observed.ContainerStatus{{Name: string(component)}}
		for _, change := range changes {
			change(&p)
		}
		w.pods = append(w.pods, p)
	}
}

func waitingFor(reason, message string) func(*observed.Pod) {
	return func(p *observed.Pod) {
		p.Status.ContainerStatuses[0].State.Waiting = &observed.ContainerWaiting{Reason: reason, Message: message}
	}
}

func initWaitingFor(name, reason, message string) func(*observed.Pod) {
	return func(p *observed.Pod) {
		p.Status.InitContainerStatuses = append(p.Status.InitContainerStatuses, observed.ContainerStatus{
			Name: name, State: observed.ContainerState{Waiting: &observed.ContainerWaiting{Reason: reason, Message: message}},
		})
		p.Status.ContainerStatuses[0].State.Waiting = &observed.ContainerWaiting{Reason: "PodInitializing"}
	}
}

func initDied(name string, code int32, message string) func(*observed.Pod) {
	return func(p *observed.Pod) {
		p.Status.InitContainerStatuses = append(p.Status.InitContainerStatuses, observed.ContainerStatus{
			Name: name, RestartCount: 1,
			State: observed.ContainerState{Terminated: &observed.ContainerTerminated{ExitCode: code, Reason: "Error", Message: message}},
		})
		p.Status.ContainerStatuses[0].State.Waiting = &observed.ContainerWaiting{Reason: "PodInitializing"}
	}
}

// died is a container that ended and was not started again yet.
func died(code int32, reason string) func(*observed.Pod) {
	return func(p *observed.Pod) {
		p.Status.ContainerStatuses[0].State.Terminated = &observed.ContainerTerminated{ExitCode: code, Reason: reason}
	}
}

// diedBefore is how the container ended before its present state.
func diedBefore(code int32, reason string, restarts int32) func(*observed.Pod) {
	return func(p *observed.Pod) {
		c := &p.Status.ContainerStatuses[0]
		c.RestartCount = restarts
		c.LastState.Terminated = &observed.ContainerTerminated{ExitCode: code, Reason: reason}
	}
}

func podRuns(ready bool) func(*observed.Pod) {
	return func(p *observed.Pod) {
		p.Status.Phase = corev1.PodRunning
		c := &p.Status.ContainerStatuses[0]
		c.Ready, c.State.Running = ready, &struct{}{}
	}
}

func unschedulable(message string) func(*observed.Pod) {
	return func(p *observed.Pod) {
		p.Status.ContainerStatuses = nil
		p.Status.Conditions = append(p.Status.Conditions, observed.PodCondition{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable", Message: message,
		})
	}
}

func sandboxReady(status corev1.ConditionStatus) func(*observed.Pod) {
	return func(p *observed.Pod) {
		p.Status.Conditions = append(p.Status.Conditions, observed.PodCondition{Type: corev1.PodReadyToStartContainers, Status: status})
	}
}

func evicted(p *observed.Pod) {
	p.Status.Phase, p.Status.Reason, p.Status.Message = corev1.PodFailed, "Evicted", "The node was low on resource: memory."
}

func young(p *observed.Pod)   { p.Metadata.CreationTimestamp = at(5 * time.Second) }
func leaving(p *observed.Pod) { d := at(0); p.Metadata.DeletionTimestamp = &d }
func olderPod(p *observed.Pod) {
	p.Metadata.Labels["pod-template-hash"] = "old"
	p.Metadata.CreationTimestamp = at(2 * time.Hour)
}

// Views of a status.

func conditionOf(s *v1alpha1.FlameClusterStatus, kind string) metav1.Condition {
	if c := find(s.Conditions, kind); c != nil {
		return *c
	}
	return metav1.Condition{}
}

func reasonOf(s *v1alpha1.FlameClusterStatus, kind string) string { return conditionOf(s, kind).Reason }

func encode(t testing.TB, s *v1alpha1.FlameClusterStatus) string {
	t.Helper()
	raw, err := json.MarshalIndent(s, "", "  ")
	require.NoError(t, err)
	return string(raw)
}

// Options about the previous status.

// unready says since when conditions have been False, and why.
func unready(since time.Duration, reason string, kinds ...string) option {
	return func(w *world) {
		for _, kind := range append(kinds, v1alpha1.ConditionReady) {
			c := find(w.Previous.Conditions, kind)
			c.Status, c.Reason, c.LastTransitionTime = metav1.ConditionFalse, reason, at(since)
		}
		w.Previous.State = v1alpha1.StateDegraded
	}
}

// unknown says since when conditions have been Unknown.
func unknown(since time.Duration, reason string, kinds ...string) option {
	return func(w *world) {
		unready(since, reason, kinds...)(w)
		for _, kind := range append(kinds, v1alpha1.ConditionReady) {
			find(w.Previous.Conditions, kind).Status = metav1.ConditionUnknown
		}
	}
}

// wasReconciling says since when a change has been on its way.
func wasReconciling(since time.Duration, reason string) option {
	return func(w *world) {
		w.Previous.State = v1alpha1.StateUpdating
		w.Previous.Conditions = append([]metav1.Condition{{
			Type: v1alpha1.ConditionReconciling, Status: metav1.ConditionTrue, ObservedGeneration: 3, LastTransitionTime: at(since), Reason: reason,
		}}, w.Previous.Conditions...)
	}
}

func wasSuspended(w *world) {
	w.Previous.State = v1alpha1.StateSuspended
	w.Previous.Conditions = append(w.Previous.Conditions, metav1.Condition{
		Type: v1alpha1.ConditionSuspended, Status: metav1.ConditionTrue, ObservedGeneration: 3, LastTransitionTime: at(time.Hour), Reason: "Suspended",
	})
	for _, kind := range []string{v1alpha1.ConditionReady, v1alpha1.ConditionSessionManagerReady, v1alpha1.ConditionExecutorsReady, v1alpha1.ConditionObjectCacheReady} {
		c := find(w.Previous.Conditions, kind)
		c.Status, c.Reason = metav1.ConditionFalse, "Suspended"
	}
}

// atZero is what is observed of a cluster whose workloads were taken to 0.
func atZero(w *world) {
	for _, name := range []string{sessionManagerName, executorsName, cacheName} {
		observe(name, specReplicasOf(0), counts(0, 0, 0))(w)
	}
}

// downFor is a session manager that has not been ready for some time, for no reason
// that its Deployment tells.
func downFor(since time.Duration) option {
	return func(w *world) {
		unready(since, "NotReady", v1alpha1.ConditionSessionManagerReady)(w)
		observe(sessionManagerName, counts(1, 1, 0))(w)
	}
}
