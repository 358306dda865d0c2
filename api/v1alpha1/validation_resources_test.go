package v1alpha1

import "testing"

func TestResources(t *testing.T) {
	resources := func(object string) string { return `{"executorManager":{"resources":` + object + `}}` }
	const path = `spec.executorManager.resources.`
	invalid(t, map[string][]string{
		resources(`{"requests":{"cpu":"1000m"},"limits":{"cpu":1}}`):                                nil,
		resources(`{"limits":{"nvidia.com/gpu":2,"hugepages-2Mi":"4Mi","ephemeral-storage":"1G"}}`): nil,
		resources(`{"requests":{"nvidia.com/gpu":"2"},"limits":{"nvidia.com/gpu":2}}`):              nil,
		resources(`{"limits":{"cpu":"-1"}}`):                                                        {path + `limits[cpu]: Invalid value: "-1": must not be negative`},
		resources(`{"requests":{"cpu":"2"},"limits":{"cpu":"1500m"}}`): {
			path + `requests[cpu]: Invalid value: "2": must be at most the limit, 1500m`,
		},
		resources(`{"requests":{"ephemeral-storage":"2Gi"},"limits":{"ephemeral-storage":"1Gi"}}`): {
			path + `requests[ephemeral-storage]: Invalid value: "2Gi": must be at most the limit, 1Gi`,
		},
		resources(`{"requests":{"nvidia.com/gpu":1},"limits":{"nvidia.com/gpu":2}}`): {
			path + `requests[nvidia.com/gpu]: Invalid value: "1": must be equal to the limit, 2: devices and huge pages can't be overcommitted`,
		},
		resources(`{"requests":{"nvidia.com/gpu":1}}`):        {path + `limits[nvidia.com/gpu]: Required value: give the limit; it is the request too`},
		resources(`{"limits":{"nvidia.com/gpu":"500m"}}`):     {path + `limits[nvidia.com/gpu]: Invalid value: "500m": must be a whole number`},
		resources(`{"limits":{"gpu":1}}`):                     {path + `limits[gpu]: Invalid value: "gpu": must be cpu, memory, ephemeral-storage, hugepages-SIZE, or a device such as "nvidia.com/gpu"`},
		resources(`{"claims":[{"name":"a"},{"name":"a"}]}`):   {path + `claims[1]: Duplicate value: "a"`},
		resources(`{"limits":{"requests.nvidia.com/gpu":1}}`): {path + `limits[requests.nvidia.com/gpu]: Invalid value: "requests.nvidia.com/gpu": must be cpu, memory, ephemeral-storage, hugepages-SIZE, or a device such as "nvidia.com/gpu"`},
	})
}
