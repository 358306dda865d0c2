// Package calls counts the sync calls of a fleet, and tells those that the hook
// asked for from those that something else caused.
package calls

import (
	"crypto/sha256"
	"sync"
	"time"
)

// Call is a sync call about one FlameCluster.
type Call struct {
	At time.Time
	// News says that something had changed since the call before.
	News bool
	// Asked says that there are no news, and that the hook asked for the call, by
	// resyncAfterSeconds.
	Asked bool
}

// Observed identifies what a call says exists: equal for equal contents.
type Observed [sha256.Size]byte

// Log is what was called. The zero value is an empty one.
type Log struct {
	mu       sync.Mutex
	calls    map[string][]Call
	due      map[string]time.Time
	observed map[string]Observed
	failures int
	latest   time.Time
}

// Called records that a call about that cluster arrives, and what it observes.
//
// Metacontroller hands an answer's wish to a queue that keeps the earliest time for
// each cluster and can't take one back. Once that time is there the next call is the
// one that was asked for, unless an event would have brought it too.
func (l *Log) Called(cluster string, at time.Time, observed Observed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calls == nil {
		l.calls, l.due, l.observed = map[string][]Call{}, map[string]time.Time{}, map[string]Observed{}
	}
	l.latest = at
	due, waiting := l.due[cluster]
	overdue := waiting && !at.Before(due)
	if overdue {
		delete(l.due, cluster)
	}
	news := len(l.calls[cluster]) == 0 || l.observed[cluster] != observed
	l.calls[cluster] = append(l.calls[cluster], Call{at, news, overdue && !news})
	l.observed[cluster] = observed
}

// Answered records what a call that Called knows was answered: whether it failed,
// and after which time the hook wants another one, 0 for none.
func (l *Log) Answered(cluster string, at time.Time, failed bool, again time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if failed {
		l.failures++
	}
	if again <= 0 {
		return
	}
	if due, waiting := l.due[cluster]; !waiting || at.Add(again).Before(due) {
		l.due[cluster] = at.Add(again)
	}
}

// Latest is the time of the latest call, or of the latest one that was asked for and
// has not come yet. It is the zero time if there is none.
func (l *Log) Latest() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := l.latest
	for _, due := range l.due {
		if due.After(last) {
			last = due
		}
	}
	return last
}

// Of returns the calls about a cluster so far, oldest first.
func (l *Log) Of(cluster string) []Call {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Call(nil), l.calls[cluster]...)
}

// Failures is how many calls failed so far.
func (l *Log) Failures() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failures
}
