// Package specvalues lists values on both sides of every rule of the FlameCluster
// API, field by field. Tests share it: what the CRD says of a spec, what the hook says,
// and what a bad edit does to a cluster that runs.
package specvalues

import (
	"fmt"
	"strings"
)

// Values of one field of the spec, in JSON.
type Values struct {
	// Field is the path in the spec, with dots.
	Field string
	// Good values break no rule of this field.
	Good []string
	// Bad values break a rule.
	Bad []string
}

var (
	images    = Values{Good: []string{`""`, `"xflops/x:v0.6.0"`, `"r.example.com:5000/a/b@sha256:0"`}, Bad: []string{`"a b"`, `" a"`, `"a\n"`, `5`, `["a"]`}}
	names     = Values{Good: []string{`"a"`, `"a.b-c"`, `"0"`}, Bad: []string{`"A"`, `"a_b"`, `"a."`, `"-a"`, `"a..b"`, `"` + long("a", 254) + `"`, `7`}}
	logLevels = Values{Good: []string{`"debug"`, `"info,flame=trace"`, `""`}, Bad: []string{`"in\nfo"`, `"é"`, `"` + long("a", 1025) + `"`, `false`}}
	ports     = Values{Good: []string{`1024`, `65534`, `9000`, `8080.0`}, Bad: []string{`80`, `65535`, `0`, `-1`, `"8080"`, `8080.5`, `4294967296`}}
	volumes   = Values{
		Good: []string{
			`{"emptyDir":{}}`, `{"emptyDir":{"sizeLimit":"1Gi","medium":"Memory"}}`, `{"persistentVolumeClaim":{"claimName":"state"}}`,
			`{"hostPath":{"path":"/data"}}`, `{"hostPath":{"path":"/data","type":"Directory"},"emptyDir":null}`,
			`{"ephemeral":{"volumeClaimTemplate":{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}}}`,
			`{"ephemeral":{"volumeClaimTemplate":{"metadata":{"labels":{"a":"b"}},"spec":{}}}}`,
			`{"nfs":{"server":"nfs","path":"/"}}`, `{"csi":{"driver":"d","volumeAttributes":{"a":"b","c":null}}}`,
			`{"emptyDir":{},"unknown":{}}`, `{"secret":{"secretName":"s","items":[{"key":"a","path":"b","mode":256}]}}`,
		},
		Bad: []string{
			`{}`, `{"emptyDir":null}`, `{"unknown":{}}`, `{"emptyDir":{},"hostPath":{"path":"/"}}`, `{"emptyDir":{"sizeLimit":"-1"}}`,
			`{"persistentVolumeClaim":{}}`, `{"persistentVolumeClaim":{"claimName":""}}`, `{"persistentVolumeClaim":{"claimName":"A b"}}`,
			`{"hostPath":{}}`, `{"hostPath":{"path":"data"}}`, `{"hostPath":{"path":"/a/../b"}}`, `{"hostPath":{"path":""}}`, `{"ephemeral":{}}`,
			`{"ephemeral":{"volumeClaimTemplate":{}}}`, `{"nfs":{"server":"nfs"}}`,
			`{"secret":{"items":[{"key":"a"}]}}`, `{"secret":{"items":[null]}}`, `{"secret":{"defaultMode":99999999999}}`, `"none"`, `[]`,
		},
	}
	resources = Values{
		Good: []string{
			`{}`, `{"limits":{"cpu":"1","memory":"1Gi"}}`, `{"requests":{"cpu":"500m"},"limits":{"cpu":1}}`, `{"requests":{"cpu":"1000m"},"limits":{"cpu":"1"}}`,
			`{"limits":{"nvidia.com/gpu":2}}`, `{"limits":{"nvidia.com/gpu":"2"},"requests":{"nvidia.com/gpu":2}}`, `{"limits":{"hugepages-2Mi":"4Mi"}}`,
			`{"requests":{"ephemeral-storage":"1Gi"}}`, `{"claims":[{"name":"a"},{"name":"b"}]}`, `{"limits":null}`, `{"limits":{"cpu":null}}`,
		},
		Bad: []string{
			`{"limits":{"cpu":"-1"}}`, `{"requests":{"memory":"-1Gi"}}`, `{"requests":{"cpu":"2"},"limits":{"cpu":"1"}}`, `{"requests":{"memory":"1Gi"},"limits":{"memory":"1G"}}`,
			`{"requests":{"nvidia.com/gpu":1}}`, `{"requests":{"nvidia.com/gpu":1},"limits":{"nvidia.com/gpu":2}}`, `{"requests":{"hugepages-2Mi":"2Mi"},"limits":{"hugepages-2Mi":"4Mi"}}`,
			`{"limits":{"nvidia.com/gpu":"1500m"}}`, `{"limits":{"gpu":1}}`, `{"limits":{"cpus":1}}`, `{"limits":{"storage":"1Gi"}}`, `{"limits":{"requests.cpu":1}}`, `{"limits":{"a b/c":1}}`,
			`{"claims":[{"name":"a"},{"name":"a"}]}`, `{"claims":[{}]}`, `{"limits":{"cpu":"1x"}}`, `{"limits":{"cpu":"1e100"}}`, `{"limits":{"cpu":"1 "}}`, `{"limits":[]}`,
			`{"limits":{"x/a":0,"x/b":0,"x/c":0,"x/d":0,"x/e":0,"x/f":0,"x/g":0,"x/h":0,"x/i":0,"x/j":0,"x/k":0,"x/l":0,"x/m":0,"x/n":0,"x/o":0,"x/p":0,"x/q":0}}`,
		},
	}
	env = Values{
		Good: []string{
			`[]`, `[{"name":"A"}]`, `[{"name":"A","value":"1"},{"name":"B.c-d","value":""}]`, `[{"name":"CUDA_VISIBLE_DEVICES","value":"0"}]`,
			`[{"name":"A","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}}]`, `[{"name":"A","value":"","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}]`,
			`[{"name":"A","valueFrom":{"resourceFieldRef":{"resource":"limits.cpu","divisor":"1m"}}}]`,
		},
		Bad: []string{
			`[{"value":"1"}]`, `[{"name":""}]`, `[{"name":"1A"}]`, `[{"name":"A="}]`, `[{"name":"A"},{"name":"A"}]`, `[{"name":"A","value":1}]`, `[{"name":"A","value":true}]`,
			`[{"name":"RUST_LOG"}]`, `[{"name":"FLAME_HOME"}]`, `[{"name":"HOME"}]`, `[{"name":"FLAME_TEST_DIR"}]`, `[{"name":"FLAME_CACHE_STORAGE"}]`, `[{"name":"FLAME_CACHE_EVICTION_POLICY"}]`,
			`[{"name":"FLAME_CACHE_MAX_MEMORY"}]`, `[{"name":"FLAME_CACHE_MAX_OBJECTS"}]`, `[{"name":"FLAME_INSTANCE_ENDPOINT"}]`, `[{"name":"FLAME_ENDPOINT"}]`, `[{"name":"FLAME_LOG"}]`,
			`[{"name":"A","value":"1","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}}]`, `[{"name":"A","valueFrom":{}}]`, `[{"name":"A","valueFrom":{"secretKeyRef":{"name":"s"}}}]`,
			`[{"name":"A","valueFrom":{"secretKeyRef":{"name":"s","key":"k"},"fieldRef":{"fieldPath":"metadata.name"}}}]`, `[null]`, `{}`, `"A=1"`, manyEnv(129),
		},
	}
	annotations = Values{
		Good: []string{`{}`, `{"a":"b"}`, `{"example.com/A":"any text, é"}`, `{"a":null}`},
		Bad:  []string{`{"flame.xflops.io/hash":"x"}`, `{"metacontroller.k8s.io/x":"y"}`, `{"controller-uid":"u"}`, `{"a b":"c"}`, `{"":"c"}`, `{"a/b/c":"d"}`, `{"a":1}`, `[]`, `{"` + long("a", 64) + `":""}`},
	}
	labels = Values{
		Good: []string{`{}`, `{"a":"b"}`, `{"example.com/A":""}`, `{"Example.com/A":"B_c.d"}`},
		Bad:  []string{`{"flame.xflops.io/cluster":"x"}`, `{"controller-uid":"u"}`, `{"app.kubernetes.io/name":"n"}`, `{"a":"b c"}`, `{"a":"-"}`, `{"a":"` + long("b", 64) + `"}`, `{"a b":"c"}`, `{"a":true}`},
	}
)

