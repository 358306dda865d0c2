package nearest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/xflops/flame-operator/internal/nearest"
)

func TestName(t *testing.T) {
	known := []string{"cache", "cpu", "endpoint", "env", "image", "nodeSelector", "policies", "replicas", "retry_limits", "sessionManager"}
	for name, want := range map[string]string{
		"polices":         "policies",       // one is missing
		"sessionnManager": "sessionManager", // one too many
		"cahce":           "cache",          // two are swapped
		"imagee":          "image",
		"nam":             "",
		"envs":            "env",
		"NodeSelector":    "nodeSelector",
		"node_selector":   "nodeSelector",
		"retry-limit":     "retry_limits",
		"retryLimits":     "retry_limits",
		"repilcsa":        "", // four letters are wrong
		"endpoints.x":     "",
		"gpu":             "cpu",
		"sessions":        "",
		"ingress":         "",
		"x":               "",
		"":                "",
		"-":               "",
	} {
		assert.Equal(t, want, nearest.Name(name, known), name)
	}
	assert.Empty(t, nearest.Name("anything", nil))
}

func TestTheFirstOfSeveralNamesIsTaken(t *testing.T) {
	assert.Equal(t, "limit", nearest.Name("limi", []string{"limit", "limb"}))
	assert.Equal(t, "limb", nearest.Name("limi", []string{"limb", "limit"}))
	assert.Equal(t, "limits", nearest.Name("limits", []string{"limit", "limits"}), "the nearest before the first")
}

// A name may be as long as a request. Comparing these letter by letter takes hours.
func TestLengthsThatAreFarApartAreNotCompared(t *testing.T) {
	known := strings.Repeat("a", 1_000_000)
	assert.Empty(t, nearest.Name(known+"aaa", []string{known}))
}
