package flameconf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

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
