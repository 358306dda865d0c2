package kubelet

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Behavior is the annotation on a pod that says how its containers behave. Its
// value is one of the constants below, or ReadyAfter followed by a duration.
const Behavior = "fake-kubelet/behavior"

const (
	// Crash: the containers end with exit code 1 soon after their start, each time.
	Crash = "crash"
	// ExitZero: the containers become ready and end with exit code 0 after a second,
	// each time.
	ExitZero = "exit-0"
	// NeverReady: the containers run and do not become ready.
	NeverReady = "never-ready"
	// ReadyAfter and a duration: the containers become ready that long after start.
	ReadyAfter = "ready-after="
)

// missingImage is the part of an image's name that makes it impossible to pull.
const missingImage = "does-not-exist"

// Times of a container's life. They are much shorter than a real kubelet's.
const (
	pullBackOffAfter = time.Second
	crashAfter       = 300 * time.Millisecond
	exitZeroAfter    = time.Second
	restartAfter     = 700 * time.Millisecond
	backOffPeriod    = 10 * time.Second
	recheckPeriod    = time.Second
)

// phase is what a container does at one moment, and when that may change.
type phase struct {
	state    corev1.ContainerState
	last     corev1.ContainerState
	ready    bool
	restarts int32
	next     time.Duration
}

func waiting(reason, message string, next time.Duration) phase {
	return phase{state: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}, next: next}
}

func running(ready bool, next time.Duration) phase {
	return phase{state: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}, ready: ready, next: next}
}

// pulling is the life of a container whose image does not exist.
func pulling(image string, age time.Duration) phase {
	if age < pullBackOffAfter {
		return waiting("ErrImagePull", `failed to pull image "`+image+`": not found`, pullBackOffAfter-age)
	}
	return waiting("ImagePullBackOff", `Back-off pulling image "`+image+`"`, 0)
}

// ending is the life of a container that ends each time it is started: it runs
// twice, and from then on is restarted once in a back-off period.
func ending(age, runFor time.Duration, exitCode int32, readyMeanwhile bool) phase {
	cycle := runFor + restartAfter
	ended := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: exitCode, Reason: "Error"}}
	if exitCode == 0 {
		ended.Terminated.Reason = "Completed"
	}
	switch {
	case age < runFor:
		return running(readyMeanwhile, runFor-age)
	case age < cycle:
		return phase{state: ended, next: cycle - age}
	case age < cycle+runFor:
		p := running(readyMeanwhile, cycle+runFor-age)
		p.last, p.restarts = ended, 1
		return p
	}
	since := age - cycle - runFor
	p := waiting("CrashLoopBackOff", "back-off restarting failed container", backOffPeriod-since%backOffPeriod)
	p.last, p.restarts = ended, 1+int32(since/backOffPeriod)
	return p
}

// once is the life of a container that does its work and is not started again.
func once(age time.Duration) phase {
	if age < exitZeroAfter {
		return running(true, exitZeroAfter-age)
	}
	return phase{state: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 0, Reason: "Completed"}}}
}

// life returns what a container with that image and behavior does at that age.
func life(image, behavior string, age time.Duration) phase {
	if strings.Contains(image, missingImage) {
		return pulling(image, age)
	}
	if after, ok := strings.CutPrefix(behavior, ReadyAfter); ok {
		if d, err := time.ParseDuration(after); err == nil && age < d {
			return running(false, d-age)
		}
	}
	switch behavior {
	case Crash:
		return ending(age, crashAfter, 1, false)
	case ExitZero:
		return ending(age, exitZeroAfter, 0, true)
	case NeverReady:
		return running(false, 0)
	}
	return running(true, 0)
}
