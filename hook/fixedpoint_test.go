package hook_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/hook"
)

// onePod and theSamePodEdited differ in every way in which one thing can take the place
// of another.
var onePod = spec(`
executorManager:
  env: [{name: A, value: a}, {name: B, value: b}]
  podTemplate:
    metadata: {labels: {team: a, tier: x}, annotations: {note: a}}
    spec:
      serviceAccountName: one
      nodeSelector: {pool: a}
      tolerations: [{key: gpu, operator: Exists}]
      hostAliases: [{ip: 10.0.0.1, hostnames: [a]}]
      dnsPolicy: Default
      schedulerName: mine
      priorityClassName: high
      runtimeClassName: sandbox
      initContainers:
      - {name: first, image: "example.com/first"}
      - {name: second, image: "example.com/second:1"}
      containers:
      - name: sidecar
        image: example.com/sidecar:latest
        resources: {limits: {cpu: "2", memory: 1Gi, example.com/fpga: 1}}
        ports: [{containerPort: 53, protocol: UDP}]
        env: [{name: E, value: e}, {name: F, value: f}]
        livenessProbe: {httpGet: {port: 1, path: /healthz}}
        lifecycle: {preStop: {exec: {command: [a]}}}
        volumeMounts: [{name: v, mountPath: /v}, {name: w, mountPath: /w}]
      volumes: [{name: v}, {name: w, configMap: {name: c, items: [{key: a, path: a}]}}]
`)

var theSamePodEdited = spec(`
executorManager:
  env: [{name: B, valueFrom: {secretKeyRef: {name: s, key: k}}}, {name: A, valueFrom: {fieldRef: {fieldPath: status.podIP}}}]
  podTemplate:
    metadata: {labels: {team: b}}
    spec:
      tolerations: [{operator: Exists}]
      hostAliases: [{ip: 10.0.0.2, hostnames: [b]}, {ip: 10.0.0.1, hostnames: [c]}]
      initContainers:
      - {name: first, image: "example.com/first:2"}
      containers:
      - name: sidecar
        image: example.com/sidecar:1
        resources: {limits: {cpu: "1"}, requests: {memory: 1Gi}}
        ports: [{containerPort: 53}, {containerPort: 54}]
        env: [{name: G, value: ""}, {name: E, valueFrom: {configMapKeyRef: {name: c, key: k}}}]
        livenessProbe: {tcpSocket: {port: 1}}
        lifecycle: {preStop: {sleep: {seconds: 1}}}
        volumeMounts: [{name: w, mountPath: /v, readOnly: true}]
      volumes: [{name: v, hostPath: {path: /v}}, {name: w, projected: {sources: [{configMap: {name: c}}]}}]
`)

// goodSpecs are everySpec, the spec of every example, and those that the builders are
// tested with, which use all of a podTemplate.
func goodSpecs(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	specs := map[string]json.RawMessage{}
	all := map[string]any{"one pod": onePod, "the same pod, edited": theSamePodEdited}
	maps.Copy(all, everySpec)
	for name, given := range all {
		raw, err := json.Marshal(given)
		require.NoError(t, err)
		specs[name] = raw
	}
	for _, pattern := range []string{"../examples/*.yaml", "resources/testdata/*/*.yaml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			if strings.HasSuffix(file, ".golden.yaml") {
				continue
			}
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, document := range strings.Split(string(text), "\n---\n") {
				raw, err := yaml.YAMLToJSON([]byte(document))
				require.NoError(t, err)
				var object struct {
					Kind string
					Spec json.RawMessage
				}
				require.NoError(t, json.Unmarshal(raw, &object))
				switch object.Kind {
				case "FlameCluster":
					specs[file] = object.Spec
				case "":
					specs[file] = raw
				}
			}
		}
	}
	require.Greater(t, len(specs), 20)
	return specs
}

