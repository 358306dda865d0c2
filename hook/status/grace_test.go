package status

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// Each trouble becomes Stalled at its own time, and not a second earlier.
func TestGrace(t *testing.T) {
	smPod := func(changes ...func(*observed.Pod)) option { return pod(sm, "a", changes...) }
	for _, trouble := range []struct {
		name   string
		grace  time.Duration
		reason string
		setup  func(since time.Duration) *world
	}{
		{"image name", 15 * time.Second, "ImagePullFailed", func(d time.Duration) *world {
			return running(downFor(d), smPod(waitingFor("InvalidImageName", "x")))
		}},
		{"image that may not be pulled", 15 * time.Second, "ImagePullFailed", func(d time.Duration) *world {
			return running(downFor(d), smPod(waitingFor("ErrImageNeverPull", "x")))
		}},
		{"image pull", 2 * time.Minute, "ImagePullFailed", func(d time.Duration) *world {
			return running(downFor(d), smPod(waitingFor("ErrImagePull", "x")))
		}},
		{"image pull back-off", 2 * time.Minute, "ImagePullFailed", func(d time.Duration) *world {
			return running(downFor(d), smPod(waitingFor("ImagePullBackOff", "x")))
		}},
		{"Secret", time.Minute, "CreateContainerConfigError", func(d time.Duration) *world {
			return running(downFor(d), smPod(waitingFor("CreateContainerConfigError", "x")))
		}},
		{"crash", 2 * time.Minute, "CrashLoopBackOff", func(d time.Duration) *world {
			return running(downFor(d), smPod(waitingFor("CrashLoopBackOff", "x"), diedBefore(1, "Error", 3)))
		}},
		{"command that is not there", 2 * time.Minute, "CrashLoopBackOff", func(d time.Duration) *world {
			return running(downFor(d), smPod(waitingFor("RunContainerError", "x")))
		}},
		{"node", 5 * time.Minute, "Unschedulable", func(d time.Duration) *world {
			return running(downFor(d), smPod(unschedulable("Insufficient memory")))
		}},
		{"claim", 5 * time.Minute, "VolumePending", func(d time.Duration) *world {
			return running(downFor(d), smPod(unschedulable("pod has unbound immediate PersistentVolumeClaims")))
		}},
		{"mount", 5 * time.Minute, "VolumePending", func(d time.Duration) *world {
			return running(downFor(d), smPod(waitingFor("ContainerCreating", "")))
		}},
		{"quota", time.Minute, "QuotaExceeded", func(d time.Duration) *world {
			return running(downFor(d), observe(sessionManagerName, counts(0, 0, 0), replicaFailure("exceeded quota")))
		}},
		{"deadline", 15 * time.Second, "ProgressDeadlineExceeded", func(d time.Duration) *world {
			return running(downFor(d), observe(sessionManagerName, progress(corev1.ConditionFalse, "ProgressDeadlineExceeded")))
		}},
		{"missing Deployment", time.Minute, "ChildMissing", func(d time.Duration) *world {
			return running(downFor(d), gone("Deployment", sessionManagerName))
		}},
		{"missing ConfigMap", time.Minute, "ChildMissing", func(d time.Duration) *world {
			return running(unready(d, "Creating"), gone("ConfigMap", "my-config"))
		}},
		{"refused Deployment", time.Minute, "ApplyFailed", func(d time.Duration) *world {
			return running(unknown(d, "RollingOut", v1alpha1.ConditionSessionManagerReady), observe(sessionManagerName, hash(olderHash)))
		}},
		{"refused ConfigMap", time.Minute, "ApplyFailed", func(d time.Duration) *world {
			return running(unknown(d, "RollingOut"), configOutdated)
		}},
	} {
		t.Run(trouble.name, func(t *testing.T) {
			assert.Empty(t, reasonOf(trouble.setup(trouble.grace-time.Second).compute(t), v1alpha1.ConditionStalled))
			assert.Equal(t, trouble.reason, reasonOf(trouble.setup(trouble.grace).compute(t), v1alpha1.ConditionStalled))
		})
	}
}

