package status

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// chaos is a cluster in which anything may be the case, with a previous status that
// anybody may have written.
func chaos(r *rand.Rand) *world {
	w := running(generation(int64(r.IntN(3) + 2)))
	chance := func(percent int) bool { return r.IntN(100) < percent }
	if chance(20) {
		noCache(w)
	}
	if chance(20) {
		suspend(w)
	}
	if chance(20) {
		executorsHeld(w)
	}
	if chance(10) {
		deleting(w)
	}
	if chance(10) {
		paused(w)
	}
	if chance(15) {
		w.Invalid = &Invalid{Reason: v1alpha1.ReasonInvalidSpec, Errors: field.ErrorList{badReplicas, field.Required(field.NewPath("a"), "b")}}
	}
	if chance(10) {
		w.Immutable = []string{"Deployment a: spec.selector", "Deployment b: spec.selector"}
	}
	if chance(5) {
		nothingWanted(w)
	}
	for _, ref := range w.Desired {
		if chance(8) {
			gone(ref.Kind, ref.Name)(w)
		}
	}
	if chance(10) {
		w.Children.ConfigMaps["my-client"] = &observed.ConfigMap{Metadata: observed.Meta{Name: "my-client"}}
	}
	for _, name := range []string{sessionManagerName, executorsName, cacheName} {
		if d := w.Children.Deployments[name]; d != nil && chance(70) {
			chaoticDeployment(r, d)
		}
	}
	for i := range r.IntN(8) {
		chaoticPod(r, w, i)
	}
	w.blind = chance(10)
	chaoticPast(r, w)
	return w
}

func chaoticDeployment(r *rand.Rand, d *observed.Deployment) {
	pick := func() int32 { return int32(r.IntN(4)) }
	d.Status.Conditions = nil
	changes := []func(*observed.Deployment){
		hash(olderHash), notSeen, heldBack, specReplicasOf(pick()), available(pick()), counts(pick(), pick(), pick()), counts(3, 3, 2), counts(1, 1, 0),
		func(d *observed.Deployment) { d.Spec.Replicas = nil },
		func(d *observed.Deployment) { gone := at(time.Minute); d.Metadata.DeletionTimestamp = &gone },
		replicaFailure("exceeded quota"), replicaFailure("violates PodSecurity"),
		func(d *observed.Deployment) {
			d.Status.Conditions = append(d.Status.Conditions, observed.DeploymentCondition{Type: "Progressing", Status: "False", Reason: "ProgressDeadlineExceeded"})
		},
		func(d *observed.Deployment) {
			d.Status.Conditions = append(d.Status.Conditions, observed.DeploymentCondition{Type: "Progressing", Status: "True", Reason: progressComplete})
		},
		func(d *observed.Deployment) {
			d.Status.Conditions = append(d.Status.Conditions, observed.DeploymentCondition{Type: "Progressing", Status: "True", Reason: "ReplicaSetUpdated"})
		},
	}
	for range r.IntN(4) {
		changes[r.IntN(len(changes))](d)
	}
}

func chaoticPod(r *rand.Rand, w *world, index int) {
	changes := []func(*observed.Pod){
		waitingFor("ErrImagePull", "rpc error"), waitingFor("ImagePullBackOff", "Back-off"), waitingFor("InvalidImageName", "x"),
		waitingFor("CreateContainerConfigError", "secret not found"), waitingFor("CrashLoopBackOff", "back-off 5m0s"), waitingFor("ContainerCreating", ""),
		waitingFor("RunContainerError", "no such file"), initWaitingFor("wait", "ErrImagePull", "denied"), initDied("storage-credentials", 1, "refused"),
		died(0, "Completed"), died(137, "OOMKilled"), diedBefore(1, "Error", 3), podRuns(true), podRuns(false),
		sandboxReady(corev1.ConditionTrue), sandboxReady(corev1.ConditionFalse), evicted, young, leaving, olderPod,
	}
	component := []v1alpha1.Component{sm, em, oc}[r.IntN(3)]
	var chosen []func(*observed.Pod)
	for range r.IntN(4) {
		chosen = append(chosen, changes[r.IntN(len(changes))])
	}
	if r.IntN(5) == 0 {
		chosen = []func(*observed.Pod){unschedulable("0/3 nodes are available")}
	}
	pod(component, fmt.Sprint(index), chosen...)(w)
}

func chaoticPast(r *rand.Rand, w *world) {
	states := []v1alpha1.ClusterState{"", "Pending", "Running", "Updating", "Degraded", "Failed", "Suspended", "ready"}
	kinds := []string{
		v1alpha1.ConditionStalled, v1alpha1.ConditionReconciling, v1alpha1.ConditionReady, v1alpha1.ConditionSessionManagerReady,
		v1alpha1.ConditionExecutorsReady, v1alpha1.ConditionObjectCacheReady, v1alpha1.ConditionSuspended, v1alpha1.ConditionPaused, "Available",
	}
	reasons := []string{"", "Ready", "Creating", "RollingOut", "Scaling", "Resuming", "NotReady", "ImagePullFailed", "WaitingForSessionManager", "Suspended"}
	statuses := []metav1.ConditionStatus{"True", "False", "Unknown", "Degraded", ""}
	w.Previous = v1alpha1.FlameClusterStatus{State: states[r.IntN(len(states))]}
	mix(r, kinds)
	for _, kind := range kinds[:r.IntN(len(kinds)+1)] {
		w.Previous.Conditions = append(w.Previous.Conditions, metav1.Condition{
			Type: kind, Status: statuses[r.IntN(len(statuses))], Reason: reasons[r.IntN(len(reasons))],
			ObservedGeneration: int64(r.IntN(5)), LastTransitionTime: at(time.Duration(r.IntN(900)) * time.Second),
		})
	}
}

