package scenarios

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/test/e2e/kubelet"
)

// podBehavior is a podTemplate that tells the fake kubelet what its pods do.
func podBehavior(behavior string) map[string]any {
	return map[string]any{"metadata": map[string]any{"annotations": map[string]any{kubelet.Behavior: behavior}}}
}

func atLeast(want, got int) error {
	if got < want {
		return fmt.Errorf("%d, not yet %d", got, want)
	}
	return nil
}

func none(got int) error {
	if got != 0 {
		return fmt.Errorf("there are %d", got)
	}
	return nil
}

func isReady(pod corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

func uids(pods []corev1.Pod) []string {
	var all []string
	for _, p := range pods {
		all = append(all, string(p.UID))
	}
	return all
}