func stalledReason(t *testing.T, w *world) string {
	t.Helper()
	return reasonOf(w.compute(t), v1alpha1.ConditionStalled)
}

// Tools that wait give up at the first Stalled, so it must be gone with the edit
// that repairs the cluster, before anything has been applied, and stay away.
func TestARepairGetsItsTime(t *testing.T) {
	w := running(downFor(time.Hour), pod(sm, "a", waitingFor("ImagePullBackOff", "not found")))
	assert.Equal(t, "ImagePullFailed", stalledReason(t, w))

	w.next(t, time.Minute, generation(4), observe(sessionManagerName, hash(olderHash)))
	s := w.compute(t)
	assert.Empty(t, reasonOf(s, v1alpha1.ConditionStalled))
	assert.Equal(t, "RollingOut", reasonOf(s, v1alpha1.ConditionReconciling))

	// The Deployment has the edit; its pods are still those of before.
	w.next(t, time.Second, observe(sessionManagerName, hash(wantedHash), counts(1, 0, 0)))
	assert.Empty(t, stalledReason(t, w))

	// The new pod makes trouble too, and gets its own time.
	w.next(t, time.Second, observe(sessionManagerName, counts(1, 1, 0)))
	w.pods[0].Metadata.CreationTimestamp.Time = w.Now
	w.next(t, 119*time.Second)
	assert.Empty(t, stalledReason(t, w))
	w.next(t, time.Second)
	assert.Equal(t, "ImagePullFailed", stalledReason(t, w))
}

// A change that the API server refused is Stalled. So is not the next one.
func TestARefusedEditAndItsRepair(t *testing.T) {
	w := running(generation(4), observe(executorsName, hash(olderHash)))
	assert.Empty(t, stalledReason(t, w))
	w.next(t, time.Minute)
	assert.Equal(t, "ApplyFailed", stalledReason(t, w))
	w.next(t, time.Hour, generation(5))
	assert.Empty(t, stalledReason(t, w))
	w.next(t, 59*time.Second)
	assert.Empty(t, stalledReason(t, w))
	w.next(t, time.Second)
	assert.Equal(t, "ApplyFailed", stalledReason(t, w))
}

// Edits that follow each other while a long rollout is under way are not taken for
// refused ones.
func TestAnEditDuringALongRollout(t *testing.T) {
	w := running(generation(4), observe(executorsName, hash(olderHash)))
	w.next(t, time.Second, observe(executorsName, hash(wantedHash), counts(4, 1, 3)))
	w.next(t, time.Hour)
	assert.Equal(t, "RollingOut", reasonOf(w.compute(t), v1alpha1.ConditionReconciling))
	w.next(t, time.Second, generation(5), observe(executorsName, hash(olderHash)))
	assert.Empty(t, stalledReason(t, w))
	w.next(t, time.Second, configOutdated)
	assert.Empty(t, stalledReason(t, w))
}

// Executors are created as late as the session manager becomes ready.
func TestExecutorsAreNotMissedWhileTheyWait(t *testing.T) {
	w := fresh(othersExist, exists(sessionManagerName, 1), exists(cacheName, 1))
	w.next(t, time.Hour)
	assert.Empty(t, stalledReason(t, w))
	w.next(t, time.Second, observe(sessionManagerName, counts(1, 1, 1)), executorsWanted)
	s := w.compute(t)
	assert.Empty(t, reasonOf(s, v1alpha1.ConditionStalled))
	assert.Equal(t, "Creating", reasonOf(s, v1alpha1.ConditionExecutorsReady))
	w.next(t, time.Minute)
	assert.Equal(t, "ChildMissing", stalledReason(t, w))
}

// A pod that was replaced a moment ago is not stuck, however long the component is.
func TestYoungPodsGetTheirTime(t *testing.T) {
	w := running(downFor(time.Hour), pod(sm, "a", waitingFor("ErrImagePull", "x"), young))
	assert.Empty(t, stalledReason(t, w))
}

