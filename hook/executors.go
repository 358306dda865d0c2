package hook

import (
	"fmt"
	"strings"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/canonical"
	"github.com/xflops/flame-operator/hook/observed"
	"github.com/xflops/flame-operator/hook/resources"
)

// wantedExecutors is the number of executor managers that the spec asks for. A
// spec from the last-good record has none: the observed number is kept, and while
// executors wait for the session manager the one that the last answer wanted.
func wantedExecutors(r *Request, p *plan) int32 {
	if p.spec.Suspend {
		return 0
	}
	if !p.frozen {
		return *p.spec.Replicas
	}
	previous := r.Parent.PreviousStatus()
	d := r.Children.Deployments[resources.ExecutorManagerName(r.Parent.Metadata.Name)]
	if d != nil && d.Spec.Replicas != nil && (*d.Spec.Replicas > 0 || !waiting(&previous)) {
		return *d.Spec.Replicas
	}
	if previous.ExecutorManager != nil && previous.ExecutorManager.Desired >= 0 && previous.ExecutorManager.Desired <= v1alpha1.MaxReplicas {
		return previous.ExecutorManager.Desired
	}
	return *p.spec.Replicas
}

// waiting says whether the last answer held executors back for the session manager.
func waiting(previous *v1alpha1.FlameClusterStatus) bool {
	for _, condition := range previous.Conditions {
		if condition.Type == v1alpha1.ConditionExecutorsReady {
			return condition.Reason == v1alpha1.ReasonWaitingForSessionManager
		}
	}
	return false
}

// keepsBudget says whether the executors' PodDisruptionBudget stays whatever their
// number is: the last-good record does not tell it.
func keepsBudget(r *Request, p *plan) bool {
	return p.frozen && r.Children.PodDisruptionBudgets[resources.ExecutorManagerName(r.Parent.Metadata.Name)] != nil
}

// decideExecutors holds executors back until the session manager is available,
// since one that can't connect exits at once, and restarts them when another run of
// the session manager is available than the one they registered with.
func decideExecutors(r *Request, b *built) resources.Executors {
	name := r.Parent.Metadata.Name
	existing := r.Children.Deployments[resources.ExecutorManagerName(name)]
	available := isAvailable(r.Children.Deployments[resources.SessionManagerName(name)], b.find("Deployment", resources.SessionManagerName(name)))

	decision := resources.Executors{Wanted: existing != nil, Replicas: b.wantedExecutors}
	var registered string
	if existing != nil {
		registered = existing.Spec.Template.Metadata.Annotations[v1alpha1.AnnotationSessionManagerState]
		decision.SessionManagerState = registered
		if !available && (existing.Spec.Replicas == nil || *existing.Spec.Replicas == 0) {
			decision.Replicas = 0
		}
	}
	b.holdExecutors = !available
	if !available {
		return decision
	}
	if state, known := sessionManagerState(r, b.sessionManagerTemplate, registered); known {
		decision.Wanted, decision.SessionManagerState = true, state
	}
	return decision
}

// isAvailable says whether the observed Deployment is the desired one and its pods
// are available: a status from before an edit does not count.
func isAvailable(d *observed.Deployment, desired *canonical.Object) bool {
	return d != nil && desired != nil && d.Metadata.Hash() == desired.Hash &&
		d.Status.ObservedGeneration >= d.Metadata.Generation &&
		d.Status.AvailableReplicas >= 1 && d.Status.UpdatedReplicas >= 1 &&
		d.Status.Replicas == d.Status.UpdatedReplicas
}

// sessionManagerState identifies the run of the available session manager: its pod
// and how often the container was restarted. Each run begins with another memory of
// nodes and executors than the last one had, whatever storage it has: executors that
// go on across it keep tasks that nobody knows, and what they offered is taken for
// idle or busy for ever. Running tasks are run again after a restart anyway. The
// state is not known while pods are visible and the session manager's is not among
// them yet.
func sessionManagerState(r *Request, template, registered string) (state string, known bool) {
	if !r.Related.PodsVisible() {
		if strings.HasPrefix(registered, template+".") {
			return registered, true
		}
		return template, true
	}
	pod := readyPod(r.Related.PodsOf(r.Parent.Metadata.Name, v1alpha1.ComponentSessionManager))
	if pod == nil {
		return "", false
	}
	return fmt.Sprintf("%s.%s.%d", template, pod.Metadata.UID, restarts(pod, string(v1alpha1.ComponentSessionManager))), true
}

// readyPod returns the one ready pod, or nil when there is none or more than one:
// in between, nobody knows which one executors talk to.
func readyPod(pods []observed.Pod) *observed.Pod {
	var ready *observed.Pod
	for i := range pods {
		if pods[i].Metadata.DeletionTimestamp != nil || !pods[i].Ready() {
			continue
		}
		if ready != nil {
			return nil
		}
		ready = &pods[i]
	}
	return ready
}

func restarts(pod *observed.Pod, container string) int32 {
	for _, c := range pod.Status.ContainerStatuses {
		if c.Name == container {
			return c.RestartCount
		}
	}
	return 0
}
