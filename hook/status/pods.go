package status

import (
	"cmp"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// podsByComponent decodes the pods, once and only if they can explain something.
// Pods on their way out explain nothing.
func (v *view) podsByComponent() map[v1alpha1.Component][]observed.Pod {
	needed := false
	for _, c := range v.components() {
		needed = needed || c.phase == phaseRolling && c.workload.Replicas > 0
	}
	if !needed {
		return nil
	}
	byComponent := map[v1alpha1.Component][]observed.Pod{}
	for _, p := range v.Related.Pods(v.Parent.Name) {
		if p.Metadata.DeletionTimestamp == nil {
			name := v1alpha1.Component(p.Metadata.Labels[v1alpha1.LabelComponent])
			byComponent[name] = append(byComponent[name], p)
		}
	}
	return byComponent
}

// podTroubles are the troubles of the component's pods of the newest template.
func (c *component) podTroubles(pods []observed.Pod) []trouble {
	var troubles []trouble
	hash, found := newestTemplate(c.deployment, pods)
	if !found {
		return nil
	}
	for i := range pods {
		if pods[i].Metadata.Labels[appsv1.DefaultDeploymentUniqueLabelKey] != hash {
			continue
		}
		if t := c.inspect(&pods[i]); t != nil {
			t.pod, t.begun = pods[i].Metadata.Name, latest(t.begun, pods[i].Metadata.CreationTimestamp.Time)
			troubles = append(troubles, *t)
		}
	}
	return troubles
}

// newestTemplate is the pod-template-hash of the pods that a Deployment created
// last. While it has none of the newest template, no pod has it: what is wrong with
// older ones may be what the edit repairs.
func newestTemplate(d *observed.Deployment, pods []observed.Pod) (hash string, found bool) {
	if d.Status.UpdatedReplicas == 0 {
		return "", false
	}
	var created time.Time
	for i := range pods {
		m := &pods[i].Metadata
		h := m.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
		switch order := m.CreationTimestamp.Compare(created); {
		case !found, order > 0, order == 0 && h > hash:
			hash, created, found = h, m.CreationTimestamp.Time, true
		}
	}
	return hash, found
}

// inspect returns what is wrong with a pod, or nil.
func (c *component) inspect(p *observed.Pod) *trouble {
	if p.Status.Phase == corev1.PodFailed || p.Status.Phase == corev1.PodSucceeded {
		return ended(p)
	}
	if t := unscheduled(p); t != nil {
		return t
	}
	var worst *trouble
	look := func(containers []observed.ContainerStatus, init bool) {
		for i := range containers {
			t := c.inspectContainer(&containers[i], &p.Status, init)
			if t != nil && (worst == nil || compareContainers(t, worst) < 0) {
				worst = t
			}
		}
	}
	look(p.Status.InitContainerStatuses, true)
	look(p.Status.ContainerStatuses, false)
	return worst
}

func compareContainers(a, b *trouble) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.container, b.container), cmp.Compare(a.text, b.text))
}

// ended is about a pod that is over: evicted, or refused by its node. A ReplicaSet
// replaces it, so nobody has to act.
func ended(p *observed.Pod) *trouble {
	if p.Status.Reason == "" {
		return nil
	}
	return &trouble{reason: v1alpha1.ReasonNotReady, rank: rankGone, harmless: true,
		text: kubeletText(p.Status.Reason, p.Status.Message)}
}

// unscheduled is about a pod without a node.
func unscheduled(p *observed.Pod) *trouble {
	condition, found := p.Status.Condition(corev1.PodScheduled)
	if !found || condition.Status != corev1.ConditionFalse {
		return nil
	}
	t := &trouble{reason: v1alpha1.ReasonUnschedulable, rank: rankSchedule, grace: graceSchedule,
		text: kubeletText(orElse(condition.Reason, v1alpha1.ReasonUnschedulable), condition.Message)}
	if aboutVolumes(condition.Message) {
		t.reason, t.rank, t.grace = v1alpha1.ReasonVolumePending, rankVolume, graceVolume
	}
	return t
}

// aboutVolumes recognizes the scheduler's words for claims that are missing, not
// bound, or bound to a place where the pod can't go.
func aboutVolumes(message string) bool {
	message = strings.ToLower(message)
	return strings.Contains(message, "persistentvolumeclaim") ||
		strings.Contains(message, "persistent volumes to bind") ||
		strings.Contains(message, "volume node affinity conflict")
}
