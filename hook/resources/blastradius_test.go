package resources

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/internal/specvalues"
)

// blastRadius says for every field of the spec which daemons an edit restarts: S the
// session manager, E the executors, C the object cache. In from and to, a field that is not
// mentioned has its default.
var blastRadius = []struct{ field, from, to, restarts string }{
	{"version", "{}", "version: 0.7.0", "SEC"},
	{"replicas", "replicas: 2", "replicas: 5", ""},
	{"restartedAt", "{}", `restartedAt: "2026-11-30"`, "SEC"},
	{"suspend", "{}", "suspend: true", ""},
	{"imagePullSecrets", "{}", "imagePullSecrets: [{name: registry}]", "SEC"},
	{"serviceAccountName", "{}", "serviceAccountName: flame", "SEC"},
	{"podSecurity", "{}", "podSecurity: ImageDefault", "SEC"},

	{"sessionManager.image", "{}", "sessionManager: {image: example.com/a:1}", "S"},
	{"sessionManager.imagePullPolicy", "{}", "sessionManager: {imagePullPolicy: Always}", "S"},
	{"sessionManager.resources", "{}", "sessionManager: {resources: {limits: {memory: 3Gi}}}", "S"},
	{"sessionManager.env", "{}", "sessionManager: {env: [{name: A, value: b}]}", "S"},
	{"sessionManager.logLevel", "{}", "sessionManager: {logLevel: debug}", "S"},
	{"sessionManager.podTemplate", "{}", "sessionManager: {podTemplate: {spec: {nodeSelector: {a: b}}}}", "S"},
	{"sessionManager.slot.cpu", "sessionManager: {slot: {cpu: 1}}", "sessionManager: {slot: {cpu: 2}}", "S"},
	{"sessionManager.slot.memory", "sessionManager: {slot: {memory: 1Gi}}", "sessionManager: {slot: {memory: 2Gi}}", "S"},
	{"sessionManager.slot.gpu", "sessionManager: {slot: {gpu: 1}}", "sessionManager: {slot: {gpu: 2}}", "S"},
	{"sessionManager.policy", "{}", "sessionManager: {policy: fair}", "S"},
	{"sessionManager.storage.type", "{}", "sessionManager: {storage: {type: none}}", "S"},
	{"sessionManager.storage.path", "{}", "sessionManager: {storage: {path: /var/lib/flame/session/a}}", "S"},
	{"sessionManager.storage.secretRef", "{}", "sessionManager: {storage: {secretRef: {name: a, key: b}}}", "S"},
	{"sessionManager.volumeSource", "{}", "sessionManager: {volumeSource: {persistentVolumeClaim: {claimName: a}}}", "S"},
	{"sessionManager.scheduleInterval", "{}", "sessionManager: {scheduleInterval: 1s}", "S"},
	{"sessionManager.maxSessions", "{}", "sessionManager: {maxSessions: 5}", "S"},
	{"sessionManager.retryLimit", "{}", "sessionManager: {retryLimit: 9}", "S"},
	{"sessionManager.service.type", "{}", "sessionManager: {service: {type: NodePort}}", ""},
	{"sessionManager.service.annotations", "{}", "sessionManager: {service: {annotations: {a: b}}}", ""},
	{"sessionManager.service.labels", "{}", "sessionManager: {service: {labels: {a: b}}}", ""},
	{"sessionManager.service.port", "{}", "sessionManager: {service: {port: 18080}}", "SE"},

	{"executorManager.replicas", "executorManager: {replicas: 2}", "executorManager: {replicas: 5}", ""},
	{"executorManager.image", "{}", "executorManager: {image: example.com/a:1}", "E"},
	{"executorManager.imagePullPolicy", "{}", "executorManager: {imagePullPolicy: Always}", "E"},
	{"executorManager.resources", "{}", "executorManager: {resources: {limits: {cpu: 2}}}", "E"},
	{"executorManager.env", "{}", "executorManager: {env: [{name: A, value: b}]}", "E"},
	{"executorManager.logLevel", "{}", "executorManager: {logLevel: debug}", "E"},
	{"executorManager.podTemplate", "{}", "executorManager: {podTemplate: {spec: {nodeSelector: {a: b}}}}", "E"},
	{"executorManager.shim", "{}", "executorManager: {shim: host}", ""},
	{"executorManager.maxExecutors", "{}", "executorManager: {maxExecutors: 5}", ""},
	{"executorManager.volumeSource", "{}", "executorManager: {volumeSource: {hostPath: {path: /a}}}", "E"},
	{"executorManager.podDisruptionBudget.maxUnavailable", "replicas: 3", "{replicas: 3, executorManager: {podDisruptionBudget: {maxUnavailable: 2}}}", ""},

	{"objectCache.enabled", "{}", "objectCache: {enabled: false}", "E"},
	{"objectCache.replicas", "{}", "objectCache: {replicas: 2}", ""},
	{"objectCache.image", "{}", "objectCache: {image: example.com/a:1}", "C"},
	{"objectCache.imagePullPolicy", "{}", "objectCache: {imagePullPolicy: Always}", "C"},
	{"objectCache.resources", "{}", "objectCache: {resources: {limits: {memory: 5Gi}}}", "C"},
	{"objectCache.env", "{}", "objectCache: {env: [{name: A, value: b}]}", "C"},
	{"objectCache.logLevel", "{}", "objectCache: {logLevel: debug}", "C"},
	{"objectCache.podTemplate", "{}", "objectCache: {podTemplate: {spec: {nodeSelector: {a: b}}}}", "C"},
	{"objectCache.networkInterface", "{}", "objectCache: {networkInterface: net1}", "C"},
	{"objectCache.volumeSource", "{}", "objectCache: {volumeSource: {persistentVolumeClaim: {claimName: a}}}", "C"},
	{"objectCache.storage", "{}", "objectCache: {storage: /data}", ""},
	{"objectCache.eviction.policy", "{}", "objectCache: {eviction: {policy: none}}", "C"},
	{"objectCache.eviction.maxMemory", "{}", "objectCache: {eviction: {maxMemory: 2Gi}}", "C"},
	{"objectCache.eviction.maxObjects", "{}", "objectCache: {eviction: {maxObjects: 5}}", "C"},
	{"objectCache.service.type", "{}", "objectCache: {service: {type: ClusterIP}}", ""},
	{"objectCache.service.annotations", "{}", "objectCache: {service: {annotations: {a: b}}}", ""},
	{"objectCache.service.labels", "{}", "objectCache: {service: {labels: {a: b}}}", ""},
	{"objectCache.service.port", "{}", "objectCache: {service: {port: 19090}}", "EC"},

	{"tls.sessionManager.secretName", "{}", "tls: {sessionManager: {secretName: a}}", "SE"},
	{"tls.objectCache.secretName", "tls: {sessionManager: {secretName: a}}", "tls: {sessionManager: {secretName: a}, objectCache: {secretName: b}}", "EC"},
	{"networkPolicy.enabled", "{}", "networkPolicy: {enabled: true}", ""},
	{"networkPolicy.clients", "networkPolicy: {enabled: true}", "networkPolicy: {enabled: true, clients: [{ipBlock: {cidr: 10.0.0.0/8}}]}", ""},
	{"extraConfig (a key of the scheduler)", "{}", "extraConfig: {cluster: {limits: {max_sessions: 9}}}", "S"},
	{"extraConfig (a key of the cache)", "{}", "extraConfig: {cache: {eviction: {max_objects: 9}}}", "C"},
	{"extraConfig (a key that all read)", "{}", "extraConfig: {future: {key: 1}}", "SEC"},
}

