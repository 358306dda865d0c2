package v1alpha1

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDecodeSpecEmpty(t *testing.T) {
	for _, raw := range []string{"", "  ", "null", "{}", `{"sessionManager":null,"executorManager":{},"objectCache":null}`} {
		spec, warnings, errs := DecodeSpec([]byte(raw))
		assert.Equal(t, &FlameClusterSpec{}, spec, raw)
		assert.Empty(t, warnings)
		assert.Empty(t, errs)
	}
}

func TestDecodeSpecTypeErrors(t *testing.T) {
	tests := map[string]struct{ raw, want string }{
		"not JSON":          {`{`, `spec: Invalid value: must be valid JSON`},
		"not an object":     {`[]`, `spec: Invalid value: must be an object, not a list`},
		"replicas":          {`{"replicas":"3"}`, `spec.replicas: Invalid value: must be a whole number, not a string`},
		"replicas fraction": {`{"replicas":1.5}`, `spec.replicas: Invalid value: must be a whole number, not a number`},
		"quantity in resources": {
			`{"executorManager":{"resources":{"limits":{"cpu":"1x"}}}}`,
			`spec.executorManager.resources.limits[cpu]: Invalid value: "1x": must be a quantity such as "2", "500m" or "4Gi"`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			spec, _, errs := DecodeSpec([]byte(test.raw))
			require.NotNil(t, spec)
			require.Len(t, errs, 1)
			assert.Equal(t, test.want, errs[0].Error())
		})
	}
}
