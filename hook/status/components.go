package status

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// componentReady is the condition of one component.
func (v *view) componentReady(c *component) *metav1.Condition {
	return v.condition(c.condition, c.status, c.reason, c.message)
}

// describe says why the component is as it is.
func (c *component) describe(v *view) {
	c.message, c.moving, c.stalled = c.tally(), false, false
	if c.phase == phaseComplete {
		c.reason = v1alpha1.ReasonReady
		if v.suspend() {
			c.reason, c.message = v1alpha1.ReasonSuspended, "suspended"
		}
		return
	}
	c.change, c.moving = v.movingReason(c), v.moving(c)
	c.reason = c.change
	if !c.moving {
		c.reason = v1alpha1.ReasonNotReady
	}
	if v.Parent.Deleting {
		return
	}
	switch c.phase {
	case phaseHeld:
		c.reason = v1alpha1.ReasonWaitingForSessionManager
		c.message = fmt.Sprintf("%s, waiting for the session manager", c.message)
	case phaseMissing:
		if !c.moving {
			c.reason = v1alpha1.ReasonChildMissing
		}
		c.message = fmt.Sprintf("Deployment %s does not exist yet", c.workload.Name)
		if v.expired(v.troubleSince(c), graceApply) {
			c.stall(v1alpha1.ReasonChildMissing, v.missingText("Deployment", c.workload.Name))
		}
	case phaseOutdated:
		if v.expired(v.troubleSince(c), graceApply) {
			c.stall(v1alpha1.ReasonApplyFailed, v.stuckText(c))
		}
	case phaseRolling:
		if v.pausedByOthers(c) && v.expired(v.troubleSince(c), graceApply) {
			c.stall(v1alpha1.ReasonApplyFailed, v.refusedText(v.wanted[c.ref()], &c.deployment.Metadata))
			return
		}
		if len(c.troubles) > 0 {
			v.weigh(c)
			if worst := c.troubles[0]; worst.rank != rankGone {
				c.reason, c.stalled = worst.reason, worst.stalled
			}
			c.message += ": " + tell(c.troubles)
		}
	}
}

func (c *component) stall(reason, message string) {
	c.reason, c.message, c.stalled = reason, message, true
}

// stuckText says why the Deployment is still not as it is sent.
func (v *view) stuckText(c *component) string {
	meta := &c.deployment.Metadata
	if !outdated(meta, v.wanted[c.ref()]) {
		return fmt.Sprintf("Deployment %s was changed, and the Deployment controller has not taken notice: is kube-controller-manager running?", c.workload.Name)
	}
	return v.refusedText(v.wanted[c.ref()], meta)
}

// pausedByOthers says whether the Deployment is paused and is not sent so, which holds
// its rollouts back. What has been applied goes on, and it can be scaled.
func (v *view) pausedByOthers(c *component) bool {
	return c.deployment.Spec.Paused && v.wanted[c.ref()].Strays != ""
}

// troubleSince is since for a component. Executors can't get anywhere before the
// session manager is there.
func (v *view) troubleSince(c *component) time.Time {
	since := v.since(c.condition, c.status)
	if c.condition == v1alpha1.ConditionExecutorsReady {
		since = latest(since, v.before.transition(v1alpha1.ConditionSessionManagerReady, v.sessionManager.status, v.now))
	}
	return since
}

// movingReason says what kind of change brings the component to what is wanted.
func (v *view) movingReason(c *component) string {
	d := c.deployment
	switch {
	case v.suspend():
		return v1alpha1.ReasonSuspending
	case v.neverReady() || v.before.reason(c.condition) == v1alpha1.ReasonCreating:
		return v1alpha1.ReasonCreating
	case v.resuming(c):
		return v1alpha1.ReasonResuming
	case d == nil:
		return v1alpha1.ReasonCreating
	case specReplicas(d) != c.workload.Replicas:
		return v1alpha1.ReasonScaling
	case c.phase == phaseOutdated || replacing(d) || c.condition != v1alpha1.ConditionExecutorsReady:
		return v1alpha1.ReasonRollingOut
	}
	return v1alpha1.ReasonScaling
}

func (v *view) resuming(c *component) bool {
	switch v.before.reason(c.condition) {
	case v1alpha1.ReasonResuming:
		return true
	case v1alpha1.ReasonRollingOut, v1alpha1.ReasonScaling:
		return v.before.has(v1alpha1.ConditionSuspended)
	}
	return v.before.has(v1alpha1.ConditionSuspended) || v.before.reason(v1alpha1.ConditionReconciling) == v1alpha1.ReasonResuming
}

// moving says whether a change is on its way to the component, or else something
// happened to it.
//
// What is observed tells for rollouts. A Deployment that is being scaled looks like
// one that lost pods, so there the last answer's reason is what remembers.
func (v *view) moving(c *component) bool {
	switch {
	case c.phase == phaseOutdated, v.suspend(), c.phase == phaseRolling && replacing(c.deployment), v.changing():
		return true
	}
	switch v.before.reason(c.condition) {
	case v1alpha1.ReasonCreating, v1alpha1.ReasonRollingOut, v1alpha1.ReasonScaling, v1alpha1.ReasonResuming:
		return true
	case v1alpha1.ReasonReady, v1alpha1.ReasonNotReady, v1alpha1.ReasonChildMissing:
		return false
	}
	return !v.stuck && v.before.has(v1alpha1.ConditionReconciling)
}

// changing says whether the cluster starts on the way to something new.
func (v *view) changing() bool {
	return !v.stuck && (v.neverReady() || v.newSpec() || !v.before.has(v1alpha1.ConditionReady))
}

// neverReady says whether the cluster has never been ready. Executors that were
// never created are proof; otherwise the state remembers it.
func (v *view) neverReady() bool {
	if v.before.state == "" || v.before.state == v1alpha1.StatePending {
		return true
	}
	return !v.Executors.Wanted && v.executors.deployment == nil && v.Executors.Replicas > 0
}

// newSpec says whether this is the first answer for a spec that is in effect.
func (v *view) newSpec() bool {
	return v.before.generation < v.Parent.Generation && v.Invalid == nil && !v.Paused
}

func (v *view) suspend() bool { return v.Spec != nil && v.Spec.Suspend }
