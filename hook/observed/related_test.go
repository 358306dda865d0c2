package observed

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

func pod(name, cluster string, component v1alpha1.Component) map[string]any {
	return map[string]any{"metadata": map[string]any{"name": name, "labels": map[string]string{
		v1alpha1.LabelCluster: cluster, v1alpha1.LabelComponent: string(component),
	}}}
}

func relatedOf(t *testing.T, pods map[string]any) *Related {
	t.Helper()
	body, err := json.Marshal(map[string]any{"Pod.v1": pods})
	require.NoError(t, err)
	var r Related
	require.NoError(t, json.Unmarshal(body, &r))
	return &r
}

func names(pods []Pod) []string {
	found := make([]string, 0, len(pods))
	for _, p := range pods {
		found = append(found, p.Metadata.Name)
	}
	return found
}

func TestPodsAreThoseOfTheClusterInOrder(t *testing.T) {
	r := relatedOf(t, map[string]any{
		"team/a-session-manager-1":  pod("a-session-manager-1", "a", v1alpha1.ComponentSessionManager),
		"team/a-executor-manager-2": pod("a-executor-manager-2", "a", v1alpha1.ComponentExecutorManager),
		"team/a-executor-manager-1": pod("a-executor-manager-1", "a", v1alpha1.ComponentExecutorManager),
		"team/b-executor-manager-1": pod("b-executor-manager-1", "b", v1alpha1.ComponentExecutorManager),
		"team/broken":               7,
		"team/null":                 nil,
	})
	assert.True(t, r.PodsVisible())
	assert.Equal(t, []string{"a-executor-manager-1", "a-executor-manager-2", "a-session-manager-1"}, names(r.Pods("a")))
	assert.Equal(t, []string{"a-session-manager-1"}, names(r.PodsOf("a", v1alpha1.ComponentSessionManager)))
}

// Kubernetes cuts the base of a generated pod name at 58 characters.
func TestPodsOfAClusterWithTheLongestName(t *testing.T) {
	cluster := strings.Repeat("x", 46)
	base := (cluster + "-executor-manager-7c9f8d6b5d-")[:58]
	r := relatedOf(t, map[string]any{"team/" + base + "abcde": pod(base+"abcde", cluster, v1alpha1.ComponentExecutorManager)})
	assert.Len(t, r.PodsOf(cluster, v1alpha1.ComponentExecutorManager), 1)
}

func TestPodsAreVisibleWhereTheCustomizeHookIs(t *testing.T) {
	for body, visible := range map[string]bool{`{}`: false, `null`: false, `{"Pod.v1":null}`: false, `{"Pod.v1":{}}`: true, `{"Node.v1":{}}`: false} {
		var r Related
		require.NoError(t, json.Unmarshal([]byte(body), &r))
		assert.Equal(t, visible, r.PodsVisible(), body)
		assert.Empty(t, r.Pods("a"))
	}
}
