package hook

import (
	"slices"
	"strings"
	"time"
)

// strayRest is how long a stray that was sent, and came back, is left alone. What puts it
// there at every write, as an admission webhook does, must not make every answer another
// one.
const strayRest = 5 * time.Minute

// strayMark says which strays of a child were sent to take them away, and when it was
// done last. A nil strayMark is none.
type strayMark struct {
	at     time.Time
	strays []string
}

// readStrayMark reads the annotation v1alpha1.AnnotationStraysSent. A mark that can't be
// read is none.
func readStrayMark(text string) *strayMark {
	at, strays, _ := strings.Cut(text, " ")
	sent, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return nil
	}
	return &strayMark{sent, strings.Split(strays, ", ")}
}

// fresh is the mark while strays that it covers are left alone, and none afterwards.
func (m *strayMark) fresh(now time.Time) *strayMark {
	if m == nil || now.Sub(m.at).Abs() >= strayRest {
		return nil
	}
	return m
}

// String is the value of the annotation.
func (m *strayMark) String() string {
	return m.at.UTC().Format(time.RFC3339) + " " + strings.Join(m.strays, ", ")
}

// covers says whether all of the strays were sent.
func (m *strayMark) covers(strays []string) bool {
	return m != nil && containsAll(m.strays, strays)
}

func containsAll(paths, some []string) bool {
	return !slices.ContainsFunc(some, func(path string) bool { return !slices.Contains(paths, path) })
}

// with is the mark after these strays were sent too.
func (m *strayMark) with(strays []string, now time.Time) *strayMark {
	if m != nil {
		strays = slices.Concat(m.strays, strays)
	}
	strays = slices.Sorted(slices.Values(strays))
	return &strayMark{now, slices.Compact(strays)}
}
