package calls

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestCallsThatWereAskedFor(t *testing.T) {
	start := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	after := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	const again = 15 * time.Second
	var l Log
	assert.Empty(t, l.Of("a"))
	assert.Zero(t, l.LastDue())
	for _, seconds := range []int{0, 5, 14} {
		l.Called("a", after(seconds), Observed{1})
		l.Answered("a", after(seconds), false, again)
	}
	l.Called("b", after(16), Observed{1})
	l.Answered("b", after(16), true, 0)
	l.Called("a", after(16), Observed{1})
	l.Answered("a", after(16), false, again)
	assert.Equal(t, after(31), l.LastDue())
	l.Called("a", after(32), Observed{2})
	l.Answered("a", after(32), false, 0)
	l.Called("a", after(50), Observed{2})
	l.Answered("a", after(50), false, 0)

	assert.Equal(t, []Call{
		{after(0), false}, {after(5), false}, {after(14), false},
		{after(16), true},  // 15 s after the first answer; the later wishes are the same one
		{after(32), false}, // asked for, but an event would have brought it too
		{after(50), false}, // no answer asked since
	}, l.Of("a"))
	assert.Equal(t, []Call{{after(16), false}}, l.Of("b"))
	assert.Equal(t, 1, l.Failures())
	assert.Zero(t, l.LastDue())
}
