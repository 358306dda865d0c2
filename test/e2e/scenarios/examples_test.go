package scenarios

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/test/e2e/install"
	"github.com/xflops/flame-operator/test/e2e/sandbox"
)

// applyExample applies all objects of an example, and returns its FlameCluster.
func applyExample(t *testing.T, e *environment, namespace, example string) *flameCluster {
	t.Helper()
	objects, err := sandbox.Manifests("examples/" + example + ".yaml")
	require.NoError(t, err)
	found := install.OfKind(objects, "FlameCluster")
	require.Len(t, found, 1)
	c := reference(t, e, namespace, found[0].GetName())
	for _, o := range objects {
		if o.GetKind() == "FlameCluster" {
			continue
		}
		o.SetNamespace(namespace)
		require.NoError(t, bed.sandbox.Apply(bed.ctx, o))
	}
	require.NoError(t, c.createObject(found[0]))
	return c
}
