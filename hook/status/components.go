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
		c.reason = v1alpha1.ReasonCreating
		c.message = fmt.Sprintf("Deployment %s does not exist yet", c.workload.Name)
		if v.expired(v.troubleSince(c), graceApply) {
			c.stall(v1alpha1.ReasonChildMissing, v.missingText("Deployment", c.workload.Name))
		}
	case phaseOutdated:
		if v.expired(v.troubleSince(c), graceApply) {
			c.stall(v1alpha1.ReasonApplyFailed, v.refusedText("Deployment", c.workload.Name, &c.deployment.Metadata))
		}
	case phaseRolling:
		if len(c.troubles) > 0 {
			v.weigh(c)
			c.reason, c.stalled = c.troubles[0].reason, c.troubles[0].stalled
			c.message += ": " + tell(c.troubles)
		}
	}
}

func (c *component) stall(reason, message string) {
	c.reason, c.message, c.stalled = reason, message, true
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
	before := v.before.reason(c.condition)
	switch {
	case v.suspend():
		return v1alpha1.ReasonSuspending
	case v.neverReady() || before == v1alpha1.ReasonCreating:
		return v1alpha1.ReasonCreating
	case before == v1alpha1.ReasonResuming || v.before.has(v1alpha1.ConditionSuspended) ||
		v.before.reason(v1alpha1.ConditionReconciling) == v1alpha1.ReasonResuming:
		return v1alpha1.ReasonResuming
	case d == nil:
		return v1alpha1.ReasonCreating
	case specReplicas(d) != c.workload.Replicas:
		return v1alpha1.ReasonScaling
	case c.phase == phaseOutdated || replacing(d):
		return v1alpha1.ReasonRollingOut
	case c.condition == v1alpha1.ConditionExecutorsReady:
		return v1alpha1.ReasonScaling
	}
	return v1alpha1.ReasonNotReady
}

// moving says whether a change is on its way to the component, or else something
// happened to it.
func (v *view) moving(c *component) bool {
	switch {
	case c.phase == phaseOutdated, v.suspend(), c.phase == phaseRolling && replacing(c.deployment):
		return true
	}
	switch v.before.reason(c.condition) {
	case v1alpha1.ReasonCreating, v1alpha1.ReasonRollingOut, v1alpha1.ReasonScaling, v1alpha1.ReasonResuming:
		return true
	}
	return v.changing()
}

// changing says whether the cluster is still on the way to what was asked for last.
func (v *view) changing() bool {
	return !v.stuck && (v.neverReady() || v.newSpec() ||
		v.before.has(v1alpha1.ConditionReconciling) || !v.before.has(v1alpha1.ConditionReady))
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
