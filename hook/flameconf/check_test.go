package flameconf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDefaultsPassWithoutAWord(t *testing.T) {
	errs, warnings := Check(specOf(t, `{}`))
	assert.Empty(t, errs)
	assert.Empty(t, warnings)
}

func TestVersionsThatAreRefused(t *testing.T) {
	for version, unsupported := range map[string]bool{
		"0.5.0": true, "0.5.9": true, "v0.1.0": true, "0.0.0": true,
		// By semantic versioning these come before 0.6.0.
		"0.6.0-rc1": true, "0.6.0-alpha.1": true,
		"main": false, "latest": false, "0.6": false, "6": false, "0.6.0.1": false, "00.6.0": false, "0.6.00": false,
		" 0.6.0": false, "0.6.0 ": false, "vv0.6.0": false, "V0.6.0": false, "0.6.x": false, "-0.6.0": false, "0.6.0-": false,
		"99999999999999999999.0.0": false, "\n": false, "0.7.0\n": false,
	} {
		spec := specOf(t, `{}`)
		spec.Version = version
		errs, _ := Check(spec)
		require.Len(t, errs, 1, "%q", version)
		assert.Equal(t, "spec.version", errs[0].Field)
		assert.Equal(t, unsupported, IsUnsupportedByVersion(errs[0]), "%q", version)
	}
}

func TestVersionMessages(t *testing.T) {
	message := func(version string) string {
		spec := specOf(t, `{}`)
		spec.Version = version
		errs, _ := Check(spec)
		require.Len(t, errs, 1)
		return errs[0].Error()
	}
	assert.Equal(t, `spec.version: Unsupported value: "0.5.0": Flame 0.5.0 can't be run: it reads another configuration; the oldest version that works is 0.6.0`, message("0.5.0"))
	assert.Equal(t, `spec.version: Invalid value: "main": is a branch or a tag and not a version: set the image of each component, and here the version that comes after 0.6.0`, message("main"))
	assert.Equal(t, `spec.version: Invalid value: "0.6": must be a semantic version such as "0.6.0"; for another build set the image of each component, and here the version that it is closest to`, message("0.6"))
	assert.Less(t, len(message("0.6.0-"+strings.Repeat("a", 5000))), 500)
	assert.NotContains(t, message("postgres://user:secret@host/db"), "secret")
}

// What the version can't do: its name, the value, what works, and the first that can.
func TestUnsupportedValues(t *testing.T) {
	for _, test := range []struct{ spec, want string }{
		{
			`{executorManager: {shim: docker}}`,
			`spec.executorManager.shim: Unsupported value: "docker": Flame 0.6.0 does not have it; values that work: "host"; no known version of Flame has it`,
		}, {
			`{version: 0.8.0, executorManager: {shim: kubernetes}}`,
			`spec.executorManager.shim: Unsupported value: "kubernetes": Flame 0.8.0 does not have it; values that work: "host"; no known version of Flame has it`,
		}, {
			`{sessionManager: {storage: {type: postgres, secretRef: {name: s, key: k}}}}`,
			`spec.sessionManager.storage.type: Unsupported value: "postgres": Flame 0.6.0 does not have it; values that work: "filesystem", "sqlite", "none"; no known version of Flame has it`,
		}, {
			`{sessionManager: {storage: {type: mysql, secretRef: {name: s, key: k}}}}`,
			`spec.sessionManager.storage.type: Unsupported value: "mysql": Flame 0.6.0 does not have it; values that work: "filesystem", "sqlite", "none"; no known version of Flame has it`,
		},
	} {
		errs, _ := Check(specOf(t, test.spec))
		require.Len(t, errs, 1, test.spec)
		assert.Equal(t, test.want, errs[0].Error())
		assert.True(t, IsUnsupportedByVersion(errs[0]))
	}
}

func TestUnknownPolicyIsRefusedHereToo(t *testing.T) {
	spec := specOf(t, `{}`)
	spec.SessionManager.Policy = "gang"
	errs, _ := Check(spec)
	require.Len(t, errs, 1)
	assert.Equal(t, `spec.sessionManager.policy: Unsupported value: "gang": Flame 0.6.0 does not have it; values that work: "priority", "fifo", "fair"; no known version of Flame has it`, errs[0].Error())
}

func TestAllErrorsAtOnce(t *testing.T) {
	errs, _ := Check(specOf(t, `
executorManager: {shim: docker}
sessionManager: {storage: {type: mysql, secretRef: {name: s, key: k}}}
extraConfig: {cluster: {name: other}}
`))
	var fields []string
	for _, err := range errs {
		fields = append(fields, err.Field)
	}
	assert.ElementsMatch(t, []string{"spec.executorManager.shim", "spec.sessionManager.storage.type", "spec.extraConfig.cluster.name"}, fields)
}

func TestWarnings(t *testing.T) {
	_, warnings := Check(specOf(t, `{version: 0.7.0, sessionManager: {policy: fifo}, executorManager: {maxExecutors: 3}}`))
	assert.Equal(t, []string{
		`spec.executorManager.maxExecutors: Flame 0.7.0 accepts this limit, and it has no effect`,
		`spec.sessionManager.policy: Flame 0.7.0 has no policy of its own for fifo and gets "priority", "drf", which serves sessions of equal priority in the order of their creation; a session that sets a priority still overtakes`,
		`spec.version: 0.7.0 is later than 0.6.0, the newest release that is known here; it is treated like Flame's main branch of August 2026`,
	}, warnings)
}

// A plus sign can't be in an image tag: every pod would fail to start.
func TestBuildMetadataNeedsImages(t *testing.T) {
	errs, _ := Check(specOf(t, `{version: 0.6.0+fork.1, sessionManager: {image: "r/sm:1"}, executorManager: {image: "r/em:1"}}`))
	require.Len(t, errs, 1)
	assert.Equal(t, "spec.version", errs[0].Field)
	assert.False(t, IsUnsupportedByVersion(errs[0]))

	spec := specOf(t, `{version: 0.6.0+fork.1, sessionManager: {image: "r/sm:1"}, executorManager: {image: "r/em:1"}, objectCache: {image: "r/oc:1"}}`)
	errs, warnings := Check(spec)
	assert.Empty(t, errs)
	assert.Empty(t, warnings, "build metadata makes no later version")
}

func TestIsUnsupportedByVersionOfNothing(t *testing.T) {
	assert.False(t, IsUnsupportedByVersion(nil))
}
