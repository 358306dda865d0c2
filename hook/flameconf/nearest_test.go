package flameconf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEditDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"abc", "abc", 0},
		{"abc", "", 3},
		{"", "abc", 3},
		{"polices", "policies", 1},
		{"cahce", "cache", 2},
		{"resreq", "reqres", 2},
		{"kitten", "sitting", 3},
	} {
		assert.Equal(t, test.want, editDistance(test.a, test.b), "%s %s", test.a, test.b)
	}
}

func TestNothingIsNearAName(t *testing.T) {
	for _, name := range []string{"", "x", "zz", "completely-different", strings.Repeat("a", 100_000)} {
		assert.Empty(t, nearestKey(flameKeys, name))
	}
}

// A sibling that is similar is more likely than the same name elsewhere.
func TestSiblingsComeFirst(t *testing.T) {
	assert.Equal(t, "endpoint", nearestKey(flameKeys.fields["cache"], "endPoint"))
	assert.Equal(t, "cluster.policies", nearestKey(flameKeys.fields["cache"], "policies"))
}
