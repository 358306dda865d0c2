package flameconf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// withExtra is a default spec with extraConfig as it is stored, unchecked.
func withExtra(t *testing.T, raw string) *v1alpha1.FlameClusterSpec {
	t.Helper()
	spec := specOf(t, `{}`)
	spec.ExtraConfig = &runtime.RawExtension{Raw: []byte(raw)}
	return spec
}

func TestExtraConfigIsMergedLast(t *testing.T) {
	for _, test := range []struct {
		name, extra string
		path        []string
		want        string
	}{
		{"new key", `{"cluster": {"pprof": {"port": 6060}}}`, []string{"cluster", "pprof"}, `{"port":6060}`},
		{"empty map", `{"cluster": {"pprof": {}}}`, []string{"cluster", "pprof"}, `{}`},
		{"replaces a value", `{"cluster": {"resreq": "cpu=4"}}`, []string{"cluster", "resreq"}, `"cpu=4"`},
		{"merges maps", `{"cluster": {"limits": {"max_executors": 5}}}`, []string{"cluster", "limits"}, `{"max_executors":5,"max_sessions":10}`},
		{"replaces lists", `{"cluster": {"policies": ["gang"]}}`, []string{"cluster", "policies"}, `["gang"]`},
		{"null removes", `{"cluster": {"resreq": null}}`, []string{"cluster", "resreq"}, `null`},
		{"null of nothing", `{"cluster": {"pprof": {"port": null}}}`, []string{"cluster", "pprof"}, `{}`},
		{"null removes a map", `{"cluster": {"limits": null}}`, []string{"cluster", "limits"}, `null`},
		{"whole numbers stay whole", `{"cluster": {"limits": {"max_sessions": 9007199254740993}}}`, []string{"cluster", "limits", "max_sessions"}, `9007199254740993`},
		{"unknown section", `{"future": {"list": [{"a": 1}]}}`, []string{"future"}, `{"list":[{"a":1}]}`},
		{"cache", `{"cache": {"eviction": {"max_objects": 7}}}`, []string{"cache", "eviction"}, `{"max_memory":"1Gi","max_objects":7,"policy":"lru"}`},
		{"nothing", `null`, []string{"cluster", "resreq"}, `"cpu=1,mem=1Gi"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := specOf(t, `{sessionManager: {slot: {cpu: 1, memory: 1Gi}, policy: fair, maxSessions: 10}}`)
			spec.ExtraConfig = &runtime.RawExtension{Raw: []byte(test.extra)}
			config := render(t, spec)
			if test.name == "whole numbers stay whole" {
				assert.Contains(t, config.Cluster, "max_sessions: "+test.want+"\n")
				return
			}
			assert.JSONEq(t, test.want, canonical(t, at(parsed(t, config.Cluster), test.path...)))
			assert.NotContains(t, config.Cluster, ": null", "a removed key is gone")
		})
	}
}

// The order in which somebody wrote the keys must not show anywhere.
func TestExtraConfigKeysAreSorted(t *testing.T) {
	a := render(t, withExtra(t, `{"z": {"b": 1, "a": 2}, "cluster": {"pprof": {"port": 1}, "resreq": "cpu=1"}}`))
	b := render(t, withExtra(t, `{"cluster": {"resreq": "cpu=1", "pprof": {"port": 1}}, "z": {"a": 2, "b": 1}}`))
	assert.Equal(t, a, b)
}

func TestExtraConfigLeavesTheSpecAlone(t *testing.T) {
	spec := withExtra(t, `{"cluster": {"executors": {"limits": {"max_executors": 5}}}}`)
	before := spec.DeepCopy()
	render(t, spec)
	Check(spec)
	assert.Equal(t, before, spec)
}

func TestProtectedKeys(t *testing.T) {
	for key, owner := range map[string]string{
		"cluster.name":     "metadata.name",
		"cluster.endpoint": "spec.sessionManager.service.port",
		"cluster.storage":  "spec.sessionManager.storage",
		"cluster.tls":      "spec.tls.sessionManager",
		"cache.endpoint":   "spec.objectCache.service.port",
		"cache.storage":    "spec.objectCache.volumeSource",
		"cache.tls":        "spec.tls.objectCache",
	} {
		section, name, _ := strings.Cut(key, ".")
		for _, value := range []string{`"secret-value"`, `null`, `{}`, `{"ca_file": "secret-value"}`, `["secret-value"]`, `5`} {
			errs, warnings := Check(withExtra(t, `{"`+section+`": {"`+name+`": `+value+`}}`))
			require.Len(t, errs, 1, key+value)
			assert.Equal(t, "spec.extraConfig."+key, errs[0].Field)
			assert.Contains(t, errs[0].Error(), owner)
			assert.NotContains(t, errs[0].Error(), "secret-value")
			assert.False(t, IsUnsupportedByVersion(errs[0]))
			assert.Empty(t, warnings)
		}
	}
}

// Replacing the parent would take the protected keys with it.
func TestSectionsCantBeReplaced(t *testing.T) {
	for _, section := range []string{"cluster", "cache"} {
		for _, value := range []string{`null`, `"secret-value"`, `[]`, `0`, `false`} {
			errs, _ := Check(withExtra(t, `{"`+section+`": `+value+`}`))
			require.Len(t, errs, 1, section+value)
			assert.Equal(t, "spec.extraConfig."+section, errs[0].Field)
			assert.NotContains(t, errs[0].Error(), "secret-value")
		}
	}
}

func TestExtraConfigHasToBeAMap(t *testing.T) {
	for _, raw := range []string{`[]`, `"secret-value"`, `5`, `true`, `{`, `{"a": 1} x`} {
		spec := withExtra(t, raw)
		errs, _ := Check(spec)
		require.Len(t, errs, 1, raw)
		assert.Equal(t, "spec.extraConfig", errs[0].Field)
		assert.NotContains(t, errs[0].Error(), "secret-value")
		_, err := Render("blue", "team", spec)
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "secret-value")
	}
	for _, raw := range []string{``, `null`, `{}`} {
		errs, warnings := Check(withExtra(t, raw))
		assert.Empty(t, errs)
		assert.Empty(t, warnings)
	}
}

// All daemons parse the whole file, so each of these would stop all of them.
func TestValuesThatFlameCantParseAreRefused(t *testing.T) {
	for _, test := range []struct{ extra, field, want string }{
		{`{"cluster": {"schedule_interval": "50"}}`, "cluster.schedule_interval", "must be a whole number, at least 0"},
		{`{"cluster": {"schedule_interval": -1}}`, "cluster.schedule_interval", "must be a whole number, at least 0"},
		{`{"cluster": {"schedule_interval": 0.5}}`, "cluster.schedule_interval", "must be a whole number, at least 0"},
		{`{"cluster": {"pprof": {"port": 65536}}}`, "cluster.pprof.port", "must be a whole number from 0 to 65535"},
		{`{"cluster": {"pprof": true}}`, "cluster.pprof", "must be a map"},
		{`{"cluster": {"limits": []}}`, "cluster.limits", "must be a map"},
		{`{"cluster": {"limits": {"max_executors": 4294967296}}}`, "cluster.limits.max_executors", "must be a whole number from 0 to 4294967295"},
		{`{"cluster": {"policies": "drf"}}`, "cluster.policies", "must be a list of texts"},
		{`{"cluster": {"policies": [["drf"]]}}`, "cluster.policies", "must be a list of texts"},
		{`{"cluster": {"executors": {"shim": {}}}}`, "cluster.executors.shim", "must be a text"},
		{`{"cluster": {"resreq": "cpu=0.5"}}`, "cluster.resreq", `must be a resource requirement such as "cpu=1,mem=2Gi,gpu=0"`},
		{`{"cluster": {"recovery": {"session": {"retry_limits": 0}}}}`, "cluster.recovery.session.retry_limits", "must be a whole number from 1 to 4294967295"},
		{`{"cache": {"eviction": {"max_memory": "1X"}}}`, "cache.eviction.max_memory", `must be an amount of memory such as "512Mi"`},
		{`{"cache": {"eviction": {"max_memory": {}}}}`, "cache.eviction.max_memory", `must be an amount of memory such as "512Mi"`},
	} {
		errs, warnings := Check(withExtra(t, test.extra))
		require.Len(t, errs, 1, test.extra)
		assert.Equal(t, "spec.extraConfig."+test.field, errs[0].Field)
		assert.Contains(t, errs[0].Error(), test.want)
		assert.Empty(t, warnings)
	}
}

func TestValuesThatFlameParsesPass(t *testing.T) {
	for _, extra := range []string{
		`{"cluster": {"schedule_interval": 0, "limits": {"max_sessions": 0, "max_executors": 4294967295}}}`,
		`{"cluster": {"resreq": "cpu=2, memory=1.5g", "pprof": {}, "recovery": {"session": {"retry_limits": 1}}}}`,
		`{"cluster": {"executors": {"limits": {"max_executors": 1}}}}`,
		`{"cache": {"network_interface": "^net[0-9]$", "eviction": {"max_memory": 1048576, "max_objects": 1, "policy": "none"}, "pprof": {"port": 6061}}}`,
		`{"cache": {"eviction": {"max_memory": "512m"}}, "cluster": {"resreq": null}}`,
	} {
		errs, warnings := Check(withExtra(t, extra))
		assert.Empty(t, errs, extra)
		assert.Empty(t, warnings, extra)
	}
}

// Flame is silent about a key that it does not know, so nobody else tells the user.
func TestUnknownKeysAreWarnedAbout(t *testing.T) {
	for _, test := range []struct{ extra, key, meant string }{
		{`{"cluster": {"polices": ["drf"]}}`, "cluster.polices", "policies"},
		{`{"cluster": {"scheduleInterval": 5}}`, "cluster.scheduleInterval", "schedule_interval"},
		{`{"cluster": {"Resreq": "cpu=1"}}`, "cluster.Resreq", "resreq"},
		{`{"cluster": {"limits": {"maxSessions": 5}}}`, "cluster.limits.maxSessions", "max_sessions"},
		{`{"cluster": {"recovery": {"session": {"retry_limit": 5}}}}`, "cluster.recovery.session.retry_limit", "retry_limits"},
		{`{"Cluster": {"name": "x"}}`, "Cluster", "cluster"},
		{`{"cahce": {}}`, "cahce", "cache"},
		// Known elsewhere: the first releases of Flame had this one on top.
		{`{"executors": {"shim": "host"}}`, "executors", "cluster.executors"},
		{`{"cluster": {"max_sessions": 5}}`, "cluster.max_sessions", "cluster.limits.max_sessions"},
		{`{"cluster": {"eviction": {}}}`, "cluster.eviction", "cache.eviction"},
		// Nothing is near.
		{`{"cluster": {"gateway": {"deep": {"er": 1}}}}`, "cluster.gateway", ""},
		{`{"x": 1}`, "x", ""},
		{`{"cluster": {"": 1}}`, "cluster[]", ""},
	} {
		errs, warnings := Check(withExtra(t, test.extra))
		require.Empty(t, errs, test.extra)
		want := "spec.extraConfig." + test.key + ": is not a key that Flame 0.6.0 is known to read; Flame ignores unknown keys"
		if test.meant != "" {
			want += `; did you mean "` + test.meant + `"?`
		}
		assert.Equal(t, []string{want}, warnings)
	}
}

// The way for a build of Flame that knows more than the table.
func TestShimAndPoliciesMayBeSetWithAWarning(t *testing.T) {
	spec := withExtra(t, `{"cluster": {"executors": {"shim": "cri"}, "policies": ["drf", "other"]}}`)
	errs, warnings := Check(spec)
	assert.Empty(t, errs)
	assert.Equal(t, []string{
		`spec.extraConfig.cluster.executors.shim: is not checked; Flame 0.6.0 is known to work with "host", and its daemons end at start with a shim that they don't know`,
		`spec.extraConfig.cluster.policies: is not checked; Flame 0.6.0 is known to work with "priority", "drf", "gang", and its session manager ends with exit code 0 on a name that it doesn't know; without "gang" it gives no session an executor`,
	}, warnings)
	tree := clusterOf(t, spec)
	assert.Equal(t, "cri", at(tree, "cluster", "executors", "shim"))
	assert.Equal(t, []any{"drf", "other"}, at(tree, "cluster", "policies"))

	spec.Version = "0.7.0"
	_, warnings = Check(spec)
	assert.NotContains(t, strings.Join(warnings, "\n"), "gang")
}

// main:session_manager/src/scheduler/plugins/mod.rs:188: nobody says that a session
// needs more.
func TestPoliciesThatScheduleNothing(t *testing.T) {
	for _, test := range []struct {
		version, policies string
		inert             bool
	}{
		{"0.6.0", `[]`, true},
		{"0.6.0", `["priority", "drf"]`, true},
		{"0.6.0", `["priority", "gangs"]`, true},
		{"0.6.0", `["gang"]`, false},
		{"0.7.0", `[]`, true},
		{"0.7.0", `["drf"]`, false},
	} {
		spec := withExtra(t, `{"cluster": {"policies": `+test.policies+`}}`)
		spec.Version = test.version
		_, warnings := Check(spec)
		assert.Equal(t, test.inert, strings.Contains(warnings[0], "gives no session an executor"), "%s %s", test.version, test.policies)
	}
}

func FuzzExtraConfig(f *testing.F) {
	for _, seed := range []string{`{}`, `null`, `[]`, `{"cluster": {"policies": [null, {}]}}`, `{"cache": null}`, `{"cluster": {"tls": 1, "limits": {"x": [1e400]}}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		spec := withExtra(t, raw)
		errs, _ := Check(spec)
		config, err := Render("blue", "team", spec)
		if len(errs) > 0 || err != nil {
			return
		}
		tree := parsed(t, config.Cluster)
		plain := clusterOf(t, specOf(t, `{}`))
		for section, owners := range protected {
			for name := range owners {
				assert.Equal(t, at(plain, section, name), at(tree, section, name))
			}
		}
	})
}
