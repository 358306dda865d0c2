package v1alpha1

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever is given, no request is above its limit, and an executor has a CPU and a
// memory limit.
func TestResourceDefaults(t *testing.T) {
	tests := map[string]struct{ spec, component, want string }{
		"a request above the default limit raises it": {
			`{"executorManager":{"resources":{"requests":{"cpu":"4","memory":"8Gi"}}}}`, "executorManager",
			`{"requests":{"cpu":"4","memory":"8Gi"},"limits":{"cpu":"4","memory":"8Gi"}}`,
		},
		"a request below it does not": {
			`{"executorManager":{"resources":{"requests":{"cpu":"100m"}}}}`, "executorManager",
			`{"requests":{"cpu":"100m","memory":"2Gi"},"limits":{"cpu":"1","memory":"2Gi"}}`,
		},
		"a limit becomes the request": {
			`{"executorManager":{"resources":{"limits":{"cpu":"8","nvidia.com/gpu":"2"}}}}`, "executorManager",
			`{"requests":{"cpu":"8","memory":"2Gi","nvidia.com/gpu":"2"},"limits":{"cpu":"8","memory":"2Gi","nvidia.com/gpu":"2"}}`,
		},
		"a small limit lowers the default request": {
			`{"sessionManager":{"resources":{"limits":{"cpu":"100m","memory":"256Mi"}}}}`, "sessionManager",
			`{"requests":{"cpu":"100m","memory":"256Mi"},"limits":{"cpu":"100m","memory":"256Mi"}}`,
		},
		"both are kept": {
			`{"sessionManager":{"resources":{"requests":{"memory":"1Gi"},"limits":{"memory":"4Gi"}}}}`, "sessionManager",
			`{"requests":{"cpu":"250m","memory":"1Gi"},"limits":{"memory":"4Gi"}}`,
		},
		"the cache has twice its objects' memory": {
			`{"objectCache":{"eviction":{"maxMemory":"3Gi"}}}`, "objectCache",
			`{"requests":{"cpu":"250m","memory":"6Gi"},"limits":{"memory":"6Gi"}}`,
		},
		"claims are kept": {
			`{"executorManager":{"resources":{"claims":[{"name":"gpu"}]}}}`, "executorManager",
			`{"requests":{"cpu":"1","memory":"2Gi"},"limits":{"cpu":"1","memory":"2Gi"},"claims":[{"name":"gpu"}]}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			spec := decoded(t, test.spec)
			SetDefaults(spec)
			got, err := json.Marshal(map[string]*ComponentSpec{
				"sessionManager":  &spec.SessionManager.ComponentSpec,
				"executorManager": &spec.ExecutorManager.ComponentSpec,
				"objectCache":     &spec.ObjectCache.ComponentSpec,
			}[test.component].Resources)
			require.NoError(t, err)
			assert.JSONEq(t, test.want, string(got))
			assert.Empty(t, Validate("flame", spec))
		})
	}
}
