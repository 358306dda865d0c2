package flameconf

import (
	"math"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// key is one key of flame-cluster.yaml: what it holds and which daemons read it.
type key struct {
	kind kind
	// min and max bound an integer.
	min, max int64
	// readers are the daemons that depend on the key; for a map, those that would
	// depend on a key in it which is not in this table.
	readers []v1alpha1.Component
	// present tells that the map has an effect even when it is empty.
	present bool
	// fields are the keys of a map.
	fields map[string]key
}

// kind is the type of a key's value.
type kind int

const (
	kindMap kind = iota
	kindText
	kindTextList
	kindInteger
	kindMemory
	kindResreq
)

// String names the kind for a message to the user.
func (k kind) String() string {
	switch k {
	case kindMap:
		return "a map"
	case kindText:
		return "a text"
	case kindTextList:
		return "a list of texts"
	case kindInteger:
		return "a whole number"
	case kindMemory:
		return `an amount of memory such as "512Mi"`
	}
	return `a resource requirement such as "cpu=1,mem=2Gi,gpu=0"`
}

var (
	nobody            []v1alpha1.Component
	sessionManager          = []v1alpha1.Component{v1alpha1.ComponentSessionManager}
	executorManager         = []v1alpha1.Component{v1alpha1.ComponentExecutorManager}
	objectCache             = []v1alpha1.Component{v1alpha1.ComponentObjectCache}
	managers                = []v1alpha1.Component{v1alpha1.ComponentSessionManager, v1alpha1.ComponentExecutorManager}
	cacheAndExecutors       = []v1alpha1.Component{v1alpha1.ComponentExecutorManager, v1alpha1.ComponentObjectCache}
	everyone                = []v1alpha1.Component{v1alpha1.ComponentSessionManager, v1alpha1.ComponentExecutorManager, v1alpha1.ComponentObjectCache}
	maxPort           int64 = math.MaxUint16
)

// flameKeys is every key that Flame's parser knows (common/src/ctx.rs:47, the
// same in v0.6.0 and main), with the places that read it. All daemons parse the
// whole file, so a value of a wrong type stops all of them.
var flameKeys = key{kind: kindMap, readers: everyone, fields: map[string]key{
	"cluster": {kind: kindMap, readers: managers, fields: map[string]key{
		// Only shown (common/src/ctx.rs:297).
		"name": {kind: kindText, readers: nobody},
		// session_manager/src/apiserver/mod.rs:51,98; executor_manager/src/client.rs:49,
		// and handed to tasks (executor_manager/src/shims/host_shim.rs:179).
		"endpoint": {kind: kindText, readers: managers},
		// session_manager/src/apiserver/mod.rs:71.
		"resreq": {kind: kindResreq, readers: sessionManager},
		// session_manager/src/scheduler/mod.rs:48.
		"policies": {kind: kindTextList, readers: sessionManager},
		// session_manager/src/storage/mod.rs:65.
		"storage": {kind: kindText, readers: sessionManager},
		// session_manager/src/scheduler/mod.rs:40.
		"schedule_interval": {kind: kindInteger, max: math.MaxInt64, readers: sessionManager},
		"executors": {kind: kindMap, readers: executorManager, fields: map[string]key{
			// executor_manager/src/shims/mod.rs:201, executor_manager/src/manager.rs:113.
			"shim": {kind: kindText, readers: executorManager},
			"limits": {kind: kindMap, readers: executorManager, fields: map[string]key{
				// Parsed and dropped (common/src/ctx.rs:476).
				"max_executors": {kind: kindInteger, max: math.MaxUint32, readers: nobody},
			}},
		}},
		"limits": {kind: kindMap, readers: sessionManager, fields: map[string]key{
			// session_manager/src/storage/mod.rs:71.
			"max_sessions": {kind: kindInteger, max: math.MaxInt64, readers: sessionManager},
			// Parsed and never used.
			"max_executors": {kind: kindInteger, max: math.MaxUint32, readers: nobody},
		}},
		"recovery": {kind: kindMap, readers: sessionManager, fields: map[string]key{
			"session": {kind: kindMap, readers: sessionManager, fields: map[string]key{
				// session_manager/src/storage/mod.rs:88; at 0 nothing is ever scheduled
				// (session_manager/src/model/mod.rs:146).
				"retry_limits": {kind: kindInteger, min: 1, max: math.MaxUint32, readers: sessionManager},
			}},
		}},
		"tls": {kind: kindMap, readers: managers, fields: map[string]key{
			// session_manager/src/apiserver/mod.rs:77.
			"cert_file": {kind: kindText, readers: sessionManager},
			"key_file":  {kind: kindText, readers: sessionManager},
			// executor_manager/src/client.rs:67, executor_manager/src/shims/host_shim.rs:181.
			"ca_file": {kind: kindText, readers: executorManager},
		}},
		// session_manager/src/main.rs:51, executor_manager/src/main.rs:46; on port 6060
		// when the map is empty.
		"pprof": {kind: kindMap, readers: managers, present: true, fields: map[string]key{
			"port": {kind: kindInteger, max: maxPort, readers: managers},
		}},
	}},
	"cache": {kind: kindMap, readers: objectCache, fields: map[string]key{
		// object_cache/src/cache.rs:386, and handed to tasks
		// (executor_manager/src/shims/host_shim.rs:186).
		"endpoint": {kind: kindText, readers: cacheAndExecutors},
		// object_cache/src/cache.rs:359.
		"network_interface": {kind: kindText, readers: objectCache},
		// object_cache/src/cache.rs:1541.
		"storage": {kind: kindText, readers: objectCache},
		"eviction": {kind: kindMap, readers: objectCache, fields: map[string]key{
			// object_cache/src/cache.rs:1544, object_cache/src/eviction.rs:456.
			"policy":      {kind: kindText, readers: objectCache},
			"max_memory":  {kind: kindMemory, readers: objectCache},
			"max_objects": {kind: kindInteger, max: math.MaxInt64, readers: objectCache},
		}},
		"tls": {kind: kindMap, readers: objectCache, fields: map[string]key{
			// object_cache/src/cache.rs:1575.
			"cert_file": {kind: kindText, readers: objectCache},
			"key_file":  {kind: kindText, readers: objectCache},
			// For packages that executors download (executor_manager/src/manager.rs:46).
			"ca_file": {kind: kindText, readers: executorManager},
		}},
		// object_cache/src/main.rs:55.
		"pprof": {kind: kindMap, readers: objectCache, present: true, fields: map[string]key{
			"port": {kind: kindInteger, max: maxPort, readers: objectCache},
		}},
	}},
}}
