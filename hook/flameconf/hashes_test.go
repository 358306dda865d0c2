package flameconf

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/internal/specvalues"
)

// blastRadius has, for every field of a spec, an edit and the daemons whose
// configuration it changes.
var blastRadius = []struct {
	field    string
	from, to string
	changes  []v1alpha1.Component
}{
	// A version changes what is rendered for a policy, and else nothing.
	{"version", `{version: 0.6.0}`, `{version: 0.7.0}`, nobody},
	{"version", `{version: 0.6.0, sessionManager: {policy: fair}}`, `{version: 0.7.0, sessionManager: {policy: fair}}`, sessionManager},
	{"replicas", `{}`, `{replicas: 5}`, nobody},
	{"restartedAt", `{}`, `{restartedAt: now}`, nobody},
	{"suspend", `{}`, `{suspend: true}`, nobody},
	{"imagePullSecrets", `{}`, `{imagePullSecrets: [{name: registry}]}`, nobody},
	{"serviceAccountName", `{}`, `{serviceAccountName: flame}`, nobody},
	{"podSecurity", `{}`, `{podSecurity: ImageDefault}`, nobody},

	{"sessionManager.image", `{}`, `{sessionManager: {image: "other:1"}}`, nobody},
	{"sessionManager.imagePullPolicy", `{}`, `{sessionManager: {imagePullPolicy: Always}}`, nobody},
	{"sessionManager.resources", `{}`, `{sessionManager: {resources: {limits: {cpu: 2}}}}`, nobody},
	{"sessionManager.env", `{}`, `{sessionManager: {env: [{name: A, value: b}]}}`, nobody},
	{"sessionManager.logLevel", `{}`, `{sessionManager: {logLevel: debug}}`, nobody},
	{"sessionManager.podTemplate", `{}`, `{sessionManager: {podTemplate: {metadata: {labels: {a: b}}}}}`, nobody},
	{"sessionManager.slot.cpu", `{}`, `{sessionManager: {slot: {cpu: 2}}}`, sessionManager},
	{"sessionManager.slot.memory", `{}`, `{sessionManager: {slot: {memory: 2Gi}}}`, sessionManager},
	{"sessionManager.slot.gpu", `{}`, `{sessionManager: {slot: {gpu: 2}}}`, sessionManager},
	// The same amount in another spelling restarts nothing.
	{"sessionManager.slot.memory", `{sessionManager: {slot: {memory: 1Gi}}}`, `{sessionManager: {slot: {cpu: 0, memory: 1024Mi}}}`, nobody},
	{"sessionManager.policy", `{}`, `{sessionManager: {policy: priority}}`, sessionManager},
	{"sessionManager.storage.type", `{}`, `{sessionManager: {storage: {type: none}}}`, sessionManager},
	{"sessionManager.storage.path", `{}`, `{sessionManager: {storage: {path: /var/lib/flame/session/a}}}`, sessionManager},
	{"sessionManager.storage.path", `{}`, `{sessionManager: {storage: {path: /var/lib/flame/session}}}`, nobody},
	{"sessionManager.storage.secretRef", `{}`, `{sessionManager: {storage: {secretRef: {name: a, key: b}}}}`, sessionManager},
	{"sessionManager.volumeSource", `{}`, `{sessionManager: {volumeSource: {persistentVolumeClaim: {claimName: state}}}}`, nobody},
	{"sessionManager.scheduleInterval", `{}`, `{sessionManager: {scheduleInterval: 1s}}`, sessionManager},
	{"sessionManager.maxSessions", `{}`, `{sessionManager: {maxSessions: 10}}`, sessionManager},
	{"sessionManager.retryLimit", `{}`, `{sessionManager: {retryLimit: 2}}`, sessionManager},
	{"sessionManager.service.type", `{}`, `{sessionManager: {service: {type: NodePort}}}`, nobody},
	{"sessionManager.service.annotations", `{}`, `{sessionManager: {service: {annotations: {a: b}}}}`, nobody},
	{"sessionManager.service.labels", `{}`, `{sessionManager: {service: {labels: {a: b}}}}`, nobody},
	{"sessionManager.service.port", `{}`, `{sessionManager: {service: {port: 9000}}}`, managers},

	{"executorManager.image", `{}`, `{executorManager: {image: "other:1"}}`, nobody},
	{"executorManager.imagePullPolicy", `{}`, `{executorManager: {imagePullPolicy: Always}}`, nobody},
	{"executorManager.resources", `{}`, `{executorManager: {resources: {limits: {cpu: 2}}}}`, nobody},
	{"executorManager.env", `{}`, `{executorManager: {env: [{name: A, value: b}]}}`, nobody},
	{"executorManager.logLevel", `{}`, `{executorManager: {logLevel: debug}}`, nobody},
	{"executorManager.podTemplate", `{}`, `{executorManager: {podTemplate: {metadata: {labels: {a: b}}}}}`, nobody},
	{"executorManager.replicas", `{}`, `{executorManager: {replicas: 5}}`, nobody},
	{"executorManager.shim", `{}`, `{executorManager: {shim: docker}}`, executorManager},
	// Flame parses it, and no daemon looks at it.
	{"executorManager.maxExecutors", `{}`, `{executorManager: {maxExecutors: 5}}`, nobody},
	{"executorManager.maxExecutors", `{sessionManager: {maxSessions: 1}}`, `{sessionManager: {maxSessions: 1}, executorManager: {maxExecutors: 5}}`, nobody},
	{"executorManager.volumeSource", `{}`, `{executorManager: {volumeSource: {emptyDir: {sizeLimit: 1Gi}}}}`, nobody},
	{"executorManager.podDisruptionBudget.maxUnavailable", `{}`, `{executorManager: {podDisruptionBudget: {maxUnavailable: 2}}}`, nobody},

	{"objectCache.image", `{}`, `{objectCache: {image: "other:1"}}`, nobody},
	{"objectCache.imagePullPolicy", `{}`, `{objectCache: {imagePullPolicy: Always}}`, nobody},
	{"objectCache.resources", `{}`, `{objectCache: {resources: {limits: {cpu: 2}}}}`, nobody},
	{"objectCache.env", `{}`, `{objectCache: {env: [{name: A, value: b}]}}`, nobody},
	{"objectCache.logLevel", `{}`, `{objectCache: {logLevel: debug}}`, nobody},
	{"objectCache.podTemplate", `{}`, `{objectCache: {podTemplate: {metadata: {labels: {a: b}}}}}`, nobody},
	// Executors tell tasks where the cache is.
	{"objectCache.enabled", `{}`, `{objectCache: {enabled: false}}`, cacheAndExecutors},
	{"objectCache.replicas", `{}`, `{objectCache: {replicas: 2}}`, nobody},
	{"objectCache.networkInterface", `{}`, `{objectCache: {networkInterface: net1}}`, objectCache},
	{"objectCache.volumeSource", `{}`, `{objectCache: {volumeSource: {persistentVolumeClaim: {claimName: cache}}}}`, nobody},
	{"objectCache.storage", `{}`, `{objectCache: {storage: /data}}`, nobody},
	{"objectCache.eviction.policy", `{}`, `{objectCache: {eviction: {policy: none}}}`, objectCache},
	{"objectCache.eviction.maxMemory", `{}`, `{objectCache: {eviction: {maxMemory: 2Gi}}}`, objectCache},
	{"objectCache.eviction.maxMemory", `{}`, `{objectCache: {eviction: {maxMemory: 1024Mi}}}`, nobody},
	{"objectCache.eviction.maxObjects", `{}`, `{objectCache: {eviction: {maxObjects: 5}}}`, objectCache},
	{"objectCache.service.type", `{}`, `{objectCache: {service: {type: ClusterIP}}}`, nobody},
	{"objectCache.service.annotations", `{}`, `{objectCache: {service: {annotations: {a: b}}}}`, nobody},
	{"objectCache.service.labels", `{}`, `{objectCache: {service: {labels: {a: b}}}}`, nobody},
	{"objectCache.service.port", `{}`, `{objectCache: {service: {port: 9500}}}`, cacheAndExecutors},

	{"tls.sessionManager.secretName", `{}`, `{tls: {sessionManager: {secretName: a}}}`, managers},
	{"tls.objectCache.secretName", `{tls: {sessionManager: {secretName: a}}}`, `{tls: {sessionManager: {secretName: a}, objectCache: {secretName: b}}}`, cacheAndExecutors},
	// The path in the pod stays; the pod template has the name.
	{"tls.sessionManager.secretName", `{tls: {sessionManager: {secretName: a}}}`, `{tls: {sessionManager: {secretName: b}}}`, nobody},
	{"networkPolicy.enabled", `{}`, `{networkPolicy: {enabled: true}}`, nobody},
	{"networkPolicy.clients", `{}`, `{networkPolicy: {enabled: true, clients: [{podSelector: {}}]}}`, nobody},

	{"extraConfig", `{}`, `{extraConfig: {cluster: {resreq: "cpu=1"}}}`, sessionManager},
	{"extraConfig", `{}`, `{extraConfig: {cluster: {executors: {shim: cri}}}}`, executorManager},
	{"extraConfig", `{}`, `{extraConfig: {cluster: {executors: {limits: {max_executors: 1}}}}}`, nobody},
	{"extraConfig", `{}`, `{extraConfig: {cluster: {pprof: {}}}}`, managers},
	{"extraConfig", `{}`, `{extraConfig: {cache: {pprof: {port: 6061}}}}`, objectCache},
	{"extraConfig", `{}`, `{extraConfig: {cluster: {limits: {}}}}`, nobody},
	// Only the build that knows these keys can tell who reads them.
	{"extraConfig", `{}`, `{extraConfig: {cluster: {other: 1}}}`, managers},
	{"extraConfig", `{}`, `{extraConfig: {cache: {other: 1}}}`, objectCache},
	{"extraConfig", `{}`, `{extraConfig: {cluster: {executors: {other: 1}}}}`, executorManager},
	{"extraConfig", `{}`, `{extraConfig: {other: {a: 1}}}`, everyone},
	{"extraConfig", `{extraConfig: {cluster: {other: {a: [1]}}}}`, `{extraConfig: {cluster: {other: {a: [2]}}}}`, managers},
}