// rendered are the children of a spec by kind and name.
func rendered(t *testing.T, given json.RawMessage) map[string]map[string]any {
	t.Helper()
	parent := hook.Parent{Spec: given}
	parent.Metadata.Name, parent.Metadata.Namespace = "my-flame", "team"
	rendering, err := hook.Render(&parent)
	require.NoError(t, err)
	require.Empty(t, rendering.Errors)
	children := map[string]map[string]any{}
	for _, child := range rendering.Children {
		children[child.Kind+" "+child.Name] = *jsonTree(child, &map[string]any{}).(*map[string]any)
	}
	return children
}

// The tests below are worth what the model of the API server is worth.
func TestTheModelOfTheAPIServerAgreesWithTheRecordedChildren(t *testing.T) {
	raw, err := os.ReadFile("../test/golden/requests/v2-sync-steady.json")
	require.NoError(t, err)
	var request struct {
		Children map[string]map[string]map[string]any
	}
	require.NoError(t, json.Unmarshal(raw, &request))
	seen := 0
	for _, group := range request.Children {
		for name, recorded := range group {
			annotation := member(member(recorded, "metadata"), "annotations")["metacontroller.k8s.io/last-applied-configuration"].(string)
			var applied map[string]any
			require.NoError(t, json.Unmarshal([]byte(annotation), &applied))
			model := stored(applied)
			if recorded["kind"] == "Service" {
				for _, allocated := range []string{"clusterIP", "clusterIPs"} {
					member(recorded, "spec")[allocated] = member(model, "spec")[allocated]
				}
			}
			assert.Equal(t, recorded["spec"], model["spec"], name)
			assert.Equal(t, recorded["data"], model["data"], name)
			assert.Equal(t, member(recorded, "metadata")["labels"], member(model, "metadata")["labels"], name)
			seen++
		}
	}
	assert.Equal(t, 8, seen)
}

// Metacontroller compares what it would write with what it observes, as JSON. Any
// difference is a write at every sync, for ever.
func TestNothingIsWrittenInASteadyState(t *testing.T) {
	for name, given := range goodSpecs(t) {
		t.Run(name, func(t *testing.T) {
			for identity, child := range rendered(t, given) {
				observed := stored(child)
				require.Equal(t, any(observed), dynamicApply(observed, child, child), identity)
			}
		})
	}
}

// An edit gives what a new cluster with that spec would get: what was taken out of the
// spec is gone, and no default of the API server stays behind from before.
func TestAnEditGivesWhatANewClusterGets(t *testing.T) {
	type state struct {
		applied, observed map[string]any
		ordered           any
	}
	clusters := map[string]map[string]state{}
	for name, given := range goodSpecs(t) {
		clusters[name] = map[string]state{}
		for identity, child := range rendered(t, given) {
			clusters[name][identity] = state{child, stored(child), ordered(stored(child))}
		}
	}
	edit := func(before, after string) {
		for identity, want := range clusters[after] {
			was, existed := clusters[before][identity]
			if !existed || reflect.DeepEqual(was.applied, want.applied) {
				continue
			}
			merged := dynamicApply(was.observed, was.applied, want.applied).(map[string]any)
			require.Equal(t, want.ordered, ordered(stored(merged)), "%s after %s: %s", after, before, identity)
		}
	}
	// From each to the next, and by the specs with nothing and with everything in them.
	names := slices.Sorted(maps.Keys(clusters))
	for i, name := range names {
		edit(name, names[(i+1)%len(names)])
		for _, hub := range []string{"empty spec", "every field"} {
			edit(name, hub)
			edit(hub, name)
		}
	}
}

// ordered sorts the lists that are merged by key: there an edit keeps the old order.
func ordered(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = ordered(value)
		}
	case []any:
		for i, item := range v {
			v[i] = ordered(item)
		}
		if key := mergeKey(v); key != "" {
			slices.SortFunc(v, func(a, b any) int {
				return strings.Compare(keyText(a, key), keyText(b, key))
			})
		}
	}
	return v
}

func keyText(item any, key string) string {
	text, err := json.Marshal(item.(map[string]any)[key])
	if err != nil {
		panic(err)
	}
	return string(text)
}
