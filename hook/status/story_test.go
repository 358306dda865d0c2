package status

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// A cluster's life, every answer carried into the next request.
func TestStory(t *testing.T) {
	w := fresh()
	expect := func(state v1alpha1.ClusterState, reconciling, readyReason string) *v1alpha1.FlameClusterStatus {
		t.Helper()
		s := w.compute(t)
		requireSound(t, w.Input, s)
		assert.Equal(t, state, s.State)
		assert.Equal(t, reconciling, reasonOf(s, v1alpha1.ConditionReconciling))
		assert.Equal(t, readyReason, reasonOf(s, v1alpha1.ConditionReady))
		assert.Empty(t, reasonOf(s, v1alpha1.ConditionStalled))
		return s
	}
	expect("Pending", "Creating", "Creating")

	w.next(t, time.Second, othersExist, exists(sessionManagerName, 1), exists(cacheName, 1))
	expect("Pending", "Creating", "Creating")

	w.next(t, 5*time.Second, observe(cacheName, counts(1, 1, 1), progress(corev1.ConditionTrue, progressComplete)))
	expect("Pending", "Creating", "Creating")

	w.next(t, 5*time.Second, observe(sessionManagerName, counts(1, 1, 1), progress(corev1.ConditionTrue, progressComplete)), executorsWanted)
	expect("Pending", "Creating", "Creating")

	w.next(t, time.Second, exists(executorsName, 3))
	expect("Pending", "Creating", "Creating")

	w.next(t, 5*time.Second, observe(executorsName, counts(3, 3, 3), progress(corev1.ConditionTrue, progressComplete)))
	s := expect("Running", "", "Ready")
	assert.Equal(t, w.Now, conditionOf(s, v1alpha1.ConditionReady).LastTransitionTime.UTC())
	readySince := w.Now

	w.next(t, time.Hour)
	s = expect("Running", "", "Ready")
	assert.Equal(t, readySince, conditionOf(s, v1alpha1.ConditionReady).LastTransitionTime.UTC())

	w.next(t, time.Second, generation(2), scale(5), observe(executorsName, hash(olderHash)))
	s = expect("Updating", "Scaling", "Scaling")
	assert.EqualValues(t, 3, s.Replicas)
	assert.Equal(t, metav1.ConditionUnknown, conditionOf(s, v1alpha1.ConditionReady).Status)

	w.next(t, time.Second, observe(executorsName, hash(wantedHash), specReplicasOf(5), counts(5, 5, 3)))
	s = expect("Updating", "Scaling", "Scaling")
	assert.EqualValues(t, 5, s.Replicas)
	assert.EqualValues(t, 3, s.ReadyReplicas)

	w.next(t, time.Second, observe(executorsName, counts(5, 5, 5)))
	expect("Running", "", "Ready")

	// A node is lost.
	w.next(t, time.Hour, observe(executorsName, counts(5, 5, 4)))
	expect("Degraded", "", "NotReady")
	w.next(t, time.Second, observe(executorsName, counts(4, 4, 4)))
	expect("Degraded", "", "NotReady")
	w.next(t, time.Second, observe(executorsName, counts(5, 5, 4)))
	expect("Degraded", "", "NotReady")
	w.next(t, time.Minute, observe(executorsName, counts(5, 5, 5)))
	expect("Running", "", "Ready")

	w.next(t, time.Hour, generation(3), suspend, observe(executorsName, hash(olderHash)))
	expect("Updating", "Suspending", "Suspending")
	w.next(t, time.Second, atZero, observe(executorsName, hash(wantedHash)))
	expect("Suspended", "", "Suspended")
	w.next(t, 24*time.Hour)
	expect("Suspended", "", "Suspended")

	w.next(t, time.Second, generation(4), resume, observe(sessionManagerName, hash(olderHash)), observe(cacheName, hash(olderHash)))
	expect("Updating", "Resuming", "Resuming")
	w.next(t, time.Second, observe(sessionManagerName, hash(wantedHash), specReplicasOf(1), counts(1, 1, 0)), observe(cacheName, hash(wantedHash), specReplicasOf(1), counts(1, 1, 1)))
	s = expect("Updating", "Resuming", "Resuming")
	assert.Equal(t, "WaitingForSessionManager", reasonOf(s, v1alpha1.ConditionExecutorsReady))
	w.next(t, time.Second, observe(sessionManagerName, counts(1, 1, 1)), observe(executorsName, hash(olderHash)))
	expect("Updating", "Resuming", "Resuming")
	w.next(t, time.Second, observe(executorsName, hash(wantedHash), specReplicasOf(3), counts(3, 3, 0)))
	expect("Updating", "Resuming", "Resuming")
	w.next(t, time.Second, observe(executorsName, counts(3, 3, 3)))
	s = expect("Running", "", "Ready")
	require.Nil(t, find(s.Conditions, v1alpha1.ConditionSuspended))

	w.next(t, time.Hour, deleting)
	expect("Updating", "Terminating", "Terminating")
}

// A bad edit on a running cluster, and its repair.
func TestABadEditAndItsRepair(t *testing.T) {
	w := running(invalid("InvalidSpec", badReplicas))
	s := w.compute(t)
	assert.Equal(t, metav1.ConditionTrue, conditionOf(s, v1alpha1.ConditionReady).Status, "what runs is still ready")
	assert.EqualValues(t, 4, s.ObservedGeneration)
	assert.EqualValues(t, 3, s.LastGoodGeneration)
	assert.Contains(t, conditionOf(s, v1alpha1.ConditionReady).Message, "with the spec of generation 3")

	w.next(t, time.Hour, generation(5), func(w *world) { w.Invalid, w.LastGoodGeneration = nil, 5 })
	s = w.compute(t)
	assert.Equal(t, v1alpha1.StateRunning, s.State)
	assert.Nil(t, find(s.Conditions, v1alpha1.ConditionStalled))
	assert.Equal(t, at(time.Hour).UTC(), conditionOf(s, v1alpha1.ConditionReady).LastTransitionTime.UTC(), "it was ready all the time")
}

// The first image of a cluster is wrong. Every phase of it reads right.
func TestAClusterThatNeverCameUp(t *testing.T) {
	w := fresh(othersExist, exists(sessionManagerName, 1), exists(cacheName, 1),
		pod(sm, "a", waitingFor("ErrImagePull", "not found"), func(p *observed.Pod) { p.Metadata.CreationTimestamp = at(0) }))
	s := w.compute(t)
	assert.Equal(t, v1alpha1.StatePending, s.State)
	assert.Equal(t, "ImagePullFailed", reasonOf(s, v1alpha1.ConditionReady))
	w.next(t, 10*time.Minute)
	s = w.compute(t)
	assert.Equal(t, v1alpha1.StateFailed, s.State)
	assert.Equal(t, "ImagePullFailed", reasonOf(s, v1alpha1.ConditionStalled))
	w.next(t, time.Hour, generation(2), observe(sessionManagerName, hash(olderHash)))
	s = w.compute(t)
	assert.Equal(t, v1alpha1.StatePending, s.State, "it was never ready")
	assert.Equal(t, "Creating", reasonOf(s, v1alpha1.ConditionReconciling))
}
