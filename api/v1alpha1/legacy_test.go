package v1alpha1

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLegacySpecIsTranslatedAndReported(t *testing.T) {
	spec, warnings, errs := DecodeSpec([]byte(`{
		"sessionManager": {"slot": "cpu=1,mem=1g", "storage": "sqlite://flame.db"},
		"executorManager": {"replicas": 3},
		"objectCache": {"storage": "/data/cache"}}`))
	require.Empty(t, errs)
	assert.Equal(t, []string{
		`spec.sessionManager.slot: the string form is deprecated: write {cpu: "1", memory: "1Gi"}`,
		`spec.sessionManager.storage: the string form is deprecated: write {type: sqlite} (flame.db moves into the volume)`,
		"spec.executorManager.replicas: deprecated: move it to spec.replicas; until then it wins, and `kubectl scale` has no effect",
		"spec.objectCache.storage: deprecated: write volumeSource: {emptyDir: {}}, which is what it stands for: a path was never outside of the container",
	}, warnings)
	require.Empty(t, Validate("flame", spec))

	SetDefaults(spec)
	assert.Equal(t, "1", spec.SessionManager.Slot.CPU.String())
	assert.Equal(t, "1Gi", spec.SessionManager.Slot.Memory.String())
	assert.Equal(t, &Storage{Type: StorageSQLite, Path: "/var/lib/flame/session/flame.db"}, spec.SessionManager.Storage)
	assert.EqualValues(t, 3, *spec.Replicas)
	assert.Nil(t, spec.ExecutorManager.Replicas)
	assert.NotNil(t, spec.ObjectCache.VolumeSource.EmptyDir)
	assert.Empty(t, spec.ObjectCache.Storage)
}

func TestNewFormsAreNotReported(t *testing.T) {
	_, warnings, errs := DecodeSpec([]byte(`{
		"replicas": 3,
		"sessionManager": {"slot": {"cpu": "1"}, "storage": {"type": "sqlite"}},
		"executorManager": {"replicas": null},
		"objectCache": {"storage": "", "volumeSource": {"emptyDir": {}}}}`))
	assert.Empty(t, warnings)
	assert.Empty(t, errs)
}