func TestBlastRadius(t *testing.T) {
	var table strings.Builder
	table.WriteString(blastRadiusHeader)
	for _, row := range blastRadius {
		t.Run(row.field, func(t *testing.T) {
			templates, others := changes(t, row.from, row.to)
			restarts := letters(templates)
			assert.Equal(t, row.restarts, restarts)
			writeBlastRadiusRow(&table, row.field, restarts, others)
		})
	}
	docs := filepath.Join("..", "..", "docs", "blast-radius.md")
	if *update {
		require.NoError(t, os.WriteFile(docs, []byte(table.String()), 0o644))
		return
	}
	documented, err := os.ReadFile(docs)
	require.NoError(t, err)
	assert.Equal(t, string(documented), table.String(), "run the test with -update")
}

// letters writes components as the table does.
func letters(components []v1alpha1.Component) string {
	var text strings.Builder
	for _, c := range []struct {
		component v1alpha1.Component
		letter    rune
	}{{v1alpha1.ComponentSessionManager, 'S'}, {v1alpha1.ComponentExecutorManager, 'E'}, {v1alpha1.ComponentObjectCache, 'C'}} {
		if slices.Contains(components, c.component) {
			text.WriteRune(c.letter)
		}
	}
	return text.String()
}

func TestBlastRadiusCoversEveryField(t *testing.T) {
	covered := map[string]bool{}
	for _, row := range blastRadius {
		field, _, _ := strings.Cut(row.field, " ")
		covered[field] = true
	}
	fields := specvalues.Paths()
	assert.NotEmpty(t, fields)
	for _, f := range fields {
		assert.True(t, covered[f], "%s has no row", f)
	}
	assert.Len(t, covered, len(fields), "a row for a field that does not exist")
}

