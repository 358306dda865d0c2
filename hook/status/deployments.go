package status

import (
	"cmp"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// refusedPods is the trouble of a Deployment whose pods the API server refuses: a
// quota, Pod Security, a webhook. The Deployment repeats the API server's words.
func refusedPods(c *component) []trouble {
	failure, found := deploymentCondition(c.deployment, appsv1.DeploymentReplicaFailure)
	if !found || failure.Status != corev1.ConditionTrue {
		return nil
	}
	return []trouble{{
		reason: v1alpha1.ReasonQuotaExceeded,
		rank:   rankRefused,
		text:   cut(orElse(failure.Message, "the API server refuses its pods"), maxText),
		begun:  failure.LastTransitionTime.Time,
		grace:  graceQuota,
	}}
}

// pastDeadline says whether the Deployment gave up waiting for its newest pods.
func pastDeadline(c *component) (text string, past bool) {
	progressing, found := deploymentCondition(c.deployment, appsv1.DeploymentProgressing)
	if !found || progressing.Status != corev1.ConditionFalse || progressing.Reason != v1alpha1.ReasonProgressDeadlineExceeded {
		return "", false
	}
	return cut(orElse(progressing.Message, "the rollout makes no progress"), maxText), true
}

func less(a, b observed.DeploymentCondition) bool {
	return cmp.Or(
		cmp.Compare(a.Status, b.Status),
		cmp.Compare(a.Reason, b.Reason),
		cmp.Compare(a.Message, b.Message),
		a.LastTransitionTime.Compare(b.LastTransitionTime.Time),
	) < 0
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// deploymentCondition finds a condition. Should one be listed twice, the choice does
// not depend on the order.
func deploymentCondition(d *observed.Deployment, kind appsv1.DeploymentConditionType) (observed.DeploymentCondition, bool) {
	var chosen observed.DeploymentCondition
	found := false
	for _, c := range d.Status.Conditions {
		if c.Type == string(kind) && (!found || less(c, chosen)) {
			chosen, found = c, true
		}
	}
	return chosen, found
}
