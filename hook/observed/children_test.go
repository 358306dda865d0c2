package observed

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChildrenAreFoundByTheirOwnName(t *testing.T) {
	for version, body := range map[string]string{
		"v1": `{"ConfigMap.v1":{"a-config":{"metadata":{"name":"a-config","annotations":{"flame.xflops.io/hash":"abc"}},"data":{"k":"v"}}},"Deployment.apps/v1":{},"Secret.v1":{"x":7}}`,
		"v2": `{"ConfigMap.v1":{"team/a-config":{"metadata":{"name":"a-config","annotations":{"flame.xflops.io/hash":"abc"}},"data":{"k":"v"}}},"Deployment.apps/v1":{},"Secret.v1":{"team/x":7}}`,
	} {
		t.Run(version, func(t *testing.T) {
			var c Children
			require.NoError(t, json.Unmarshal([]byte(body), &c))
			assert.Equal(t, 1, c.Len(), "kinds that are never children are passed over")
			assert.Equal(t, "v", c.ConfigMaps["a-config"].Data()["k"])
			assert.Equal(t, "abc", c.Find("ConfigMap", "a-config").Hash())
			for _, kind := range []string{"ConfigMap", "Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy", "Secret"} {
				assert.Nil(t, c.Find(kind, "missing"), kind)
			}
		})
	}
}

func TestEveryKindOfChildIsFound(t *testing.T) {
	var c Children
	require.NoError(t, json.Unmarshal([]byte(`{
		"ConfigMap.v1":{"a":{"metadata":{"name":"a"}}},
		"Deployment.apps/v1":{"b":{"metadata":{"name":"b"}}},
		"Service.v1":{"c":{"metadata":{"name":"c"}}},
		"PodDisruptionBudget.policy/v1":{"d":{"metadata":{"name":"d"}}},
		"NetworkPolicy.networking.k8s.io/v1":{"e":{"metadata":{"name":"e"}},"null":null}}`), &c))
	assert.Equal(t, 5, c.Len())
	for kind, name := range map[string]string{"ConfigMap": "a", "Deployment": "b", "Service": "c", "PodDisruptionBudget": "d", "NetworkPolicy": "e"} {
		require.NotNil(t, c.Find(kind, name), kind)
		assert.Equal(t, name, c.Find(kind, name).Name)
	}
}

// Whatever somebody wrote into it, the ConfigMap is there.
func TestDataOfTheWrongShapeIsNone(t *testing.T) {
	for _, data := range []string{`null`, `[]`, `"x"`, `{"k":1}`} {
		var c Children
		require.NoError(t, json.Unmarshal([]byte(`{"ConfigMap.v1":{"a":{"metadata":{"name":"a"},"data":`+data+`}}}`), &c), data)
		assert.Empty(t, c.ConfigMaps["a"].Data(), data)
	}
}

func TestChildrenOfTheWrongShapeAreAnError(t *testing.T) {
	for _, body := range []string{`[]`, `7`, `{"ConfigMap.v1":[]}`, `{"Deployment.apps/v1":{"a":{"spec":"x"}}}`} {
		var c Children
		assert.Error(t, json.Unmarshal([]byte(body), &c), body)
	}
	var c Children
	require.NoError(t, json.Unmarshal([]byte(`null`), &c))
	assert.Zero(t, c.Len())
}

// Metacontroller never sends a name twice; the last one counts, as for encoding/json.
func TestOfANameGivenTwiceTheLastCounts(t *testing.T) {
	var c Children
	require.NoError(t, json.Unmarshal([]byte(`{
		"ConfigMap.v1":{"lost":{"metadata":{"name":"lost"}}},
		"ConfigMap.v1":{"a":{"metadata":{"name":"lost"}},"a":{"metadata":{"name":"x","uid":"1","name":"a"},"data":{"k":"1"},"data":{"k":"2","l":"3"}}}}`), &c))
	assert.NotNil(t, c.Find("ConfigMap", "a"))
	assert.Equal(t, map[string]string{"k": "2", "l": "3"}, c.ConfigMaps["a"].Data())
	assert.Equal(t, "1", c.ConfigMaps["a"].Metadata.UID)

	var r Related
	require.NoError(t, json.Unmarshal([]byte(`{"Pod.v1":{"team/a":{"metadata":{"name":"x"}},"team/a":{"metadata":{"name":"a","labels":{"flame.xflops.io/cluster":"a"}}}}}`), &r))
	assert.Equal(t, []string{"a"}, names(r.Pods("a")))
}
