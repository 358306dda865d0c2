package v1alpha1

import "testing"

func TestDaemons(t *testing.T) {
	const budget = `must be a number of at least 0, or a percentage such as "25%"`
	invalid(t, map[string][]string{
		`{"sessionManager":{"scheduleInterval":"1ms"}}`:                         nil,
		`{"sessionManager":{"scheduleInterval":"0s"}}`:                          {`spec.sessionManager.scheduleInterval: Invalid value: "0s": must be at least 1ms: Flame would never pause`},
		`{"sessionManager":{"scheduleInterval":"1.5ms"}}`:                       {`spec.sessionManager.scheduleInterval: Invalid value: "1.5ms": must be whole milliseconds`},
		`{"sessionManager":{"retryLimit":0}}`:                                   {`spec.sessionManager.retryLimit: Invalid value: 0: must be at least 1`},
		`{"sessionManager":{"maxSessions":0}}`:                                  {`spec.sessionManager.maxSessions: Invalid value: 0: must be at least 1`},
		`{"executorManager":{"maxExecutors":0}}`:                                {`spec.executorManager.maxExecutors: Invalid value: 0: must be at least 1`},
		`{"executorManager":{"shim":"wasm"}}`:                                   {`spec.executorManager.shim: Unsupported value: "wasm": supported values: "host", "docker", "kubernetes"`},
		`{"replicas":10001}`:                                                    {`spec.replicas: Invalid value: 10001: must be at most 10000`},
		`{"executorManager":{"podDisruptionBudget":{"maxUnavailable":-1}}}`:     {`spec.executorManager.podDisruptionBudget.maxUnavailable: Invalid value: "-1": ` + budget},
		`{"executorManager":{"podDisruptionBudget":{"maxUnavailable":"101%"}}}`: {`spec.executorManager.podDisruptionBudget.maxUnavailable: Invalid value: "101%": ` + budget},
		`{"objectCache":{"networkInterface":"eth[0-9]+"}}`:                      nil,
		`{"objectCache":{"networkInterface":"("}}`:                              {`spec.objectCache.networkInterface: Invalid value: "(": must be the name of an interface, such as "eth0", or a regular expression`},
		`{"objectCache":{"eviction":{"maxMemory":"0"}}}`:                        {`spec.objectCache.eviction.maxMemory: Invalid value: "0": must be at least 1`},
		`{"objectCache":{"eviction":{"policy":"fifo"}}}`:                        {`spec.objectCache.eviction.policy: Unsupported value: "fifo": supported values: "lru", "none"`},
		`{"objectCache":{"storage":"/a","volumeSource":{"emptyDir":{}}}}`:       {`spec.objectCache.storage: Forbidden: remove it: it is deprecated, and volumeSource is given`},
	})
}
