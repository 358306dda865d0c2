package scenarios

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A good edit that is followed at once by a bad one: either of the good specs may
// stay, but what runs, the record and the status agree, and nothing is deleted.
func TestGoodEditFollowedByBad(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, nil)
		c.waitRunning()
		children := c.children()
		for i := range 6 {
			slot := fmt.Sprint(i + 2)
			c.mustSet(map[string]any{"cpu": slot, "memory": "1Gi"}, "sessionManager", "slot")
			c.mustSet("docker", "executorManager", "shim")
			s := c.waitStalled("UnsupportedByVersion")
			c.waitSettled()
			now := c.children()
			for key, child := range children {
				if assert.Contains(t, now, key) {
					assert.Equal(t, child.GetUID(), now[key].GetUID(), key)
				}
			}
			record := data(t, now["ConfigMap/flame-last-good"])
			assert.Equal(t, fmt.Sprint(s.LastGoodGeneration), record["generation"])
			taken := strings.Contains(record["spec"], `"cpu":"`+slot+`"`)
			assert.Equal(t, taken, strings.Contains(data(t, now["ConfigMap/flame-config"])["flame-cluster.yaml"], "cpu="+slot), "the configuration follows the record: %s", record["spec"])
			c.mustSet("host", "executorManager", "shim")
			c.waitRunning()
		}
	})
}

func data(t *testing.T, configMap *unstructured.Unstructured) map[string]string {
	t.Helper()
	require.NotNil(t, configMap)
	content, _, err := unstructured.NestedStringMap(configMap.Object, "data")
	require.NoError(t, err)
	return content
}
