package status

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// inspectContainer returns what is wrong with a container, or nil.
func (c *component) inspectContainer(s *observed.ContainerStatus, pod *observed.PodStatus, init bool) *trouble {
	if w := s.State.Waiting; w != nil {
		if t := c.waiting(s, w, pod); t != nil {
			t.container = s.Name
			return t
		}
	}
	if end := c.termination(s, init); end != nil {
		t := c.crash(s.Name, end)
		t.container = s.Name
		if s.RestartCount < crashLoop {
			t.begun = end.FinishedAt.Time
		}
		return t
	}
	return nil
}

// waiting is about a container that the kubelet can't start. The reasons are the
// kubelet's (Kubernetes, pkg/kubelet/container, pkg/kubelet/images).
func (c *component) waiting(s *observed.ContainerStatus, w *observed.ContainerWaiting, pod *observed.PodStatus) *trouble {
	switch w.Reason {
	case "InvalidImageName", "ErrImageNeverPull":
		return &trouble{reason: v1alpha1.ReasonImagePullFailed, rank: rankImage, grace: graceSettle, text: kubeletText(w.Reason, w.Message)}
	case "ErrImagePull", "ImagePullBackOff", "ImageInspectError", "RegistryUnavailable", "SignatureValidationFailed":
		return &trouble{reason: v1alpha1.ReasonImagePullFailed, rank: rankImage, grace: gracePull, text: pullText(w.Message)}
	case "CreateContainerConfigError", "CreateContainerError":
		return &trouble{reason: v1alpha1.ReasonCreateContainerConfigError, rank: rankConfig, grace: graceConfig, text: c.configText(s.Name, w)}
	case "CrashLoopBackOff":
		if s.State.Terminated == nil && s.LastState.Terminated == nil {
			return &trouble{reason: v1alpha1.ReasonCrashLoopBackOff, rank: rankCrash, grace: graceCrash, text: "ends again and again; see the pod's log"}
		}
		return nil
	case "", "PodInitializing":
		return nil
	case "ContainerCreating":
		return creating(pod)
	}
	if strings.HasSuffix(w.Reason, "Error") || strings.HasPrefix(w.Reason, "Err") || strings.HasSuffix(w.Reason, "BackOff") {
		return &trouble{reason: v1alpha1.ReasonCrashLoopBackOff, rank: rankCrash, grace: graceCrash, text: kubeletText(w.Reason, w.Message)}
	}
	return nil
}

// creating is about a pod whose volumes or network are not set up. Once they are,
// the container still counts as being created while its image is pulled, which may
// take as long as it takes.
func creating(pod *observed.PodStatus) *trouble {
	sandbox, found := pod.Condition(corev1.PodReadyToStartContainers)
	if found && sandbox.Status == corev1.ConditionTrue {
		return nil
	}
	return &trouble{reason: v1alpha1.ReasonVolumePending, rank: rankVolume, grace: graceVolume,
		text: "ContainerCreating: waits for its volumes: a Secret, a claim or its node's network may be missing; see the pod's events"}
}

// termination is how the container ended last, if that is why it is not ready.
func (c *component) termination(s *observed.ContainerStatus, init bool) *observed.ContainerTerminated {
	if end := s.State.Terminated; end != nil {
		if end.ExitCode == 0 && init {
			return nil
		}
		return end
	}
	if s.RestartCount == 0 || s.Ready && !c.flickering() {
		return nil
	}
	return s.LastState.Terminated
}

// flickering says that pods are ready and not available: a session manager that
// refuses its configuration opens its ports for a moment before it ends.
func (c *component) flickering() bool {
	return c.deployment.Status.ReadyReplicas > c.deployment.Status.AvailableReplicas
}

// crash is about a container that ended. It says the same in every phase of a crash
// loop, so that the status does not change with each restart.
func (c *component) crash(container string, end *observed.ContainerTerminated) *trouble {
	t := &trouble{reason: v1alpha1.ReasonCrashLoopBackOff, rank: rankCrash, grace: graceCrash}
	ending := fmt.Sprintf("ended with exit code %d", end.ExitCode)
	if end.Reason != "" {
		ending += fmt.Sprintf(" (%s)", cut(end.Reason, maxText))
	}
	switch {
	case end.Reason == "OOMKilled":
		t.text = "OOMKilled: it ran out of memory; raise its memory limit"
	case end.ExitCode == 0 && container == string(v1alpha1.ComponentSessionManager):
		t.text = ending + ", which usually means a configuration that Flame refuses; see the pod's log"
	default:
		t.text = ending + "; see the pod's log"
	}
	// This container's message is made to be read: it names the Secret and the key, never
	// the value. No other container's is repeated, since what a daemon says when it dies
	// may hold anything.
	if container == v1alpha1.CredentialsContainer && end.Message != "" {
		t.text = cut(end.Message, maxText)
	}
	return t
}

// configText is the kubelet's text. For a Secret that is not there it names no key,
// so that whoever creates the Secret would have to look for it.
func (c *component) configText(container string, w *observed.ContainerWaiting) string {
	text := kubeletText(w.Reason, w.Message)
	if container == v1alpha1.CredentialsContainer && c.storage != nil {
		text += fmt.Sprintf(" (sessionManager.storage.secretRef: Secret %s, key %s)", cut(c.storage.Name, maxText), cut(c.storage.Key, maxText))
	}
	return text
}

// kubeletText is the reason and the kubelet's own text, which names the Secret, the
// key or the image in question.
func kubeletText(reason, message string) string {
	return cut(strings.TrimSuffix(reason+": "+message, ": "), maxText)
}

// pullText is the same for a pull that just failed and for the back-off that follows
// at once: the latter repeats the former's text behind a prefix. A status that
// changed between the two would be written for as long as the image is missing.
func pullText(message string) string {
	if _, cause, found := strings.Cut(message, ": ErrImagePull: "); found {
		message = cause
	}
	return kubeletText("ImagePullBackOff", message)
}