// shuffle changes every order that means nothing.
func (w *world) shuffle(r *rand.Rand) {
	mix(r, w.Desired)
	mix(r, w.Immutable)
	mix(r, w.pods)
	for i := range w.pods {
		mix(r, w.pods[i].Status.Conditions)
		mix(r, w.pods[i].Status.ContainerStatuses)
		mix(r, w.pods[i].Status.InitContainerStatuses)
	}
	for _, d := range w.Children.Deployments {
		mix(r, d.Status.Conditions)
	}
	if w.Invalid != nil {
		mix(r, w.Invalid.Errors)
	}
}

func mix[T any](r *rand.Rand, list []T) {
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// requireSound checks what holds of every status.
func requireSound(t *testing.T, in Input, s *v1alpha1.FlameClusterStatus) {
	t.Helper()
	require.Equal(t, in.Parent.Generation, s.ObservedGeneration)
	require.NotEmpty(t, s.State)
	require.NotEmpty(t, s.Message)
	require.LessOrEqual(t, len(s.Message), 1024)
	require.LessOrEqual(t, len(s.Warnings), 10)
	require.NotEmpty(t, conditionOf(s, v1alpha1.ConditionReady).Status, "Ready is always present")
	stalled, reconciling := find(s.Conditions, v1alpha1.ConditionStalled), find(s.Conditions, v1alpha1.ConditionReconciling)
	require.False(t, stalled != nil && reconciling != nil, "Stalled and Reconciling together")
	order := []string{
		v1alpha1.ConditionStalled, v1alpha1.ConditionReconciling, v1alpha1.ConditionReady, v1alpha1.ConditionSessionManagerReady,
		v1alpha1.ConditionExecutorsReady, v1alpha1.ConditionObjectCacheReady, v1alpha1.ConditionSuspended, v1alpha1.ConditionPaused,
	}
	last := -1
	for _, c := range s.Conditions {
		position := slices.Index(order, c.Type)
		require.Greater(t, position, last, "%s is out of order or unknown", c.Type)
		last = position
		require.Equal(t, in.Parent.Generation, c.ObservedGeneration)
		require.NotEmpty(t, c.Reason)
		require.NotEmpty(t, c.Message)
		require.LessOrEqual(t, len(c.Message), 1024)
		require.False(t, c.LastTransitionTime.IsZero())
		require.Zero(t, c.LastTransitionTime.Nanosecond())
		require.Equal(t, time.UTC, c.LastTransitionTime.Location())
		require.Contains(t, []metav1.ConditionStatus{"True", "False", "Unknown"}, c.Status)
		requireTransition(t, in, c)
		if c.Type == v1alpha1.ConditionStalled || c.Type == v1alpha1.ConditionReconciling {
			require.Equal(t, metav1.ConditionTrue, c.Status, "%s is present only while it is True", c.Type)
		}
	}
}

// requireTransition checks that the time is carried over, or the condition flipped
// now. What a previous status says twice, or without a time, is left to other tests.
func requireTransition(t *testing.T, in Input, c metav1.Condition) {
	t.Helper()
	var old []metav1.Condition
	for _, p := range in.Previous.Conditions {
		if p.Type == c.Type && !p.LastTransitionTime.IsZero() {
			old = append(old, p)
		}
	}
	want := in.Now.Truncate(time.Second)
	if len(old) > 1 {
		return
	}
	if len(old) == 1 && old[0].Status == c.Status {
		want = old[0].LastTransitionTime.UTC().Truncate(time.Second)
	}
	require.Equal(t, want, c.LastTransitionTime.UTC(), "lastTransitionTime of %s", c.Type)
}

func TestAnyStatusIsSound(t *testing.T) {
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := chaos(r)
		in := w.input(t)
		first := Compute(in)
		requireSound(t, in, first)
		want := encode(t, first)

		again := w.input(t)
		again.Previous = *first
		require.Equal(t, want, encode(t, Compute(again)), "seed %d: the status does not agree with itself", seed)

		again.Now = in.Now.Add(24 * time.Hour)
		again.Previous = *Compute(again)
		settled := encode(t, &again.Previous)
		again.Now = in.Now.Add(48 * time.Hour)
		require.Equal(t, settled, encode(t, Compute(again)), "seed %d: the status moves with time", seed)
	}
}

func TestOrderMeansNothing(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		w := chaos(r)
		want := encode(t, w.compute(t))
		for range 100 {
			w.shuffle(r)
			require.Equal(t, want, encode(t, w.compute(t)), "seed %d", seed)
		}
	}
}

// A thousand pods with the same trouble give one message, whatever their order.
func TestManyPodsAreCounted(t *testing.T) {
	w := running(observe(executorsName, counts(3, 3, 0)), unready(time.Hour, "NotReady", v1alpha1.ConditionExecutorsReady))
	for i := range 50 {
		pod(em, fmt.Sprintf("%02d", i), waitingFor("ErrImagePull", "not found"))(w)
	}
	pod(em, "zz", unschedulable("no room"))(w)
	r := rand.New(rand.NewPCG(1, 2))
	want := encode(t, w.compute(t))
	for range 100 {
		w.shuffle(r)
		require.Equal(t, want, encode(t, w.compute(t)))
	}
	require.Equal(t, "executors: 0 of 3 ready: pod my-executor-manager-00: container executor-manager: ImagePullBackOff: not found; "+
		"the same with my-executor-manager-01, my-executor-manager-02, my-executor-manager-03 and 46 more; Unschedulable of 1 more", w.compute(t).Message)
}
