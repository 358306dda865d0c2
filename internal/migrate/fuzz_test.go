package migrate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// FuzzMigrate holds for any bytes: no panic; a migrated file decodes, means what it
// meant before, and is not changed a second time.
func FuzzMigrate(f *testing.F) {
	for _, old := range cases(f) {
		f.Add(old)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, problems := File(raw)
		if m == nil {
			require.NotEmpty(t, problems)
			return
		}
		if len(m.Changes) == 0 {
			require.Equal(t, string(raw), string(m.Text))
		}
		again, problems := File(m.Text)
		require.Empty(t, problems)
		assert.Empty(t, again.Changes)
		assert.Empty(t, again.Secrets)
		assert.Equal(t, string(m.Text), string(again.Text))
		assert.Equal(t, m.FlameClusters, again.FlameClusters)
		if m.Secrets != nil {
			_, problems := File(m.Secrets)
			assert.Empty(t, problems, "the Secrets are YAML")
			return
		}
		before, after := parents(t, raw), parents(t, m.Text)
		require.Len(t, after, len(before))
		for i := range before {
			was, _, faults := v1alpha1.DecodeSpec(before[i].Spec)
			is, _, faultsLeft := v1alpha1.DecodeSpec(after[i].Spec)
			assert.LessOrEqual(t, len(faultsLeft), len(faults), "a bad spec.replicas may have been replaced")
			if len(faults) == 0 {
				v1alpha1.SetDefaults(was)
				v1alpha1.SetDefaults(is)
				assert.Equal(t, was, is)
			}
		}
	})
}