func of(field string, values Values) Values {
	values.Field = field
	return values
}

// Fields are all fields of the spec, each with values on both sides of every rule.
var Fields = append(append(append([]Values{
	of("version", Values{
		Good: []string{`"0.6.0"`, `"v0.6.0"`, `"0.6.1-rc.1"`, `"1.0.0-alpha"`, `"10.20.30"`, `""`},
		Bad: []string{`"0.5.0"`, `"v0.5.9"`, `"0.6.0-rc.1"`, `"0.6"`, `"main"`, `"latest"`, `"01.0.0"`, `"1.0.0-01"`, `"1.0.0-"`, `" 0.6.0"`, `"0.6.0 "`, `"V0.6.0"`,
			`"0.6.1` + long("-a", 70) + `"`, `0.6`, `6`},
	}),
	of("replicas", Values{Good: []string{`0`, `1`, `3`, `10000`}, Bad: []string{`-1`, `10001`, `"3"`, `1.5`, `1e10`, `true`}}),
	of("restartedAt", Values{Good: []string{`""`, `"now"`, `"é"`}, Bad: []string{`"` + long("é", 257) + `"`, `1`}}),
	of("suspend", Values{Good: []string{`true`, `false`}, Bad: []string{`"true"`, `1`}}),
	of("imagePullSecrets", Values{
		Good: []string{`[]`, `[{"name":"a"}]`, `[{"name":"a"},{"name":"b"}]`},
		Bad:  []string{`[{"name":"a"},{"name":"a"}]`, `[{}]`, `[{"name":""}]`, `[{"name":"A"}]`, `["a"]`, `[null]`, `"a"`},
	}),
	of("serviceAccountName", names),
	of("podSecurity", Values{Good: []string{`"Restricted"`, `"ImageDefault"`}, Bad: []string{`"restricted"`, `""`, `1`}}),
	of("sessionManager.slot", Values{
		Good: []string{`{"cpu":1}`, `{"cpu":"2","memory":"4Gi","gpu":"1"}`, `{"memory":"1.5Gi"}`, `{"cpu":"1000m"}`, `{"cpu":0,"gpu":1}`, `{"cpu":1,"unknown":2}`, `{"cpu":"1e3","memory":"3.0"}`},
		Bad: []string{`{}`, `{"cpu":0}`, `{"cpu":"0","memory":"0","gpu":"0"}`, `{"cpu":"500m"}`, `{"cpu":"0.5"}`, `{"cpu":-1}`, `{"gpu":"-1"}`, `{"memory":"500m"}`, `{"memory":"0.1Ki"}`,
			`{"gpu":2147483648}`, `{"cpu":0.5}`, `{"cpu":"x"}`, `{"cpu":""}`, `{"cpu":"1 "}`, `{"memory":"1Gib"}`, `{"cpu":"` + long("0", 32) + `1"}`, `{"cpu":"1e100"}`, `{"cpu":"1e1.5"}`, `{"cpu":"1k5"}`, `{"cpu":true}`, `{"unknown":1}`, `[]`, `"cpu=1,mem=1g"`, `"cpu=0.5"`},
	}),
	of("sessionManager.policy", Values{Good: []string{`"priority"`, `"fifo"`, `"fair"`}, Bad: []string{`"zzz"`, `"FIFO"`, `""`, `["fifo"]`}}),
	of("sessionManager.storage", Values{
		Good: []string{
			`{}`, `{"type":"sqlite"}`, `{"type":"filesystem","path":"/var/lib/flame/session"}`, `{"type":"sqlite","path":"/var/lib/flame/session/a.db"}`, `{"type":"none"}`,
			`{"path":"/var/lib/flame/session/a/b/"}`, `{"secretRef":{"name":"s","key":"k"}}`, `{"type":"postgres","secretRef":{"name":"s","key":"k"}}`, `{"type":"mysql"}`, `{"path":""}`,
		},
		Bad: []string{
			`{"type":"SQLite"}`, `{"type":"redis"}`, `{"type":""}`, `{"path":"/data"}`, `{"path":"flame.db"}`, `{"path":"/var/lib/flame/session/../x"}`, `{"path":"/var/lib/flame/session/./x"}`,
			`{"path":"/var/lib/flame/sessions"}`, `{"path":"/var/lib/flame/session/a b"}`, `{"path":"/var/lib/flame/session/a?b"}`, `{"path":"/var/lib/flame/session\n"}`,
			`{"type":"sqlite","path":"/var/lib/flame/session"}`, `{"type":"sqlite","path":"/var/lib/flame/session/a/"}`, `{"type":"none","path":"/var/lib/flame/session"}`,
			`{"type":"none","secretRef":{"name":"s","key":"k"}}`, `{"type":"postgres","path":"/var/lib/flame/session"}`,
			`{"path":"/var/lib/flame/session","secretRef":{"name":"s","key":"k"}}`, `{"secretRef":{"name":"s"}}`, `{"secretRef":{"key":"k"}}`, `{"secretRef":{"name":"","key":"k"}}`,
			`{"secretRef":{"name":"s","key":""}}`, `{"secretRef":{"name":"s","key":"a b"}}`, `{"secretRef":{"name":"s","key":".."}}`, `{"secretRef":{"name":"s","key":"..a"}}`,
			`{"secretRef":{"name":"s","key":"."}}`, `{"secretRef":{"name":"S","key":"k"}}`, `{"secretRef":"s"}`, `[]`, `7`, `"sqlite://flame.db"`, `"postgres://u:p@h/db"`, `"none"`,
		},
	}),
	of("sessionManager.volumeSource", volumes),
	of("sessionManager.scheduleInterval", Values{
		Good: []string{`"1ms"`, `"500ms"`, `"1s"`, `"1.5s"`, `"1h2m3s"`, `"1000us"`, `"2m"`},
		Bad:  []string{`"0s"`, `"0"`, `"-1s"`, `"999us"`, `"1"`, `"fast"`, `""`, `1`, `"1.0005s"`, `"500 ms"`, `"1d"`, `"9999999999h"`, `"` + long("1s", 40) + `"`},
	}),
	of("sessionManager.maxSessions", Values{Good: []string{`1`, `5000000000`}, Bad: []string{`0`, `-1`, `"1"`, `1.5`}}),
	of("sessionManager.retryLimit", Values{Good: []string{`1`, `5`}, Bad: []string{`0`, `-1`, `"1"`, `5000000000`}}),
	of("executorManager.replicas", Values{Good: []string{`0`, `1`, `4`}, Bad: []string{`-1`, `10001`, `"1"`}}),
	of("executorManager.shim", Values{Good: []string{`"host"`, `"docker"`, `"kubernetes"`}, Bad: []string{`"wasm"`, `"Host"`, `""`}}),
	of("executorManager.maxExecutors", Values{Good: []string{`1`, `128`}, Bad: []string{`0`, `-5`, `"1"`}}),
	of("executorManager.volumeSource", volumes),
	of("executorManager.podDisruptionBudget", Values{
		Good: []string{`{}`, `{"maxUnavailable":1}`, `{"maxUnavailable":"25%"}`, `{"maxUnavailable":0}`, `{"maxUnavailable":"100%"}`},
		Bad:  []string{`{"maxUnavailable":-1}`, `{"maxUnavailable":"25"}`, `{"maxUnavailable":"101%"}`, `{"maxUnavailable":"-1%"}`, `{"maxUnavailable":""}`, `{"maxUnavailable":1.5}`, `{"maxUnavailable":3000000000}`, `1`},
	}),
	of("objectCache.enabled", Values{Good: []string{`true`, `false`}, Bad: []string{`"false"`, `0`}}),
	of("objectCache.replicas", Values{Good: []string{`0`, `1`, `2`, `100`}, Bad: []string{`-1`, `101`, `"1"`}}),
	of("objectCache.networkInterface", Values{Good: []string{`""`, `"eth0"`, `"^net1$"`, `"eth.*"`, `"(a|b)"`}, Bad: []string{`"("`, `"["`, `"*"`, `"a{2,1}"`, `"` + long("a", 257) + `"`, `0`}}),
	of("objectCache.volumeSource", volumes),
	of("objectCache.storage", Values{Good: []string{`""`, `"/data"`, `"none"`}, Bad: []string{`"` + long("a", 1025) + `"`, `{}`, `1`}}),
	of("objectCache.eviction", Values{
		Good: []string{`{}`, `{"policy":"lru","maxMemory":"4Gi","maxObjects":1}`, `{"policy":"none"}`, `{"maxMemory":1}`},
		Bad:  []string{`{"policy":"LRU"}`, `{"policy":""}`, `{"maxMemory":"0"}`, `{"maxMemory":"-1"}`, `{"maxMemory":"500m"}`, `{"maxMemory":"1.5"}`, `{"maxObjects":0}`, `"lru"`},
	}),
	of("tls", Values{
		Good: []string{`{}`, `{"sessionManager":{"secretName":"a"}}`, `{"sessionManager":{"secretName":"a"},"objectCache":{"secretName":"b"}}`, `{"objectCache":null}`},
		Bad:  []string{`{"objectCache":{"secretName":"b"}}`, `{"sessionManager":{}}`, `{"sessionManager":{"secretName":""}}`, `{"sessionManager":{"secretName":"A"}}`, `{"sessionManager":{"secretName":5}}`, `{"sessionManager":"a"}`},
	}),
	of("networkPolicy", Values{
		Good: []string{
			`{}`, `{"enabled":true}`, `{"enabled":true,"clients":[{"podSelector":{}}]}`, `{"clients":[{"namespaceSelector":{"matchLabels":{"a":"b"}},"podSelector":{"matchLabels":{"c":"d"}}}]}`,
			`{"clients":[{"ipBlock":{"cidr":"10.0.0.0/8","except":["10.1.0.0/16"]}}]}`, `{"clients":[{"podSelector":{"matchExpressions":[{"key":"a","operator":"In","values":["b"]}]}}]}`,
		},
		Bad: []string{
			`{"clients":[{}]}`, `{"clients":[{"ipBlock":{"cidr":"10.0.0.0/8"},"podSelector":{}}]}`, `{"clients":[{"ipBlock":{}}]}`, `{"clients":[{"ipBlock":{"cidr":"10.0.0.0"}}]}`,
			`{"clients":[{"ipBlock":{"cidr":"10.0.0.0/8","except":["11.0.0.0/16"]}}]}`, `{"clients":[{"podSelector":{"matchLabels":{"a b":"c"}}}]}`,
			`{"clients":[{"podSelector":{"matchExpressions":[{"key":"a","operator":"Is","values":["b"]}]}}]}`, `{"clients":[{"podSelector":{"matchExpressions":[{"key":"a"}]}}]}`, `{"enabled":"yes"}`,
		},
	}),
	of("extraConfig", Values{Good: []string{`{}`, `{"cluster":{"x":[1,null]}}`}, Bad: []string{`[]`, `"a"`, `1`}}),
}, component("sessionManager")...), component("executorManager")...), component("objectCache")...)

