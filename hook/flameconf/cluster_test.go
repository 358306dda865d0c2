package flameconf

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRenderedFiles(t *testing.T) {
	for _, test := range []struct{ name, spec string }{
		{"minimal", `{}`},
		{"every-field", `
version: 0.6.0
sessionManager:
  slot: {cpu: "2", memory: 4Gi, gpu: "1"}
  policy: priority
  storage: {type: sqlite, path: /var/lib/flame/session/state.db}
  scheduleInterval: 1.5s
  maxSessions: 1000
  retryLimit: 3
  service: {port: 9000}
executorManager: {shim: host, maxExecutors: 64}
objectCache:
  networkInterface: net1
  eviction: {policy: none, maxMemory: 1500M, maxObjects: 5000}
  service: {port: 9500}
tls: {sessionManager: {secretName: sm}, objectCache: {secretName: oc}}
extraConfig: {cluster: {pprof: {port: 6061}}, cache: {eviction: {max_objects: null}}}
`},
		{"tls-session-manager", `{tls: {sessionManager: {secretName: sm}}}`},
		{"storage-in-secret", `{sessionManager: {storage: {type: filesystem, secretRef: {name: state, key: url}}}}`},
		{"no-cache", `{objectCache: {enabled: false}}`},
		{"fair-later-version", `{version: 0.7.0, sessionManager: {policy: fair}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := specOf(t, test.spec)
			errs, _ := Check(spec)
			require.Empty(t, errs)
			config := render(t, spec)
			golden(t, config.Cluster, test.name, "flame-cluster.yaml")
			golden(t, config.Client, test.name, "flame.yaml")

			again := render(t, specOf(t, test.spec))
			assert.Equal(t, config, again)
		})
	}
}

// Flame has another default in each version for what the user leaves open.
func TestUnsetFieldsAreLeftToFlame(t *testing.T) {
	cluster := at(clusterOf(t, specOf(t, `{}`)), "cluster").(map[string]any)
	for _, name := range []string{"resreq", "policies", "schedule_interval", "limits", "recovery", "tls", "pprof"} {
		assert.NotContains(t, cluster, name)
	}
}

// The cache does not start without its block, and the others need none: without a
// cache its endpoint must not be handed to tasks.
func TestCacheBlockOnlyWithACache(t *testing.T) {
	assert.Contains(t, clusterOf(t, specOf(t, `{}`)), "cache")
	without := specOf(t, `{objectCache: {enabled: false}, extraConfig: {cache: {eviction: {policy: lru}}}}`)
	assert.NotContains(t, clusterOf(t, without), "cache")
	_, warnings := Check(without)
	assert.Equal(t, []string{"spec.extraConfig.cache: has no effect while spec.objectCache.enabled is false"}, warnings)
}

// Executors read the path of the CA, never that of the key; the parser wants all.
func TestTLSBlocks(t *testing.T) {
	tree := clusterOf(t, specOf(t, `{tls: {sessionManager: {secretName: sm}, objectCache: {secretName: oc}}}`))
	for section, dir := range map[string]string{"cluster": "/etc/flame-tls/session-manager", "cache": "/etc/flame-tls/object-cache"} {
		assert.Equal(t, map[string]any{"cert_file": dir + "/tls.crt", "key_file": dir + "/tls.key", "ca_file": dir + "/ca.crt"}, at(tree, section, "tls"))
	}
}

func TestScheduleIntervalIsInMilliseconds(t *testing.T) {
	for text, want := range map[string]float64{"1ms": 1, "500ms": 500, "1.5s": 1500, "1h": 3600000} {
		spec := specOf(t, `{sessionManager: {scheduleInterval: `+text+`}}`)
		assert.InDelta(t, want, at(clusterOf(t, spec), "cluster", "schedule_interval"), 0, text)
	}
	for _, text := range []string{"0s", "-1s", "1us", "1500us"} {
		_, err := Render("blue", "team", specOf(t, `{sessionManager: {scheduleInterval: `+text+`}}`))
		assert.Error(t, err, text)
	}
}

func TestRenderRefusesWhatCheckRefuses(t *testing.T) {
	for _, text := range []string{
		`{version: main}`,
		`{version: 0.5.0}`,
		`{sessionManager: {slot: {cpu: 500m}}}`,
		`{objectCache: {eviction: {maxMemory: 100m}}}`,
	} {
		_, err := Render("blue", "team", specOf(t, text))
		assert.Error(t, err, text)
	}
}
