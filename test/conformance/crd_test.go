package conformance

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const definition = "../../crd/flame.xflops.io_flameclusters.yaml"

// The API server refuses a definition with a rule that does not compile or that may
// cost too much.
func TestDefinitionIsAccepted(t *testing.T) {
	_, err := NewAPIServer(definition)
	require.NoError(t, err)
}