func TestBlastRadius(t *testing.T) {
	for _, test := range blastRadius {
		t.Run(test.field+" "+test.to, func(t *testing.T) {
			from, to := render(t, specOf(t, test.from)).Hashes, render(t, specOf(t, test.to)).Hashes
			changes := []v1alpha1.Component{}
			for _, component := range everyone {
				if from[component] != to[component] {
					changes = append(changes, component)
				}
			}
			assert.ElementsMatch(t, test.changes, changes)
		})
	}
}

// A new field has to find its place in the table above.
func TestBlastRadiusKnowsEveryField(t *testing.T) {
	var tested []string
	for _, test := range blastRadius {
		tested = append(tested, test.field)
	}
	slices.Sort(tested)
	fields := specvalues.Paths()
	slices.Sort(fields)
	assert.Equal(t, fields, slices.Compact(tested))
}

// The configuration of one cluster must not depend on where in the table a daemon
// stands, and two daemons never read the same.
func TestHashesAreOfTheDaemonsThatThereAre(t *testing.T) {
	hashes := render(t, specOf(t, `{}`)).Hashes
	require.Len(t, hashes, 3)
	seen := map[string]bool{}
	for component, hash := range hashes {
		assert.Regexp(t, "^[0-9a-f]{16}$", hash, component)
		assert.False(t, seen[hash])
		seen[hash] = true
	}
	assert.NotContains(t, render(t, specOf(t, `{objectCache: {enabled: false}}`)).Hashes, v1alpha1.ComponentObjectCache)
}

