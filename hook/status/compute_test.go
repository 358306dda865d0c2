package status

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

const (
	sm = v1alpha1.ComponentSessionManager
	em = v1alpha1.ComponentExecutorManager
	oc = v1alpha1.ComponentObjectCache
)

func invalid(reason string, errors ...*field.Error) option {
	return func(w *world) {
		w.Invalid = &Invalid{Reason: reason, Errors: errors}
		w.Parent.Generation = 4
	}
}

// nothingWanted is a cluster whose very first spec is invalid, or that is finalized.
func nothingWanted(w *world) {
	w.Spec, w.Desired = nil, nil
	w.SessionManager, w.Executors, w.ObjectCache = Workload{}, Workload{}, Workload{}
	w.Endpoint, w.CacheEndpoint = "", ""
}

// foreignStatus is what the request carries after another controller, or a much older
// version, wrote it.
func foreignStatus(w *world) {
	w.Previous = v1alpha1.FlameClusterStatus{
		State: "ready", ObservedGeneration: 3,
		Conditions: []metav1.Condition{
			{Type: "Available", Status: metav1.ConditionTrue, Reason: "x", LastTransitionTime: at(time.Hour)},
			{Type: v1alpha1.ConditionReconciling, Status: metav1.ConditionFalse, Reason: "x", LastTransitionTime: at(time.Hour)},
			{Type: v1alpha1.ConditionStalled, Status: metav1.ConditionFalse, Reason: "x", LastTransitionTime: at(time.Hour)},
		},
	}
}

var badReplicas = field.Invalid(field.NewPath("spec", "replicas"), -1, "must not be negative")

// allReady are the conditions of a cluster that is as wanted.
var allReady = []string{"Ready=True/Ready", "SessionManagerReady=True/Ready", "ExecutorsReady=True/Ready", "ObjectCacheReady=True/Ready"}

func ready(before ...string) []string { return append(before, allReady...) }

func listed(conditions ...string) []string { return conditions }

// sessionManagerDown are the conditions while only the session manager has a trouble.
func sessionManagerDown(reason string, before ...string) []string {
	return append(before, "Ready=False/"+reason, "SessionManagerReady=False/"+reason, "ExecutorsReady=True/Ready", "ObjectCacheReady=True/Ready")
}

func executorsDown(reason string, before ...string) []string {
	return append(before, "Ready=False/"+reason, "SessionManagerReady=True/Ready", "ExecutorsReady=False/"+reason, "ObjectCacheReady=True/Ready")
}

// situation is what a Flame cluster can look like.
type situation struct {
	name  string
	world *world
	state v1alpha1.ClusterState
	// conditions are all conditions in their order.
	conditions []string
	// says are parts of status.message.
	says []string
}

