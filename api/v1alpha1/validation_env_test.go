package v1alpha1

import "testing"

func TestEnv(t *testing.T) {
	env := func(list string) string { return `{"executorManager":{"env":[` + list + `]}}` }
	invalid(t, map[string][]string{
		env(`{"name":"A","value":"1"},{"name":"B"}`): nil,
		env(`{"name":"CUDA_VISIBLE_DEVICES"}`):       nil,
		env(`{"name":"RUST_LOG"}`):                   {`spec.executorManager.env[0].name: Forbidden: RUST_LOG can't be set: set by the controller: use logLevel`},
		env(`{"name":"FLAME_CACHE_MAX_MEMORY"}`):     {`spec.executorManager.env[0].name: Forbidden: FLAME_CACHE_MAX_MEMORY can't be set: use objectCache.eviction.maxMemory`},
		env(`{"name":"A"},{"name":"A"}`):             {`spec.executorManager.env[1]: Duplicate value: "A"`},
		env(`{"name":""}`):                           {`spec.executorManager.env[0].name: Invalid value: "": must be a variable's name: letters, digits, _, - and ., not starting with a digit`},
		env(`{"name":"1A"}`):                         {`spec.executorManager.env[0].name: Invalid value: "1A": must be a variable's name: letters, digits, _, - and ., not starting with a digit`},
		env(`{"name":"A","value":"1","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}}`): {
			`spec.executorManager.env[0].value: Forbidden: give value or valueFrom, not both`,
		},
		env(`{"name":"A","valueFrom":{}}`): {`spec.executorManager.env[0].valueFrom: Invalid value: must have exactly one source, not 0`},
	})
}
