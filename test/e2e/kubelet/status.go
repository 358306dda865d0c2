package kubelet

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// podIP is every pod's address. Nothing connects to it.
const podIP = "10.1.0.1"

// missingSecret says, in the kubelet's words, which Secret or key of one keeps a
// container from being created, if any, and which Secret keeps the pod's volumes from
// being mounted. secretHas asks for the Secret alone if key is empty.
func missingSecret(pod *corev1.Pod, c *corev1.Container, secretHas func(name, key string) bool) (create, mount string) {
	for _, e := range c.Env {
		if e.ValueFrom == nil || e.ValueFrom.SecretKeyRef == nil {
			continue
		}
		ref := e.ValueFrom.SecretKeyRef
		if (ref.Optional == nil || !*ref.Optional) && !secretHas(ref.Name, ref.Key) {
			create = fmt.Sprintf("secret %q not found", ref.Name)
			if secretHas(ref.Name, "") {
				create = fmt.Sprintf("couldn't find key %s in Secret %s/%s", ref.Key, pod.Namespace, ref.Name)
			}
		}
	}
	for _, v := range pod.Spec.Volumes {
		if v.Secret != nil && (v.Secret.Optional == nil || !*v.Secret.Optional) && !secretHas(v.Secret.SecretName, "") {
			mount = v.Secret.SecretName
		}
	}
	return create, mount
}

// podStatus is the status of a bound pod of that age, and the time after which it
// may be another one (0: never).
func podStatus(pod *corev1.Pod, age time.Duration, now metav1.Time, secretHas func(name, key string) bool) (corev1.PodStatus, time.Duration) {
	start := pod.Status.StartTime
	if start == nil {
		start = &now
	}
	status := corev1.PodStatus{Phase: corev1.PodRunning, PodIP: podIP, PodIPs: []corev1.PodIP{{IP: podIP}}, StartTime: start}
	var next time.Duration
	soonest := func(d time.Duration) {
		if d > 0 && (next == 0 || d < next) {
			next = d
		}
	}
	initialized := true
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		p := containerPhase(pod, c, age, secretHas)
		soonest(p.next)
		if p.state.Running != nil {
			p.state = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 0, Reason: "Completed"}}
			p.ready = true
		} else {
			initialized = false
		}
		status.InitContainerStatuses = append(status.InitContainerStatuses, containerStatus(c, p, *start))
		if !initialized {
			break
		}
	}
	ready, done := initialized, true
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		p := waiting("PodInitializing", "", 0)
		if initialized {
			p = containerPhase(pod, c, age, secretHas)
			if pod.Spec.RestartPolicy == corev1.RestartPolicyNever && p.state.Running != nil {
				p = once(age)
			}
		}
		soonest(p.next)
		ready = ready && p.ready
		done = done && p.state.Terminated != nil
		if p.state.Waiting != nil && p.restarts == 0 {
			status.Phase = corev1.PodPending
		}
		status.ContainerStatuses = append(status.ContainerStatuses, containerStatus(c, p, *start))
	}
	if done && pod.Spec.RestartPolicy == corev1.RestartPolicyNever {
		status.Phase = corev1.PodSucceeded
	}
	status.Conditions = []corev1.PodCondition{
		condition(pod, corev1.PodScheduled, true, now), condition(pod, corev1.PodInitialized, initialized, now),
		condition(pod, corev1.ContainersReady, ready, now), condition(pod, corev1.PodReady, ready, now),
	}
	return status, next
}

func containerPhase(pod *corev1.Pod, c *corev1.Container, age time.Duration, secretHas func(name, key string) bool) phase {
	create, mount := missingSecret(pod, c, secretHas)
	switch {
	case mount != "":
		return waiting("ContainerCreating", "", recheckPeriod)
	case create != "":
		return waiting("CreateContainerConfigError", create, recheckPeriod)
	}
	return life(c.Image, pod.Annotations[Behavior], age)
}

func containerStatus(c *corev1.Container, p phase, start metav1.Time) corev1.ContainerStatus {
	if p.state.Running != nil {
		p.state.Running.StartedAt = start
	}
	for _, s := range []*corev1.ContainerStateTerminated{p.state.Terminated, p.last.Terminated} {
		if s != nil {
			s.StartedAt, s.FinishedAt = start, start
		}
	}
	started := p.state.Running != nil
	return corev1.ContainerStatus{
		Name: c.Name, Image: c.Image, ImageID: c.Image, State: p.state, LastTerminationState: p.last,
		Ready: p.ready, RestartCount: p.restarts, Started: &started,
	}
}

func condition(pod *corev1.Pod, kind corev1.PodConditionType, is bool, now metav1.Time) corev1.PodCondition {
	c := corev1.PodCondition{Type: kind, Status: corev1.ConditionFalse, LastTransitionTime: now}
	if is {
		c.Status = corev1.ConditionTrue
	}
	for _, old := range pod.Status.Conditions {
		if old.Type == kind && old.Status == c.Status {
			c.LastTransitionTime = old.LastTransitionTime
		}
	}
	return c
}