// changes are the components whose pod template differs, and the other objects that do.
func changes(t *testing.T, from, to string) (templates []v1alpha1.Component, others []string) {
	t.Helper()
	before, after := identified(t, from), identified(t, to)
	for _, id := range sortedKeys(after) {
		o, existed := after[id], before[id]
		switch {
		case existed == nil:
			others = append(others, id+" (new)")
			continue
		case toYAML(t, o) == toYAML(t, existed):
			continue
		}
		if d, ok := o.(*appsv1.Deployment); ok {
			old := existed.(*appsv1.Deployment)
			if encoded(t, d.Spec.Template) != encoded(t, old.Spec.Template) {
				templates = append(templates, v1alpha1.Component(d.Labels[v1alpha1.LabelComponent]))
				continue
			}
		}
		others = append(others, id)
	}
	for _, id := range sortedKeys(before) {
		if after[id] == nil {
			others = append(others, id+" (deleted)")
		}
	}
	return templates, others
}

func identified(t *testing.T, spec string) map[string]Object {
	t.Helper()
	byID := map[string]Object{}
	for _, o := range children(t, spec) {
		byID[o.GetObjectKind().GroupVersionKind().Kind+" "+strings.Replace(o.GetName(), "demo", "NAME", 1)] = o
	}
	return byID
}

func encoded(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return string(text)
}

const blastRadiusHeader = `# What an edit restarts

Written by the test that checks it: run ` + "`go test ./hook/resources -run BlastRadius -update`" + ` after a change.

Each row is an edit of one field of a FlameCluster's spec, from its default, with the daemons whose pods are
replaced and the other objects that are written. Everything else stays as it is.

Where the session manager restarts, for whatever reason and with any storage, the executors restart after it, as
soon as it is available again: a new session manager has no memory of what they do. Tasks that ran begin anew.

| field of spec | session manager | executors | object cache | other objects |
|---|---|---|---|---|
`

func writeBlastRadiusRow(table *strings.Builder, field, restarts string, others []string) {
	cell := func(letter string) string {
		if strings.Contains(restarts, letter) {
			return "restarts"
		}
		return ""
	}
	fmt.Fprintf(table, "| %s | %s | %s | %s | %s |\n", field, cell("S"), cell("E"), cell("C"), strings.Join(others, ", "))
}
