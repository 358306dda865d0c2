package status

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// refusedPods is the trouble of a Deployment whose pods the API server refuses: a
// quota, Pod Security, a webhook. The Deployment repeats the API server's words.
func refusedPods(c *component) []trouble {
	failure, found := c.deployment.Status.Condition(appsv1.DeploymentReplicaFailure)
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
	progressing, found := c.deployment.Status.Condition(appsv1.DeploymentProgressing)
	if !found || progressing.Status != corev1.ConditionFalse || progressing.Reason != v1alpha1.ReasonProgressDeadlineExceeded {
		return "", false
	}
	return cut(orElse(progressing.Message, "the rollout makes no progress"), maxText), true
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
