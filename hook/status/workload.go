package status

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// progressComplete is the reason of a Deployment's condition Progressing after the
// rollout of its newest template is complete (Kubernetes, deployment controller).
const progressComplete = "NewReplicaSetAvailable"

// phase is how far a Deployment has come.
type phase int

const (
	// phaseHeld: not sent yet, or sent with 0 replicas, or sent paused, until the
	// session manager is available.
	phaseHeld phase = iota
	// phaseMissing: sent and not observed.
	phaseMissing
	// phaseOutdated: observed, but not as it is sent, or on its way out.
	phaseOutdated
	// phaseRolling: as it is sent, but its pods are not as wanted.
	phaseRolling
	// phaseComplete: all pods that are wanted are available, and no others exist.
	phaseComplete
)

// component is one part of the cluster and the Deployment behind it.
type component struct {
	condition, title string
	workload         Workload
	deployment       *observed.Deployment
	// storage is where the connection string comes from, nil if it comes from nowhere.
	storage  *corev1.SecretKeySelector
	phase    phase
	status   metav1.ConditionStatus
	troubles []trouble

	// change is the reason of the change that is on its way; reason may be a trouble.
	reason, change, message string
	moving, stalled         bool
}

func (v *view) component(condition, title string, w Workload) component {
	c := component{condition: condition, title: title, workload: w, deployment: v.Children.Deployments[w.Name]}
	if spec := v.Spec; spec != nil && spec.SessionManager.Storage != nil {
		c.storage = spec.SessionManager.Storage.SecretRef
	}
	c.phase = v.phaseOf(&c)
	c.status = metav1.ConditionFalse
	switch {
	case c.phase == phaseOutdated:
		c.status = metav1.ConditionUnknown
	case c.phase == phaseComplete && !v.suspend():
		c.status = metav1.ConditionTrue
	}
	return c
}

// ref names the Deployment.
func (c *component) ref() Ref { return Ref{Kind: "Deployment", Name: c.workload.Name} }

func (v *view) phaseOf(c *component) phase {
	d := c.deployment
	if !c.workload.Wanted {
		if c.workload.Replicas > 0 {
			return phaseHeld
		}
		return phaseComplete
	}
	if d == nil {
		return phaseMissing
	}
	if outdated(&d.Metadata, v.wanted[c.ref()]) ||
		d.Status.ObservedGeneration < d.Metadata.Generation {
		return phaseOutdated
	}
	wanted, s := c.workload.Replicas, d.Status
	if specReplicas(d) == wanted && s.Replicas == wanted && s.UpdatedReplicas == wanted &&
		s.ReadyReplicas == wanted && s.AvailableReplicas == wanted {
		return phaseComplete
	}
	if c.condition == v1alpha1.ConditionExecutorsReady && wanted > 0 && (specReplicas(d) == 0 || d.Spec.Paused) &&
		v.sessionManager.status != metav1.ConditionTrue {
		return phaseHeld
	}
	return phaseRolling
}

// outdated says whether an observed child is not what is sent. A child that is
// being deleted does not take changes any more.
func outdated(observed *observed.Meta, wanted Ref) bool {
	return observed.Hash() != wanted.Hash || observed.DeletionTimestamp != nil
}

// specReplicas is 1 where the field is absent, as for the API server.
func specReplicas(d *observed.Deployment) int32 {
	if d.Spec.Replicas == nil {
		return 1
	}
	return *d.Spec.Replicas
}

// replacing says whether pods of an older template are left, or the newest one has
// not been complete yet.
func replacing(d *observed.Deployment) bool {
	if d.Status.UpdatedReplicas < d.Status.Replicas {
		return true
	}
	progressing, found := d.Status.Condition(appsv1.DeploymentProgressing)
	return found && progressing.Status == corev1.ConditionTrue && progressing.Reason != progressComplete
}

// counts is nil-safe: an absent Deployment has no pods.
func (c *component) counts(endpoint string) *v1alpha1.ComponentStatus {
	counts := &v1alpha1.ComponentStatus{Desired: c.workload.Replicas, Endpoint: endpoint}
	if d := c.deployment; d != nil {
		counts.Ready = d.Status.ReadyReplicas
		if c.phase != phaseOutdated {
			counts.Updated = d.Status.UpdatedReplicas
		}
	}
	return counts
}

// tally says how many pods are ready.
func (c *component) tally() string {
	counts := c.counts("")
	text := fmt.Sprintf("%d of %d ready", counts.Ready, counts.Desired)
	if counts.Ready > counts.Desired {
		text = fmt.Sprintf("%d ready, %d wanted", counts.Ready, counts.Desired)
	}
	switch {
	case c.phase == phaseOutdated:
		return text + ", the wanted revision is not applied yet"
	case c.deployment != nil && counts.Updated < c.deployment.Status.Replicas:
		return text + fmt.Sprintf(", %d of %d updated", counts.Updated, counts.Desired)
	case c.deployment != nil && c.deployment.Status.AvailableReplicas < counts.Ready:
		return text + fmt.Sprintf(", %d of them for long enough to count", c.deployment.Status.AvailableReplicas)
	}
	return text
}

func (c *component) item() item {
	return item{
		title: c.title, reason: c.reason, change: c.change, message: c.message,
		moving: c.moving, troubled: c.reason != c.change, stalled: c.stalled,
	}
}