// Of many executors some pod is always not ready. One that ends once is no loop, be
// the component and the pod ever so old.
func TestACrashIsCountedFromTheCrash(t *testing.T) {
	crashed := func(ago time.Duration, restarts int32) *world {
		return running(observe(executorsName, counts(3, 3, 2)), unready(time.Hour, "NotReady", v1alpha1.ConditionExecutorsReady),
			pod(em, "a", waitingFor("CrashLoopBackOff", ""), diedBefore(1, "Error", restarts), func(p *observed.Pod) {
				p.Status.ContainerStatuses[0].LastState.Terminated.FinishedAt = at(ago)
			}))
	}
	assert.Empty(t, stalledReason(t, crashed(time.Minute, 1)))
	assert.Equal(t, "CrashLoopBackOff", stalledReason(t, crashed(2*time.Minute, 1)))
	assert.Equal(t, "CrashLoopBackOff", stalledReason(t, crashed(time.Second, 3)), "it ends for ever")
}

// Executors end when they can't reach the session manager. That is its trouble.
func TestExecutorsThatCrashForWantOfASessionManager(t *testing.T) {
	w := running(downFor(time.Hour), observe(executorsName, counts(3, 3, 0)), unready(time.Hour, "NotReady", v1alpha1.ConditionExecutorsReady),
		pod(em, "a", waitingFor("CrashLoopBackOff", ""), diedBefore(1, "Error", 9)))
	s := w.compute(t)
	assert.Empty(t, reasonOf(s, v1alpha1.ConditionStalled))
	assert.Equal(t, "CrashLoopBackOff", reasonOf(s, v1alpha1.ConditionExecutorsReady))
	assert.Equal(t, "NotReady", reasonOf(s, v1alpha1.ConditionSessionManagerReady))
}

// Once the object cache's trouble makes the cluster Stalled, the executors' younger
// one is not lost sight of.
func TestTroublesOfSeveralComponents(t *testing.T) {
	w := running(
		observe(cacheName, counts(1, 1, 0)), observe(executorsName, counts(3, 3, 1)),
		unready(time.Hour, "NotReady", v1alpha1.ConditionObjectCacheReady, v1alpha1.ConditionExecutorsReady),
		pod(oc, "a", unschedulable("3 Insufficient memory")),
		pod(em, "a", waitingFor("ErrImagePull", "x"), young),
	)
	s := w.compute(t)
	assert.Equal(t, "Unschedulable", reasonOf(s, v1alpha1.ConditionStalled))
	assert.Equal(t, "Unschedulable", reasonOf(s, v1alpha1.ConditionReady), "Ready tells first what somebody has to act on")
	assert.Equal(t, "ImagePullFailed", reasonOf(s, v1alpha1.ConditionExecutorsReady))
	assert.Equal(t, v1alpha1.StateDegraded, s.State)
}

// The page that people read when they wait tells the same times.
func TestTheTroubleshootingPageTellsTheGraceTimes(t *testing.T) {
	page, err := os.ReadFile("../../docs/troubleshooting.md")
	require.NoError(t, err)
	for reason, grace := range map[string]time.Duration{
		v1alpha1.ReasonImagePullFailed:            gracePull,
		v1alpha1.ReasonCreateContainerConfigError: graceConfig,
		v1alpha1.ReasonCrashLoopBackOff:           graceCrash,
		v1alpha1.ReasonUnschedulable:              graceSchedule,
		v1alpha1.ReasonVolumePending:              graceVolume,
		v1alpha1.ReasonQuotaExceeded:              graceQuota,
		v1alpha1.ReasonChildMissing:               graceApply,
		v1alpha1.ReasonApplyFailed:                graceApply,
	} {
		assert.Contains(t, string(page), fmt.Sprintf("| %s | %d min", reason, grace/time.Minute))
	}
	assert.Contains(t, string(page), fmt.Sprintf("%d s after the Deployment's deadline", graceSettle/time.Second))
}
