package status

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func TestMessagesAreCutBetweenCharacters(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 5000), strings.Repeat("火", 5000), strings.Repeat("x\xff", 5000), "a" + strings.Repeat("😀", 5000)} {
		got := limit(text)
		assert.LessOrEqual(t, len(got), 1024)
		assert.Greater(t, len(got), 1015)
		assert.True(t, utf8.ValidString(got))
		assert.True(t, strings.HasSuffix(got, "..."))
	}
	assert.Equal(t, "short", limit("short"))
	assert.Equal(t, "one line", limit(" one\n\tline "))
}

func TestNamesAreCountedBeyondThree(t *testing.T) {
	assert.Equal(t, "a, b, c", names([]string{"a", "b", "c"}))
	assert.Equal(t, "a, b, c and 2 more", names([]string{"a", "b", "c", "d", "e"}))
}

func TestInvalidSpecNamesEveryErrorThatFits(t *testing.T) {
	var errors field.ErrorList
	for i := range 200 {
		errors = append(errors, field.Required(field.NewPath("spec", fmt.Sprintf("field%03d", i)), "is needed"))
	}
	s := running(invalid("InvalidSpec", errors...)).compute(t)
	message := conditionOf(s, "Stalled").Message
	assert.LessOrEqual(t, len(message), 1024)
	assert.True(t, strings.HasPrefix(message, "spec.field000: Required value: is needed; spec.field001: "), message)
	assert.Regexp(t, `; and 1\d\d more errors; the last good spec keeps running$`, message)

	few := running(invalid("InvalidSpec", errors[2], errors[0], errors[1], errors[0])).compute(t)
	assert.Equal(t, "spec.field000: Required value: is needed; spec.field001: Required value: is needed; "+
		"spec.field002: Required value: is needed; the last good spec keeps running", conditionOf(few, "Stalled").Message)
}

func TestInvalidSpecWithOneEndlessError(t *testing.T) {
	s := running(invalid("InvalidSpec", field.Invalid(field.NewPath("spec"), strings.Repeat("火", 9000), "is too long"))).compute(t)
	assert.LessOrEqual(t, len(conditionOf(s, "Stalled").Message), 1024)
	assert.Contains(t, conditionOf(s, "Stalled").Message, "the last good spec keeps running")
}

func TestWarningsAreAtMostTen(t *testing.T) {
	w := running()
	for i := range 15 {
		w.Warnings = append(w.Warnings, fmt.Sprintf("warning %d", i), fmt.Sprintf("warning %d", i))
	}
	got := w.compute(t).Warnings
	assert.Len(t, got, 10)
	assert.Equal(t, "warning 0", got[0])
	assert.Equal(t, "and 6 more warnings", got[9])

	w.Warnings = w.Warnings[:20]
	assert.Equal(t, "warning 9", w.compute(t).Warnings[9])
	w.Warnings = nil
	assert.Nil(t, w.compute(t).Warnings, "an empty list would be a difference at every sync")
}