// component is what the three daemons have in common; executors have no Service.
func component(name string) []Values {
	fields := []Values{
		of(name+".image", images),
		of(name+".imagePullPolicy", Values{Good: []string{`"Always"`, `"Never"`, `"IfNotPresent"`}, Bad: []string{`"always"`, `""`, `true`}}),
		of(name+".resources", resources),
		of(name+".env", env),
		of(name+".logLevel", logLevels),
		of(name+".podTemplate", Values{Good: []string{`{}`, `{"spec":{"nodeSelector":{"a":"b"}}}`}, Bad: []string{`[]`, `"x"`}}),
	}
	if name == "executorManager" {
		return fields
	}
	types := Values{Good: []string{`"ClusterIP"`, `"NodePort"`, `"LoadBalancer"`}, Bad: []string{`"ExternalName"`, `"clusterip"`, `""`}}
	return append(fields,
		of(name+".service.type", types),
		of(name+".service.port", ports),
		of(name+".service.annotations", annotations),
		of(name+".service.labels", labels),
	)
}

// ClusterNames are on both sides of the rule for metadata.name, and all legal names
// of a custom resource.
var ClusterNames = Values{
	Good: []string{"flame", "a", "a-1", long("a", 46)},
	Bad:  []string{long("a", 47), "1a", "a.b", "0"},
}

func long(text string, times int) string { return strings.Repeat(text, times) }

func manyEnv(count int) string {
	items := make([]string, count)
	for i := range items {
		items[i] = fmt.Sprintf(`{"name":"V%d"}`, i)
	}
	return "[" + strings.Join(items, ",") + "]"
}
