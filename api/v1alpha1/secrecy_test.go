package v1alpha1

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestShown(t *testing.T) {
	assert.Equal(t, "plain", shown("plain"))
	for _, text := range []string{"a@b", "redis://host", "x?password=y", "dsn: PWD = y"} {
		assert.Equal(t, notShown, shown(text), text)
	}
	assert.Equal(t, strings.Repeat("é", 64)+"...", shown(strings.Repeat("é", 100)), "cut at a character")
}
