package flameconf

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// Every cell of the table of versions, as a user of that version meets it.
func TestVersionTable(t *testing.T) {
	released := map[string]string{
		"":         `null`,
		"priority": `["priority","drf","gang"]`,
		"fair":     `["drf","gang"]`,
		"fifo":     `["priority","drf","gang"]`,
	}
	later := map[string]string{
		"":         `null`,
		"priority": `["priority","drf"]`,
		"fair":     `["drf"]`,
		"fifo":     `["priority","drf"]`,
	}
	for _, test := range []struct {
		version  string
		policies map[string]string
	}{
		{"0.6.0", released},
		{"v0.6.0", released},
		{"0.6.1-alpha.1", later},
		{"0.6.1-rc1", later},
		{"0.6.1", later},
		{"v0.6.1", later},
		{"0.7.0", later},
		{"0.10.0", later},
		{"1.0.0-rc.1", later},
		{"12.0.0", later},
	} {
		t.Run(test.version, func(t *testing.T) {
			for policy, want := range test.policies {
				spec := specOf(t, `{version: `+test.version+`, sessionManager: {policy: "`+policy+`"}}`)
				errs, _ := Check(spec)
				require.Empty(t, errs)
				assert.Equal(t, want, canonical(t, at(clusterOf(t, spec), "cluster", "policies")), "policy %q", policy)
			}
			for shim, works := range map[v1alpha1.ExecutorShim]bool{"host": true, "docker": false, "kubernetes": false} {
				spec := specOf(t, `{version: `+test.version+`, executorManager: {shim: `+string(shim)+`}}`)
				errs, _ := Check(spec)
				assert.Equal(t, works, len(errs) == 0, "shim %s", shim)
			}
			for storage, works := range map[v1alpha1.StorageType]bool{"sqlite": true, "filesystem": true, "none": true, "postgres": false, "mysql": false} {
				spec := specOf(t, `{version: `+test.version+`}`)
				spec.SessionManager.Storage.Type = storage
				errs, _ := Check(spec)
				assert.Equal(t, works, len(errs) == 0, "storage %s", storage)
			}
			spec := specOf(t, `{version: `+test.version+`, executorManager: {maxExecutors: 7}}`)
			errs, warnings := Check(spec)
			assert.Empty(t, errs)
			assert.Contains(t, warnings[0], "spec.executorManager.maxExecutors: ")
			assert.Equal(t, `{"max_executors":7}`, canonical(t, at(clusterOf(t, spec), "cluster", "limits")))
		})
	}
}

func TestDialectsAscendAndEndOpen(t *testing.T) {
	for i := range dialects[:len(dialects)-1] {
		require.NotNil(t, dialects[i].until)
		if i > 0 {
			assert.True(t, dialects[i-1].until.LessThan(dialects[i].until))
		}
	}
	assert.Nil(t, dialects[len(dialects)-1].until)
}

// A list that names a plugin which the version lacks ends the session manager; one
// without the required plugin schedules nothing.
func TestPoliciesFitTheirDialect(t *testing.T) {
	for _, d := range dialects {
		for policy, plugins := range d.policies {
			assert.Subset(t, d.plugins, plugins, policy)
			assert.Contains(t, plugins, "drf", policy)
			if d.requiredPlugin != "" {
				assert.Contains(t, plugins, d.requiredPlugin, policy)
			}
		}
	}
}

func TestFirstVersionWithAValue(t *testing.T) {
	table := []dialect{
		{until: oldest, shims: []v1alpha1.ExecutorShim{"host"}},
		{shims: []v1alpha1.ExecutorShim{"host", "docker"}},
	}
	for shim, want := range map[v1alpha1.ExecutorShim]string{
		"host":       "the first version to have it is 0.6.0",
		"docker":     "the first version to have it is the one after 0.6.0",
		"kubernetes": "no known version of Flame has it",
	} {
		got := firstWith(table, func(d *dialect) bool {
			for _, s := range d.shims {
				if s == shim {
					return true
				}
			}
			return false
		})
		assert.Equal(t, want, got)
	}
}
