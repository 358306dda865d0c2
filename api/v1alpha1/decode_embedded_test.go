package v1alpha1

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The name of a SecretKeySelector is a field of an embedded struct, and a field
// like any other.
func TestFieldsOfEmbeddedKubernetesTypesAreKnown(t *testing.T) {
	spec, _, errs := DecodeSpecStrict([]byte(`{"sessionManager": {"storage": {"secretRef": {"name": "state", "key": "url"}}}}`))
	require.Empty(t, errs)
	assert.Equal(t, "state", spec.SessionManager.Storage.SecretRef.Name)

	_, _, errs = DecodeSpec([]byte(`{"sessionManager": {"storage": {"secretRef": {"name": 5, "key": "url"}}}}`))
	require.Len(t, errs, 1)
	assert.Equal(t, "spec.sessionManager.storage.secretRef.name", errs[0].Field)
}
