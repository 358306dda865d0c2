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
	assert.Zero(t, l.Latest())
	for _, seconds := range []int{0, 5, 14} {
		l.Called("a", after(seconds), Observed{1})
		l.Answered("a", after(seconds), false, again)
	}
	l.Called("b", after(16), Observed{1})
	l.Answered("b", after(16), true, 0)
	l.Called("a", after(16), Observed{1})
	l.Answered("a", after(16), false, again)
	assert.Equal(t, after(31), l.Latest(), "asked for")
	l.Called("a", after(32), Observed{2})
	l.Answered("a", after(32), false, 0)
	l.Called("a", after(50), Observed{2})
	l.Answered("a", after(50), false, 0)

	assert.Equal(t, []Call{
		{after(0), true, false}, {after(5), false, false}, {after(14), false, false},
		{after(16), false, true},  // 15 s after the first answer; the later wishes are the same one
		{after(32), true, false},  // asked for, but an event would have brought it too
		{after(50), false, false}, // no answer asked since
	}, l.Of("a"))
	assert.Equal(t, []Call{{after(16), true, false}}, l.Of("b"))
	assert.Equal(t, 1, l.Failures())
	assert.Equal(t, after(50), l.Latest(), "the last one that came")
}
