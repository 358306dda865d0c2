package status

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// How long a trouble may last before it counts as Stalled. Until then it is named
// in Ready and in the component's condition only, since most of these go away
// without anybody acting. Tools that wait give up as soon as they see Stalled, so
// each time is longer than the usual way out of the trouble.
const (
	// graceSettle is for troubles that never go away by themselves. It covers only
	// the moment in which the pods in a request are older than its Deployments.
	graceSettle = 15 * time.Second
	// gracePull: kubelets retry after 10 s, 20 s, 40 s and 80 s. An image that was
	// pushed together with the edit, or a registry that hiccups, is there by then.
	gracePull = 2 * time.Minute
	// graceConfig: a Secret that another controller creates from the same commit
	// (External Secrets, cert-manager) comes within a minute.
	graceConfig = time.Minute
	// graceCrash: an executor manager ends if it can't connect at once, so a slow
	// DNS entry costs some restarts. Four back-offs take 150 s; three take 70 s.
	graceCrash = 2 * time.Minute
	// crashLoop is the number of restarts from which on a container is taken to end
	// for ever. Before that, the time is counted from the last end.
	crashLoop = 3
	// graceSchedule: a cluster autoscaler needs some minutes to add a node.
	graceSchedule = 5 * time.Minute
	// graceVolume: provisioning a volume, or detaching it from a node that vanished,
	// takes some minutes. A large image has no time limit: see creating in
	// containers.go.
	graceVolume = 5 * time.Minute
	// graceQuota: during a rolling update the old pods hold quota until they end.
	graceQuota = time.Minute
	// graceApply: Metacontroller applies children right after the answer, so a child
	// that is still missing or still old a minute later was refused.
	graceApply = time.Minute
)

// expired says whether a trouble that can have begun at since is past its grace.
func (v *view) expired(since time.Time, grace time.Duration) bool {
	return !v.now.Before(since.Add(grace))
}

// since is the earliest moment at which a trouble of the thing that the named
// condition describes can have begun. status is the condition's status now.
//
// It is the latest of: the creation of the FlameCluster; the moment at which the
// condition took its status (an edit that reaches a child turns it Unknown, and the
// child that takes the edit turns it False, so both begin anew); and the moment at
// which the change on its way began, since an edit that repairs something deserves
// its time. Once the cluster is stuck, nothing is on its way.
func (v *view) since(condition string, status metav1.ConditionStatus) time.Time {
	since := latest(v.Parent.CreationTimestamp, v.before.transition(condition, status, v.now))
	if v.stuck {
		return since
	}
	if v.before.has(v1alpha1.ConditionReconciling) {
		return latest(since, v.before.transition(v1alpha1.ConditionReconciling, metav1.ConditionTrue, v.now))
	}
	if v.newSpec() {
		return latest(since, v.now)
	}
	return since
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
