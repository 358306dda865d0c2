package status

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// Ranks of troubles: the one that explains most is told first.
const (
	rankImage = iota
	rankConfig
	rankCrash
	rankSchedule
	rankVolume
	rankRefused
	rankDeadline
	rankGone
)

// trouble is something that keeps pods from getting ready.
type trouble struct {
	reason string
	rank   int
	// pod and container are empty for what is wrong with the Deployment itself.
	pod, container string
	text           string
	// begun is when it can have begun at the earliest, as far as the object says.
	begun time.Time
	grace time.Duration
	// harmless never counts as Stalled.
	harmless bool
	stalled  bool
}

// findTroubles collects what keeps a Deployment that is as it was sent from getting
// ready.
func (v *view) findTroubles(c *component, pods []observed.Pod) {
	if c.phase != phaseRolling || c.workload.Replicas == 0 {
		return
	}
	c.troubles = append(c.podTroubles(pods), refusedPods(c)...)
	for i := range c.troubles {
		// Executors end because they can't connect, so there it is no news.
		if c.troubles[i].reason == v1alpha1.ReasonCrashLoopBackOff && c.condition == v1alpha1.ConditionExecutorsReady &&
			v.sessionManager.status != metav1.ConditionTrue {
			c.troubles[i].harmless = true
		}
	}
	text, past := pastDeadline(c)
	if !past {
		return
	}
	if !slices.ContainsFunc(c.troubles, func(t trouble) bool { return !t.harmless }) {
		c.troubles = append(c.troubles, trouble{reason: v1alpha1.ReasonProgressDeadlineExceeded, rank: rankDeadline, text: text})
	}
	for i := range c.troubles {
		c.troubles[i].grace = graceSettle
	}
}

// weigh decides which troubles have lasted too long, and sorts the worst first.
func (v *view) weigh(c *component) {
	since := v.troubleSince(c)
	for i := range c.troubles {
		t := &c.troubles[i]
		t.stalled = !t.harmless && v.expired(latest(since, t.begun), t.grace)
	}
	slices.SortFunc(c.troubles, func(a, b trouble) int {
		if a.stalled != b.stalled {
			if a.stalled {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.pod, b.pod), cmp.Compare(a.container, b.container), cmp.Compare(a.text, b.text))
	})
}

// tell names the first trouble in full, other pods of the same kind by name, and
// counts the rest. The troubles are sorted.
func tell(troubles []trouble) string {
	first := troubles[0]
	var same, order []string
	rest := map[string]int{}
	for _, t := range troubles[1:] {
		switch {
		case t.reason == first.reason && t.pod != "":
			same = append(same, t.pod)
		case rest[t.reason] == 0:
			order = append(order, t.reason)
			rest[t.reason] = 1
		default:
			rest[t.reason]++
		}
	}
	text := first.text
	if first.container != "" {
		text = fmt.Sprintf("container %s: %s", first.container, text)
	}
	if first.pod != "" {
		text = fmt.Sprintf("pod %s: %s", first.pod, text)
	}
	if len(same) > 0 {
		text += "; the same with " + names(same)
	}
	for _, reason := range order {
		text += fmt.Sprintf("; %s of %d more", reason, rest[reason])
	}
	return strings.TrimSpace(text)
}
