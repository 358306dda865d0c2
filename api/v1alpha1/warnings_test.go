package v1alpha1

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWarnings(t *testing.T) {
	tests := map[string]struct {
		spec string
		want []string
	}{
		"nothing": {`{}`, nil},
		"hostPath": {
			`{"objectCache":{"volumeSource":{"hostPath":{"path":"/a"}}}}`,
			[]string{`spec.objectCache.volumeSource.hostPath: Pod Security levels baseline and restricted forbid hostPath, and the directory must exist on the node and be writable for the daemon's user`},
		},
		"a fraction of a CPU": {
			`{"executorManager":{"resources":{"limits":{"cpu":"1500m","memory":"4Gi"}}}}`,
			[]string{`spec.executorManager.resources.limits[cpu]: 1500m is no whole number of CPUs; each executor advertises 2`},
		},
		"no CPU limit": {
			`{"executorManager":{"resources":{"limits":{"cpu":"0"}}}}`,
			[]string{`spec.executorManager.resources.limits[cpu]: there is no CPU limit, so each executor advertises the CPUs of its whole node`},
		},
		"memory for fewer slots than CPUs": {
			`{"executorManager":{"resources":{"limits":{"cpu":"4","memory":"8Gi"}}},"sessionManager":{"slot":{"cpu":"1","memory":"4Gi"}}}`,
			[]string{`spec.executorManager.resources.limits[memory]: 8Gi is less than 16Gi, the memory of as many slots as the CPUs allow`},
		},
		"memory for slots of several CPUs": {
			`{"executorManager":{"resources":{"limits":{"cpu":"4","memory":"8Gi"}}},"sessionManager":{"slot":{"cpu":"2","memory":"4Gi"}}}`,
			nil,
		},
		"a slot larger than an executor": {
			`{"sessionManager":{"slot":{"cpu":"2","memory":"1Gi"}}}`,
			[]string{`spec.sessionManager.slot.cpu: 2 is more than the 1 CPUs of an executor; such a session gets none`},
		},
		"a GPU that no executor has": {
			`{"sessionManager":{"slot":{"cpu":"1","gpu":"1"}}}`,
			[]string{`spec.sessionManager.slot.gpu: executors have no GPU in their limits; such a session gets none`},
		},
		"millibytes": {
			`{"objectCache":{"resources":{"requests":{"memory":"512m"}}}}`,
			[]string{`spec.objectCache.resources.requests[memory]: 512m is no whole number of bytes; mebibytes are written Mi`},
		},
		"a small cache": {
			`{"objectCache":{"resources":{"limits":{"memory":"1Gi"}}}}`,
			[]string{`spec.objectCache.resources.limits[memory]: 1Gi is no more than eviction.maxMemory, 1Gi; the cache is killed before it evicts`},
		},
		"several caches": {
			`{"objectCache":{"replicas":3}}`,
			[]string{`spec.objectCache.replicas: objects are not replicated: with 3 caches, references and package URLs lead to the wrong one at random`},
		},
		"TLS of the cache": {
			`{"tls":{"sessionManager":{"secretName":"a"},"objectCache":{"secretName":"b"}}}`,
			[]string{`spec.tls.objectCache: clients connect to the cache by pod IP, so its certificate needs the pod IPs as subject alternative names`},
		},
		"TLS of no cache": {
			`{"objectCache":{"enabled":false},"tls":{"sessionManager":{"secretName":"a"},"objectCache":{"secretName":"b"}}}`,
			[]string{`spec.tls.objectCache: has no effect while objectCache.enabled is false`},
		},
		"nodes that can't be drained": {
			`{"executorManager":{"podDisruptionBudget":{"maxUnavailable":"0%"}}}`,
			[]string{`spec.executorManager.podDisruptionBudget.maxUnavailable: 0 keeps nodes with executors from being drained`},
		},
		"what Flame sets itself": {
			`{"executorManager":{"env":[{"name":"FLAME_CACHE_ENDPOINT","value":"grpc://a:1"},{"name":"FLAME_CA_FILE","value":"/ca"}]}}`,
			[]string{`spec.executorManager.env[FLAME_CACHE_ENDPOINT]: has no effect: Flame sets it for each task`},
		},
		"a policy that is off": {
			`{"networkPolicy":{"clients":[{"podSelector":{}}]}}`,
			[]string{`spec.networkPolicy.clients: has no effect while enabled is false`},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			spec := decoded(t, test.spec)
			require.Empty(t, Validate("flame", spec))
			SetDefaults(spec)
			assert.Equal(t, test.want, Warnings(spec))
		})
	}
}
