package scenarios

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The longest names that are allowed work in full, and one character more is refused.
func TestNames(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		namespace := newNamespace(t, nil)
		legal := []string{"a", strings.Repeat("a", 45), strings.Repeat("b", 46), "a" + strings.Repeat("-", 44) + "9", "x-1"}
		var clusters []*flameCluster
		for _, name := range legal {
			clusters = append(clusters, createFlameCluster(t, e, namespace, name, map[string]any{
				"replicas": 2, "networkPolicy": map[string]any{"enabled": true},
				"executorManager": map[string]any{"podDisruptionBudget": map[string]any{}},
			}))
		}
		for _, c := range clusters {
			c.waitFor("Running", func(s *clusterStatus) bool { return s.State == "Running" && s.ReadyReplicas == 2 })
			for _, pod := range c.pods("") {
				assert.LessOrEqual(t, len(pod.Name), 63, "a pod's name is its host name")
			}
		}
		// The external Service has the longest suffix, and a limit of its own.
		createFlameCluster(t, e, namespace, strings.Repeat("d", 38), external()).waitState("Running")
		err := reference(t, e, namespace, strings.Repeat("e", 39)).create(external())
		require.Error(t, err)
		assert.Contains(t, err.Error(), "38 characters")
		for _, name := range []string{strings.Repeat("c", 47), "1a", "a.b", "A", "a-"} {
			err := reference(t, e, namespace, name).create(nil)
			require.Error(t, err, name)
			assert.True(t, apierrors.IsInvalid(err), "%s: %v", name, err)
		}
	})
}

func external() map[string]any {
	return map[string]any{"sessionManager": map[string]any{"service": map[string]any{"type": "NodePort"}}}
}

// Clusters side by side do not know of each other.
func TestNeighbours(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		one := newFlameCluster(t, e, nil)
		two := createFlameCluster(t, e, one.namespace, "flame-two", map[string]any{"replicas": 2})
		twin := createFlameCluster(t, e, newNamespace(t, map[string]string{"twin": "yes"}), "flame", nil)
		for _, c := range []*flameCluster{one, two, twin} {
			c.waitRunning()
		}
		beforeTwo, beforeTwin := two.snapshot(), twin.snapshot()
		one.mustSet("fair", "sessionManager", "policy")
		one.scale(3)
		one.waitRunning()
		one.delete("Background")
		one.waitGone()
		two.requireSame(beforeTwo)
		twin.requireSame(beforeTwin)
	})
}