// A hash that changes for the same spec restarts every Flame cluster when the hook
// is updated, so a change here has to be meant.
func TestHashesOfTheDefaultAreStable(t *testing.T) {
	var lines []string
	for component, hash := range render(t, specOf(t, `{}`)).Hashes {
		lines = append(lines, string(component)+" "+hash)
	}
	slices.Sort(lines)
	golden(t, strings.Join(lines, "\n")+"\n", "minimal", "hashes")
}

// Every key of the table has readers that are daemons, and nothing a daemon is
// given goes unread without a reason in the table.
func TestEveryRenderedKeyIsInTheTable(t *testing.T) {
	spec := specOf(t, `
sessionManager: {slot: {cpu: 1}, policy: fair, scheduleInterval: 1s, maxSessions: 1, retryLimit: 1}
executorManager: {maxExecutors: 1}
objectCache: {eviction: {maxObjects: 1}}
tls: {sessionManager: {secretName: a}, objectCache: {secretName: b}}
`)
	var missing []string
	var walk func(path string, k key, fields map[string]any)
	walk = func(path string, k key, fields map[string]any) {
		for name, value := range fields {
			known, found := k.fields[name]
			if !found {
				missing = append(missing, path+name)
				continue
			}
			if nested, isMap := value.(map[string]any); isMap {
				walk(path+name+".", known, nested)
			}
		}
	}
	walk("", flameKeys, clusterOf(t, spec))
	assert.Empty(t, missing)
}
