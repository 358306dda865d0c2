package status

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

func sessionManagerMessage(t *testing.T, options ...option) string {
	t.Helper()
	return conditionOf(running(append([]option{downFor(time.Hour)}, options...)...).compute(t), v1alpha1.ConditionSessionManagerReady).Message
}

// A crash loop goes through three phases; a status that changed with each would be
// written for ever.
func TestACrashLoopSaysTheSameInEveryPhase(t *testing.T) {
	phases := []option{
		pod(sm, "a", died(1, "Error"), diedBefore(1, "Error", 3)),
		pod(sm, "a", waitingFor("CrashLoopBackOff", "back-off 10s restarting failed container"), diedBefore(1, "Error", 3)),
		pod(sm, "a", waitingFor("CrashLoopBackOff", "back-off 5m0s restarting failed container"), diedBefore(1, "Error", 9)),
		pod(sm, "a", podRuns(false), diedBefore(1, "Error", 4)),
	}
	want := encode(t, running(downFor(time.Hour), phases[0]).compute(t))
	for _, phase := range phases[1:] {
		assert.Equal(t, want, encode(t, running(downFor(time.Hour), phase).compute(t)))
	}
}

// So would one that changed between a failed pull and the back-off after it.
func TestAFailedPullSaysTheSameInBothPhases(t *testing.T) {
	cause := `failed to pull and unpack image "x:1": not found`
	assert.Equal(t,
		sessionManagerMessage(t, pod(sm, "a", waitingFor("ErrImagePull", cause))),
		sessionManagerMessage(t, pod(sm, "a", waitingFor("ImagePullBackOff", `Back-off pulling image "x:1": ErrImagePull: `+cause))))
}

func TestPodsThatExplainNothing(t *testing.T) {
	bad := waitingFor("InvalidImageName", "bad name")
	for name, options := range map[string][]option{
		"on its way out":             {pod(sm, "a", bad, leaving)},
		"of another cluster":         {pod(sm, "a", bad, func(p *observed.Pod) { p.Metadata.Labels[v1alpha1.LabelCluster] = "other" })},
		"of another component":       {pod(oc, "a", bad)},
		"of an older template":       {pod(sm, "a", bad, olderPod), pod(sm, "b", podRuns(false))},
		"of an older template alone": {pod(sm, "a", bad), observe(sessionManagerName, counts(1, 0, 0))},
		"over and silent":            {pod(sm, "a", func(p *observed.Pod) { p.Status.Phase = corev1.PodSucceeded })},
		"starting": {pod(sm, "a", waitingFor("PodInitializing", ""), func(p *observed.Pod) {
			p.Status.InitContainerStatuses = []observed.ContainerStatus{{Name: "storage-credentials", Ready: true,
				State: observed.ContainerState{Terminated: &observed.ContainerTerminated{Reason: "Completed"}}}}
		})},
		"restarted long ago and ready": {pod(sm, "a", podRuns(true), diedBefore(1, "Error", 1))},
	} {
		t.Run(name, func(t *testing.T) {
			s := running(append([]option{downFor(time.Hour)}, options...)...).compute(t)
			assert.Empty(t, reasonOf(s, v1alpha1.ConditionStalled))
			assert.NotContains(t, s.Message, "pod my-")
		})
	}
}

// Two templates whose pods were created in the same second: the choice does not
// depend on the order of the pods.
func TestTemplatesOfTheSameSecond(t *testing.T) {
	a := pod(sm, "a", waitingFor("ErrImagePull", "x"), func(p *observed.Pod) { p.Metadata.Labels["pod-template-hash"] = "a" })
	b := pod(sm, "b", waitingFor("ErrImagePull", "x"), func(p *observed.Pod) { p.Metadata.Labels["pod-template-hash"] = "b" })
	assert.Equal(t, sessionManagerMessage(t, a, b), sessionManagerMessage(t, b, a))
}

// What a daemon says when it dies may hold anything, a connection string too.
func TestTerminationMessagesOfDaemonsAreNotRepeated(t *testing.T) {
	const secret = "postgres://flame:hunter2@db"
	s := running(downFor(time.Hour), pod(sm, "a", died(1, "Error"), func(p *observed.Pod) {
		p.Status.ContainerStatuses[0].State.Terminated.Message = "can't open " + secret
	})).compute(t)
	assert.Equal(t, "CrashLoopBackOff", reasonOf(s, v1alpha1.ConditionStalled))
	assert.NotContains(t, encode(t, s), "hunter2")
}

func TestTheWorstOfSeveralContainersIsTold(t *testing.T) {
	message := sessionManagerMessage(t, pod(sm, "a", waitingFor("CrashLoopBackOff", ""), diedBefore(1, "Error", 3), func(p *observed.Pod) {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, observed.ContainerStatus{
			Name: "sidecar", State: observed.ContainerState{Waiting: &observed.ContainerWaiting{Reason: "ImagePullBackOff", Message: "denied"}},
		})
	}))
	assert.Equal(t, "0 of 1 ready: pod my-session-manager-a: container sidecar: ImagePullBackOff: denied", message)
}

// Pods are decoded only if they can explain something: a ready cluster with broken
// pods in its request is still told to be ready.
func TestPodsOfAReadyClusterAreNotLookedAt(t *testing.T) {
	w := running()
	for i := range 10 {
		pod(em, fmt.Sprint(i), waitingFor("InvalidImageName", "x"))(w)
	}
	assert.Equal(t, v1alpha1.StateRunning, w.compute(t).State)
}

func BenchmarkCompute(b *testing.B) {
	for _, size := range []int{0, 10, 1000} {
		w := running(observe(executorsName, counts(3, 3, 2)))
		for i := range size {
			change := podRuns(true)
			if i%10 == 0 {
				change = waitingFor("ImagePullBackOff", "not found")
			}
			pod(em, fmt.Sprintf("%04d", i), change)(w)
		}
		in := w.input(b)
		b.Run(fmt.Sprintf("%d pods", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Compute(in)
			}
		})
	}
}

// The kubelet names no key while the whole Secret is missing.
func TestAMissingConnectionStringNamesSecretAndKey(t *testing.T) {
	secret := &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: "flame-db"}, Key: "url"}
	w := running(downFor(time.Minute), pod(sm, "a", initWaitingFor("storage-credentials", "CreateContainerConfigError", `secret "flame-db" not found`)))
	w.Spec.SessionManager.Storage = &v1alpha1.Storage{SecretRef: secret}
	assert.Contains(t, w.compute(t).Message,
		`container storage-credentials: CreateContainerConfigError: secret "flame-db" not found (sessionManager.storage.secretRef: Secret flame-db, key url)`)
}
