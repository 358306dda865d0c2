package conformance

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime"
)

// oldSpec is what the API's first release stored.
const oldSpec = `{
	"sessionManager": {"image": "xflops/flame-session-manager:v0.6.0", "slot": "cpu=1,mem=1g", "policy": "priority", "storage": "sqlite://flame.db"},
	"executorManager": {"image": "xflops/flame-executor-manager:v0.6.0", "replicas": 3, "shim": "host"},
	"objectCache": {"networkInterface": "eth0", "storage": "/data"}
}`

// A stored object whose slot and storage are still strings, and whose name is longer
// than is allowed now, takes every write that does not touch those.
func TestOldObjectsCanBeWritten(t *testing.T) {
	server, err := NewAPIServer(definition)
	require.NoError(t, err)
	writes := map[string]func(object, spec map[string]any){
		"nothing": func(map[string]any, map[string]any) {},
		"status": func(object, _ map[string]any) {
			object["status"] = map[string]any{"state": "Running", "replicas": int64(3), "readyReplicas": int64(3), "observedGeneration": int64(1)}
		},
		"label": func(object, _ map[string]any) {
			object["metadata"].(map[string]any)["labels"] = map[string]any{"a": "b"}
		},
		"finalizer": func(object, _ map[string]any) {
			object["metadata"].(map[string]any)["finalizers"] = []any{"example.com/wait"}
		},
		"scale":                     func(_, spec map[string]any) { spec["replicas"] = int64(5) },
		"replicas of executors":     func(_, spec map[string]any) { child(spec, "executorManager")["replicas"] = int64(5) },
		"policy beside the strings": func(_, spec map[string]any) { child(spec, "sessionManager")["policy"] = "fair" },
		"resources beside the strings": func(_, spec map[string]any) {
			child(spec, "sessionManager")["resources"] = map[string]any{"limits": map[string]any{"memory": "2Gi"}}
		},
		"env": func(_, spec map[string]any) {
			child(spec, "sessionManager")["env"] = []any{map[string]any{"name": "A", "value": "b"}}
		},
		"slot to the new form": func(_, spec map[string]any) {
			child(spec, "sessionManager")["slot"] = map[string]any{"cpu": "1", "memory": "1Gi"}
		},
		"storage to the new form": func(_, spec map[string]any) {
			child(spec, "sessionManager")["storage"] = map[string]any{"type": "sqlite"}
		},
		"no slot": func(_, spec map[string]any) { delete(child(spec, "sessionManager"), "slot") },
		"cache's storage to the new form": func(_, spec map[string]any) {
			cache := child(spec, "objectCache")
			delete(cache, "storage")
			cache["volumeSource"] = map[string]any{"emptyDir": map[string]any{}}
		},
	}
	for name, write := range writes {
		for _, objectName := range []string{"flame", "0.has-a-name-that-is-not-allowed-any-more-because-it-is-long"} {
			t.Run(name+" of "+objectName, func(t *testing.T) {
				old := objectOf(objectName, decode(t, oldSpec))
				meta := old["metadata"].(map[string]any)
				meta["resourceVersion"], meta["uid"] = "1", "u"
				updated := runtime.DeepCopyJSON(old)
				write(updated, updated["spec"].(map[string]any))
				assert.Empty(t, server.Update(old, updated), name)
			})
		}
	}
}

// What a write does touch has to follow the rules.
func TestWritesToOldObjectsAreJudged(t *testing.T) {
	server, err := NewAPIServer(definition)
	require.NoError(t, err)
	writes := map[string]func(spec map[string]any){
		"another string": func(spec map[string]any) { child(spec, "sessionManager")["slot"] = "cpu=2" },
		"a bad slot":     func(spec map[string]any) { child(spec, "sessionManager")["slot"] = map[string]any{"cpu": "500m"} },
		"path and Secret": func(spec map[string]any) {
			child(spec, "sessionManager")["storage"] = map[string]any{
				"path": "/var/lib/flame/session", "secretRef": map[string]any{"name": "a", "key": "b"}}
		},
		"a bad policy": func(spec map[string]any) { child(spec, "sessionManager")["policy"] = "zzz" },
	}
	for name, write := range writes {
		t.Run(name, func(t *testing.T) {
			old := objectOf("flame", decode(t, oldSpec))
			old["metadata"].(map[string]any)["resourceVersion"] = "1"
			updated := runtime.DeepCopyJSON(old)
			write(updated["spec"].(map[string]any))
			assert.NotEmpty(t, server.Update(old, updated))
		})
	}
}

func child(object map[string]any, name string) map[string]any {
	return object[name].(map[string]any)
}

func decode(t *testing.T, text string) map[string]any {
	t.Helper()
	var object map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &object))
	child(object, "executorManager")["replicas"] = int64(3)
	return object
}
