package specvalues_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/xflops/flame-operator/internal/specvalues"
)

// A new field without values would be tried by no test that takes them from here.
func TestEveryFieldHasValues(t *testing.T) {
	covered := map[string]bool{}
	for _, values := range specvalues.Fields {
		assert.False(t, covered[values.Field], "%s is listed twice", values.Field)
		covered[values.Field] = true
		assert.NotEmpty(t, values.Good, values.Field)
		assert.NotEmpty(t, values.Bad, values.Field)
		for _, value := range slices.Concat(values.Good, values.Bad) {
			assert.True(t, json.Valid([]byte(value)), "%s: %s", values.Field, value)
		}
	}
	for _, field := range specvalues.Paths() {
		block := field
		for block != "" && !covered[block] {
			block = block[:max(strings.LastIndex(block, "."), 0)]
		}
		assert.NotEmpty(t, block, "%s has no values, nor has a block around it", field)
	}
}
