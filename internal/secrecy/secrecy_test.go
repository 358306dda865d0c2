package secrecy_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/xflops/flame-operator/internal/secrecy"
)

func TestShown(t *testing.T) {
	assert.Equal(t, "plain", secrecy.Shown("plain"))
	for _, text := range []string{"a@b", "redis://host", "x?password=y", "dsn: PWD = y"} {
		assert.Equal(t, secrecy.NotShown, secrecy.Shown(text), text)
	}
	assert.Equal(t, strings.Repeat("é", 64)+"...", secrecy.Shown(strings.Repeat("é", 100)), "cut at a character")
}
