package v1alpha1

import "testing"

func TestSlots(t *testing.T) {
	slot := func(object string) string { return `{"sessionManager":{"slot":` + object + `}}` }
	const path = `spec.sessionManager.slot`
	const zero = path + `: Invalid value: must ask for something: a session that asks for nothing gets no executor; give cpu, memory or gpu, or leave slot out`
	invalid(t, map[string][]string{
		slot(`{"cpu":"1000m","memory":"1.5Gi","gpu":0}`): nil,
		slot(`{"gpu":1}`):                    nil,
		slot(`{}`):                           {path + `: Required value: give cpu, memory or gpu, or leave slot out`},
		slot(`{"cpu":0,"memory":"0"}`):       {zero},
		slot(`{"cpu":"500m"}`):               {path + `.cpu: Invalid value: "500m": must be whole CPUs, such as "2": Flame knows no fractions`},
		slot(`{"cpu":-1}`):                   {path + `.cpu: Invalid value: "-1": must be at least 0`},
		slot(`{"memory":"512m"}`):            {path + `.memory: Invalid value: "512m": must be whole bytes, such as "4Gi"`},
		slot(`{"cpu":1,"gpu":-1}`):           {path + `.gpu: Invalid value: "-1": must be at least 0`},
		slot(`{"cpu":1,"gpu":"2147483648"}`): {path + `.gpu: Invalid value: "2147483648": must be at most 2147483647`},
	})
}
