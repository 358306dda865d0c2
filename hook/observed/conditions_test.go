package observed_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/hook/observed"
)

func TestReadyPods(t *testing.T) {
	for name, test := range map[string]struct {
		conditions []observed.PodCondition
		want       bool
	}{
		"none":             {nil, false},
		"ready":            {[]observed.PodCondition{{Type: corev1.PodScheduled, Status: "False"}, {Type: corev1.PodReady, Status: "True"}}, true},
		"not ready":        {[]observed.PodCondition{{Type: corev1.ContainersReady, Status: "True"}, {Type: corev1.PodReady, Status: "False"}}, false},
		"unknown":          {[]observed.PodCondition{{Type: corev1.PodReady, Status: "Unknown"}}, false},
		"ready and not":    {[]observed.PodCondition{{Type: corev1.PodReady, Status: "True"}, {Type: corev1.PodReady, Status: "False"}}, false},
		"listed twice":     {[]observed.PodCondition{{Type: corev1.PodReady, Status: "True"}, {Type: corev1.PodReady, Status: "True"}}, true},
		"another of these": {[]observed.PodCondition{{Type: "ready", Status: "True"}}, false},
	} {
		pod := observed.Pod{Status: observed.PodStatus{Conditions: test.conditions}}
		assert.Equal(t, test.want, pod.Ready(), name)
		slices.Reverse(pod.Status.Conditions)
		assert.Equal(t, test.want, pod.Ready(), "%s, in another order", name)
	}
}

func TestTheConditionOfADeploymentDoesNotDependOnTheOrder(t *testing.T) {
	status := observed.DeploymentStatus{Conditions: []observed.DeploymentCondition{
		{Type: "Progressing", Status: "True", Reason: "b"},
		{Type: "Available", Status: "False", Reason: "a"},
		{Type: "Progressing", Status: "True", Reason: "a"},
	}}
	for range 2 {
		condition, found := status.Condition(appsv1.DeploymentProgressing)
		assert.True(t, found)
		assert.Equal(t, "a", condition.Reason)
		slices.Reverse(status.Conditions)
	}
	_, found := status.Condition(appsv1.DeploymentReplicaFailure)
	assert.False(t, found)
}