func situations() []situation {
	return []situation{
		{"nothing exists yet",
			fresh(), "Pending",
			listed("Reconciling=True/Creating", "Ready=False/Creating", "SessionManagerReady=False/Creating",
				"ExecutorsReady=False/WaitingForSessionManager", "ObjectCacheReady=False/Creating"),
			listed("session manager: Deployment my-session-manager does not exist yet; executors: 0 of 3 ready, waiting for the session manager; " +
				"object cache: Deployment my-object-cache does not exist yet; not created yet: ConfigMap my-client, ConfigMap my-config, ConfigMap my-last-good and 2 more")},
		{"everything as wanted",
			running(), "Running", ready(),
			listed("session manager, object cache and 3 executors ready")},
		{"as wanted, without an object cache",
			running(noCache), "Running", allReady[:3],
			listed("session manager and 3 executors ready")},
		{"as wanted, with no executors at all",
			running(scale(0), observe(executorsName, specReplicasOf(0), counts(0, 0, 0))), "Running", ready(),
			listed("0 executors ready")},
		{"the same, with no condition on the Deployments",
			running(observe(executorsName, func(d *observed.Deployment) { d.Status.Conditions = nil })), "Running", ready(), nil},

		{"the session manager's pod starts for the first time",
			fresh(othersExist, exists(sessionManagerName, 1), exists(cacheName, 1)), "Pending",
			listed("Reconciling=True/Creating", "Ready=False/Creating", "SessionManagerReady=False/Creating",
				"ExecutorsReady=False/WaitingForSessionManager", "ObjectCacheReady=False/Creating"),
			listed("session manager: 0 of 1 ready")},
		{"a Service is still missing",
			running(gone("Service", cacheName), wasReconciling(time.Second, "Creating")), "Updating",
			listed("Reconciling=True/Creating", "Ready=False/Creating", "SessionManagerReady=True/Ready", "ExecutorsReady=True/Ready", "ObjectCacheReady=True/Ready"),
			listed("not created yet: Service my-object-cache")},

		{"an edit reached no child yet: what was ready does not count",
			running(generation(4), observe(executorsName, hash(olderHash))), "Updating",
			listed("Reconciling=True/RollingOut", "Ready=Unknown/RollingOut", "SessionManagerReady=True/Ready", "ExecutorsReady=Unknown/RollingOut", "ObjectCacheReady=True/Ready"),
			listed("executors: 3 of 3 ready, the wanted revision is not applied yet")},
		{"the Deployment has the edit and its controller has not seen it",
			running(generation(4), observe(executorsName, notSeen)), "Updating",
			listed("Reconciling=True/RollingOut", "Ready=Unknown/RollingOut", "SessionManagerReady=True/Ready", "ExecutorsReady=Unknown/RollingOut", "ObjectCacheReady=True/Ready"),
			nil},
		{"old pods are ready beside new ones",
			running(observe(executorsName, counts(4, 1, 3), progress(corev1.ConditionTrue, "ReplicaSetUpdated")),
				unknown(10*time.Second, "RollingOut", v1alpha1.ConditionExecutorsReady), wasReconciling(10*time.Second, "RollingOut")), "Updating",
			executorsDown("RollingOut", "Reconciling=True/RollingOut"),
			listed("executors: 3 of 3 ready, 1 of 3 updated")},
		{"the session manager is being replaced",
			running(observe(sessionManagerName, counts(0, 0, 0), progress(corev1.ConditionTrue, "ReplicaSetUpdated")),
				unknown(10*time.Second, "RollingOut", v1alpha1.ConditionSessionManagerReady), wasReconciling(10*time.Second, "RollingOut")), "Updating",
			sessionManagerDown("RollingOut", "Reconciling=True/RollingOut"), nil},
		{"ready and not available: it has to last",
			running(observe(sessionManagerName, available(0), progress(corev1.ConditionTrue, "ReplicaSetUpdated")),
				unready(10*time.Second, "RollingOut", v1alpha1.ConditionSessionManagerReady), wasReconciling(10*time.Second, "RollingOut")), "Updating",
			sessionManagerDown("RollingOut", "Reconciling=True/RollingOut"), listed("session manager: 1 of 1 ready, 0 of them for long enough to count")},
		{"executors are replaced after the session manager, not before",
			running(observe(sessionManagerName, counts(0, 0, 0), progress(corev1.ConditionTrue, "ReplicaSetUpdated")), observe(executorsName, counts(3, 0, 3), heldBack),
				unknown(10*time.Second, "RollingOut", v1alpha1.ConditionSessionManagerReady, v1alpha1.ConditionExecutorsReady), wasReconciling(10*time.Second, "RollingOut")), "Updating",
			listed("Reconciling=True/RollingOut", "Ready=False/RollingOut", "SessionManagerReady=False/RollingOut", "ExecutorsReady=False/WaitingForSessionManager", "ObjectCacheReady=True/Ready"),
			listed("executors: 3 of 3 ready, 0 of 3 updated, waiting for the session manager")},
		{"only a ConfigMap is out of date",
			running(generation(4), configOutdated), "Updating",
			listed("Reconciling=True/RollingOut", "Ready=Unknown/RollingOut", "SessionManagerReady=True/Ready", "ExecutorsReady=True/Ready", "ObjectCacheReady=True/Ready"),
			listed("the wanted revision is not applied yet to ConfigMap my-config")},

		{"scaling up reached no child yet",
			running(generation(4), scale(5), observe(executorsName, hash(olderHash))), "Updating",
			listed("Reconciling=True/Scaling", "Ready=Unknown/Scaling", "SessionManagerReady=True/Ready", "ExecutorsReady=Unknown/Scaling", "ObjectCacheReady=True/Ready"), nil},
		{"scaling up",
			running(generation(4), scale(5), observe(executorsName, specReplicasOf(5), counts(5, 5, 3)),
				unknown(time.Second, "Scaling", v1alpha1.ConditionExecutorsReady), wasReconciling(time.Second, "Scaling")), "Updating",
			executorsDown("Scaling", "Reconciling=True/Scaling"),
			listed("executors: 3 of 5 ready")},
		{"scaling down: surplus pods are not ready yet to go",
			running(generation(4), scale(1), observe(executorsName, specReplicasOf(1)),
				unknown(time.Second, "Scaling", v1alpha1.ConditionExecutorsReady), wasReconciling(time.Second, "Scaling")), "Updating",
			executorsDown("Scaling", "Reconciling=True/Scaling"),
			listed("executors: 3 ready, 1 wanted")},

		{"an executor is not ready, without an edit",
			running(observe(executorsName, counts(3, 3, 2))), "Degraded",
			executorsDown("NotReady"), listed("executors: 2 of 3 ready")},
		{"the session manager is not ready, without an edit",
			running(observe(sessionManagerName, counts(1, 1, 0))), "Degraded",
			sessionManagerDown("NotReady"), listed("session manager: 0 of 1 ready")},
		{"the session manager's Deployment was deleted",
			running(gone("Deployment", sessionManagerName)), "Degraded",
			sessionManagerDown("ChildMissing"), listed("Deployment my-session-manager does not exist yet")},
		{"an executor was evicted: its successor comes up by itself",
			running(observe(executorsName, counts(3, 3, 2)), unready(time.Hour, "NotReady", v1alpha1.ConditionExecutorsReady), pod(em, "a", evicted)), "Degraded",
			executorsDown("NotReady"), listed("executors: 2 of 3 ready: pod my-executor-manager-a: Evicted: The node was low on resource: memory.")},

		{"an image can't be pulled, just now",
			running(downFor(time.Minute), pod(sm, "a", waitingFor("ErrImagePull", "not found"))), "Degraded",
			sessionManagerDown("ImagePullFailed"), listed("pod my-session-manager-a: container session-manager: ImagePullBackOff: not found")},
		{"an image can't be pulled",
			running(downFor(2*time.Minute), pod(sm, "a", waitingFor("ImagePullBackOff", `Back-off pulling image "x:1"`))), "Failed",
			sessionManagerDown("ImagePullFailed", "Stalled=True/ImagePullFailed"),
			listed(`session manager: 0 of 1 ready: pod my-session-manager-a: container session-manager: ImagePullBackOff: Back-off pulling image "x:1"`)},
		{"an image name is invalid",
			running(downFor(20*time.Second), pod(sm, "a", waitingFor("InvalidImageName", "InvalidImageName: couldn't parse image name"))), "Failed",
			sessionManagerDown("ImagePullFailed", "Stalled=True/ImagePullFailed"), listed("InvalidImageName: couldn't parse image name")},
		{"an init container's image can't be pulled",
			running(downFor(time.Hour), pod(sm, "a", initWaitingFor("storage-credentials", "ImagePullBackOff", "unauthorized"))), "Failed",
			sessionManagerDown("ImagePullFailed", "Stalled=True/ImagePullFailed"), listed("container storage-credentials: ImagePullBackOff: unauthorized")},
		{"an executor's image can't be pulled; the rest works",
			running(observe(executorsName, counts(3, 3, 2)), unready(time.Hour, "NotReady", v1alpha1.ConditionExecutorsReady),
				pod(em, "a", podRuns(true)), pod(em, "b", waitingFor("ImagePullBackOff", "not found"))), "Degraded",
			executorsDown("ImagePullFailed", "Stalled=True/ImagePullFailed"), listed("executors: 2 of 3 ready: pod my-executor-manager-b")},
		{"a Secret or its key is not there",
			running(downFor(time.Minute), pod(sm, "a", waitingFor("CreateContainerConfigError", "couldn't find key url in Secret ns/flame-db"))), "Failed",
			sessionManagerDown("CreateContainerConfigError", "Stalled=True/CreateContainerConfigError"), listed("CreateContainerConfigError: couldn't find key url in Secret ns/flame-db")},
		{"the session manager ended with exit code 0",
			running(downFor(2*time.Minute), pod(sm, "a", died(0, "Completed"))), "Failed",
			sessionManagerDown("CrashLoopBackOff", "Stalled=True/CrashLoopBackOff"), listed("exit code 0 (Completed), which usually means a configuration that Flame refuses; see the pod's log")},
		{"it did so again and again",
			running(downFor(2*time.Minute), pod(sm, "a", waitingFor("CrashLoopBackOff", "back-off 40s"), diedBefore(0, "Completed", 4))), "Failed",
			sessionManagerDown("CrashLoopBackOff", "Stalled=True/CrashLoopBackOff"), listed("exit code 0 (Completed), which usually means")},
		{"it is ready for the moment before it does so again",
			running(downFor(2*time.Minute), observe(sessionManagerName, counts(1, 1, 1), available(0)), pod(sm, "a", podRuns(true), diedBefore(0, "Completed", 4))), "Failed",
			sessionManagerDown("CrashLoopBackOff", "Stalled=True/CrashLoopBackOff"), listed("exit code 0 (Completed), which usually means")},
		{"a container is out of memory",
			running(downFor(2*time.Minute), pod(sm, "a", waitingFor("CrashLoopBackOff", "back-off 10s"), diedBefore(137, "OOMKilled", 2))), "Failed",
			sessionManagerDown("CrashLoopBackOff", "Stalled=True/CrashLoopBackOff"), listed("OOMKilled: it ran out of memory; raise its memory limit")},
		{"a container crashed once",
			running(downFor(time.Second), pod(sm, "a", podRuns(false), diedBefore(1, "Error", 1))), "Degraded",
			sessionManagerDown("CrashLoopBackOff"), listed("ended with exit code 1 (Error); see the pod's log")},
		{"the connection string is refused before the daemon starts",
			running(downFor(time.Hour), pod(sm, "a", initDied("storage-credentials", 1, "Secret flame-db, key url: not a sqlite:// string"))), "Failed",
			sessionManagerDown("CrashLoopBackOff", "Stalled=True/CrashLoopBackOff"), listed("container storage-credentials: Secret flame-db, key url: not a sqlite:// string")},
		{"no node takes a pod",
			running(downFor(5*time.Minute), pod(sm, "a", unschedulable("0/3 nodes are available: 3 Insufficient cpu."))), "Failed",
			sessionManagerDown("Unschedulable", "Stalled=True/Unschedulable"), listed("Unschedulable: 0/3 nodes are available: 3 Insufficient cpu.")},
		{"no node takes a pod, just now: a node may be added",
			running(downFor(4*time.Minute), pod(sm, "a", unschedulable("0/3 nodes are available: 3 Insufficient cpu."))), "Degraded",
			sessionManagerDown("Unschedulable"), listed("3 Insufficient cpu")},
		{"a claim is not bound",
			running(downFor(5*time.Minute), pod(sm, "a", unschedulable(`0/3 nodes are available: persistentvolumeclaim "flame-state" not found.`))), "Failed",
			sessionManagerDown("VolumePending", "Stalled=True/VolumePending"), listed(`persistentvolumeclaim "flame-state" not found`)},
		{"a volume is not mounted",
			running(downFor(5*time.Minute), pod(sm, "a", waitingFor("ContainerCreating", ""), sandboxReady(corev1.ConditionFalse))), "Failed",
			sessionManagerDown("VolumePending", "Stalled=True/VolumePending"), listed("waits for its volumes")},
		{"a large image is being pulled, for an hour",
			running(downFor(time.Hour), pod(sm, "a", waitingFor("ContainerCreating", ""), sandboxReady(corev1.ConditionTrue))), "Degraded",
			sessionManagerDown("NotReady"), nil},
		{"a quota refuses pods",
			running(observe(executorsName, counts(1, 1, 1), replicaFailure("pods is forbidden: exceeded quota: compute")), unready(time.Minute, "Scaling", v1alpha1.ConditionExecutorsReady)), "Degraded",
			executorsDown("QuotaExceeded", "Stalled=True/QuotaExceeded"), listed("executors: 1 of 3 ready: pods is forbidden: exceeded quota: compute")},
		{"a rollout makes no progress, and no pods are visible",
			running(blind, observe(executorsName, counts(4, 1, 3), progress(corev1.ConditionFalse, "ProgressDeadlineExceeded")), unready(time.Hour, "RollingOut", v1alpha1.ConditionExecutorsReady)), "Degraded",
			executorsDown("ProgressDeadlineExceeded", "Stalled=True/ProgressDeadlineExceeded"), listed("has timed out progressing")},
		{"a rollout makes no progress, and a pod tells why",
			running(observe(executorsName, counts(4, 1, 3), progress(corev1.ConditionFalse, "ProgressDeadlineExceeded")), unready(time.Minute, "RollingOut", v1alpha1.ConditionExecutorsReady),
				pod(em, "a", waitingFor("ErrImagePull", "not found"))), "Degraded",
			executorsDown("ImagePullFailed", "Stalled=True/ImagePullFailed"), listed("not found")},
		{"an object is refused or taken by somebody else",
			running(gone("Service", sessionManagerName), unready(time.Minute, "Creating")), "Degraded",
			listed("Stalled=True/ChildMissing", "Ready=False/ChildMissing", "SessionManagerReady=True/Ready", "ExecutorsReady=True/Ready", "ObjectCacheReady=True/Ready"),
			listed("the API server refused it (see the events of `kubectl -n ns describe fc my`)", "something else owns the name (see `kubectl -n ns get service my-session-manager -o yaml`)")},
		{"the session manager's Deployment is refused or taken",
			running(gone("Deployment", sessionManagerName), unready(time.Minute, "Creating", v1alpha1.ConditionSessionManagerReady)), "Failed",
			sessionManagerDown("ChildMissing", "Stalled=True/ChildMissing"),
			listed("kubectl -n ns get deployment my-session-manager -o yaml")},
		{"a Deployment does not take a change",
			running(observe(executorsName, hash(olderHash)), unknown(time.Minute, "RollingOut", v1alpha1.ConditionExecutorsReady)), "Degraded",
			listed("Stalled=True/ApplyFailed", "Ready=Unknown/ApplyFailed", "SessionManagerReady=True/Ready", "ExecutorsReady=Unknown/ApplyFailed", "ObjectCacheReady=True/Ready"),
			listed("Deployment my-executor-manager does not take the change", "`kubectl -n ns describe fc my`")},
		{"a ConfigMap does not take a change",
			running(configOutdated, unknown(time.Minute, "RollingOut")), "Degraded",
			listed("Stalled=True/ApplyFailed", "Ready=Unknown/ApplyFailed", "SessionManagerReady=True/Ready", "ExecutorsReady=True/Ready", "ObjectCacheReady=True/Ready"),
			listed("ConfigMap my-config does not take the change")},
		{"the Deployment controller sleeps",
			running(observe(executorsName, notSeen), unknown(time.Minute, "RollingOut", v1alpha1.ConditionExecutorsReady)), "Degraded",
			listed("Stalled=True/ApplyFailed", "Ready=Unknown/ApplyFailed", "SessionManagerReady=True/Ready", "ExecutorsReady=Unknown/ApplyFailed", "ObjectCacheReady=True/Ready"),
			listed("is kube-controller-manager running?")},
		{"an immutable field would have to change",
			running(immutable("Deployment my-session-manager: spec.selector")), "Degraded",
			ready("Stalled=True/ImmutableFieldChanged"), listed("Deployment my-session-manager: spec.selector", "delete the object to have it created anew")},

		{"the spec is invalid; the last good one runs",
			running(invalid("InvalidSpec", badReplicas)), "Degraded",
			ready("Stalled=True/InvalidSpec"), listed("spec.replicas: Invalid value: -1: must not be negative", "the last good spec keeps running")},
		{"the version can't do what the spec asks for",
			running(invalid("UnsupportedByVersion", field.Forbidden(field.NewPath("spec", "sessionManager", "storage", "type"), "Flame 0.6.0 has no postgres"))), "Degraded",
			ready("Stalled=True/UnsupportedByVersion"), listed("Flame 0.6.0 has no postgres")},
		{"the spec is invalid while the session manager is down",
			running(downFor(time.Hour), invalid("InvalidSpec", badReplicas)), "Failed",
			sessionManagerDown("NotReady", "Stalled=True/InvalidSpec"), listed("must not be negative")},
		{"no spec was ever valid",
			fresh(nothingWanted, invalid("InvalidSpec", badReplicas)), "Failed",
			listed("Stalled=True/InvalidSpec", "Ready=False/InvalidSpec"), listed("must not be negative; nothing was created")},

		{"pods go because of suspend",
			running(generation(4), suspend, observe(executorsName, hash(olderHash))), "Updating",
			listed("Reconciling=True/Suspending", "Ready=False/Suspending", "SessionManagerReady=False/Suspending", "ExecutorsReady=Unknown/Suspending", "ObjectCacheReady=False/Suspending",
				"Suspended=False/Suspending"), nil},
		{"suspended",
			running(generation(4), suspend, atZero), "Suspended",
			listed("Ready=False/Suspended", "SessionManagerReady=False/Suspended", "ExecutorsReady=False/Suspended", "ObjectCacheReady=False/Suspended", "Suspended=True/Suspended"),
			listed("suspended: no pods run, all objects and volumes are kept")},
		{"suspended from the start: executors were never created",
			fresh(suspend, othersExist, exists(sessionManagerName, 0), exists(cacheName, 0)), "Suspended",
			listed("Ready=False/Suspended", "SessionManagerReady=False/Suspended", "ExecutorsReady=False/Suspended", "ObjectCacheReady=False/Suspended", "Suspended=True/Suspended"), nil},
		{"resuming: executors wait for the session manager",
			running(wasSuspended, generation(4), resume, atZero, observe(sessionManagerName, specReplicasOf(1), counts(1, 1, 0)), observe(cacheName, specReplicasOf(1), counts(1, 1, 0))), "Updating",
			listed("Reconciling=True/Resuming", "Ready=False/Resuming", "SessionManagerReady=False/Resuming", "ExecutorsReady=False/WaitingForSessionManager", "ObjectCacheReady=False/Resuming"),
			listed("session manager: 0 of 1 ready; executors: 0 of 3 ready, waiting for the session manager")},
		{"a status that another controller wrote is taken over",
			running(foreignStatus), "Running", ready(), nil},
		{"the same while executors are not ready",
			running(foreignStatus, observe(executorsName, counts(3, 3, 1))), "Updating",
			executorsDown("Scaling", "Reconciling=True/Scaling"), listed("executors: 1 of 3 ready")},

		{"paused, with an edit that is not applied",
			running(paused, generation(4)), "Running",
			append(ready(), "Paused=True/Paused"), listed("paused; session manager, object cache and 3 executors ready, with the spec of generation 3")},
		{"being deleted",
			running(deleting), "Updating",
			append(listed("Reconciling=True/Terminating", "Ready=False/Terminating"), allReady[1:]...), listed("being deleted")},
		{"being deleted while something is wrong",
			running(deleting, downFor(time.Hour), pod(sm, "a", waitingFor("ImagePullBackOff", "x"))), "Updating",
			listed("Reconciling=True/Terminating", "Ready=False/Terminating", "SessionManagerReady=False/NotReady", "ExecutorsReady=True/Ready", "ObjectCacheReady=True/Ready"), nil},
		{"being finalized",
			running(deleting, nothingWanted), "Updating",
			listed("Reconciling=True/Terminating", "Ready=False/Terminating"), nil},
	}
}

func TestConditions(t *testing.T) {
	for _, s := range situations() {
		t.Run(s.name, func(t *testing.T) {
			got := s.world.compute(t)
			var conditions []string
			for _, c := range got.Conditions {
				conditions = append(conditions, c.Type+"="+string(c.Status)+"/"+c.Reason)
			}
			assert.Equal(t, s.conditions, conditions)
			assert.Equal(t, s.state, got.State)
			for _, part := range s.says {
				assert.Contains(t, got.Message, part)
			}
			assert.NotEmpty(t, got.Message)
		})
	}
}
