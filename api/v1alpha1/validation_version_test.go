package v1alpha1

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVersions(t *testing.T) {
	for _, text := range []string{"", "0.6.0", "v0.6.0", "0.6.1-rc.1", "1.0.0-alpha.0.x-1", "10.20.30+build.5"} {
		assert.Empty(t, Validate("flame", &FlameClusterSpec{Version: text}), text)
	}
	for _, text := range []string{"main", "latest", "0.6", "0.6.0.1", "V0.6.0", " 0.6.0", "01.0.0", "1.0.0-01", "1.0.0-", "1.0.0+", "1234567890.0.0"} {
		errs := Validate("flame", &FlameClusterSpec{Version: text})
		assert.Equal(t, []string{"spec.version"}, fieldsOf(errs), text)
	}
}
