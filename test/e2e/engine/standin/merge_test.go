package standin

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	k8sjson "k8s.io/apimachinery/pkg/util/json"
)

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	require.NoError(t, k8sjson.Unmarshal([]byte(text), &o.Object))
	return o
}

// How Metacontroller compares: what is desired against what the API server stored,
// when the same was applied before. A difference is a write in each sync.
func TestSteadyState(t *testing.T) {
	tests := []struct {
		name           string
		stored, wanted string
		same           bool
	}{
		{"identical", `{"spec":{"replicas":3}}`, `{"spec":{"replicas":3}}`, true},
		{"a default that was not asked for", `{"spec":{"replicas":3,"paused":false}}`, `{"spec":{"replicas":3}}`, true},
		{"quantity in another form", `{"spec":{"cpu":"1"}}`, `{"spec":{"cpu":"1000m"}}`, false},
		{"number instead of a quantity", `{"spec":{"cpu":"1"}}`, `{"spec":{"cpu":1}}`, false},
		{"float instead of an integer", `{"spec":{"replicas":3}}`, `{"spec":{"replicas":3.0}}`, false},
		{"emptyDir null", `{"v":{"emptyDir":{}}}`, `{"v":{"emptyDir":null}}`, true},
		{"emptyDir empty", `{"v":{"emptyDir":{}}}`, `{"v":{"emptyDir":{}}}`, true},
		{"null instead of absent", `{"spec":{"a":1}}`, `{"spec":{"a":1,"b":null}}`, false},
		{"empty list instead of absent", `{"spec":{"a":1}}`, `{"spec":{"a":1,"env":[]}}`, false},
		{"empty map instead of absent", `{"spec":{"a":1}}`, `{"spec":{"a":1,"nodeSelector":{}}}`, false},
		{"empty map instead of defaults", `{"spec":{"strategy":{"type":"RollingUpdate"}}}`, `{"spec":{"strategy":{}}}`, true},
		{"null instead of a plain list", `{"spec":{"args":["x"]}}`, `{"spec":{"args":null}}`, false},
		{"null instead of a keyed list", `{"spec":{"env":[{"name":"A","value":"1"}]}}`, `{"spec":{"env":null}}`, true},
		{"empty value of a variable", `{"spec":{"env":[{"name":"A"}]}}`, `{"spec":{"env":[{"name":"A","value":""}]}}`, false},
		{"metadata of the system", `{"metadata":{"uid":"1","resourceVersion":"5"}}`, `{"metadata":{"uid":"2","creationTimestamp":null,"resourceVersion":"1"}}`, true},
		{"status", `{"status":{"a":1}}`, `{"status":{"b":2}}`, true},
		{"defaults in a list with keys", `{"spec":{"ports":[{"name":"a","port":1,"protocol":"TCP"}]}}`, `{"spec":{"ports":[{"name":"a","port":1}]}}`, true},
		{"defaults in a list without keys", `{"spec":{"rules":[{"ports":[{"protocol":"TCP","port":1}],"x":1}]}}`, `{"spec":{"rules":[{"ports":[{"port":1}],"x":1}]}}`, false},
		{"an injected container", `{"spec":{"containers":[{"name":"a"},{"name":"sidecar"}]}}`, `{"spec":{"containers":[{"name":"a"}]}}`, true},
		{"another order of a keyed list", `{"spec":{"env":[{"name":"A"},{"name":"B"}]}}`, `{"spec":{"env":[{"name":"B"},{"name":"A"}]}}`, true},
		{"another order of a plain list", `{"spec":{"args":["a","b"]}}`, `{"spec":{"args":["b","a"]}}`, false},
		{"text where a map is stored", `{"spec":{"a":{"b":1}}}`, `{"spec":{"a":"b"}}`, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stored, wanted := object(t, test.stored), object(t, test.wanted)
			require.NoError(t, setLastApplied(stored, wanted.Object))
			updated, err := updatedObject(stored, wanted)
			require.NoError(t, err)
			if test.same {
				assert.Equal(t, stored.Object, updated.Object)
			} else {
				assert.NotEqual(t, stored.Object, updated.Object)
			}
		})
	}
}

// What an edit makes of a stored object.
func TestMerge(t *testing.T) {
	tests := []struct{ name, stored, applied, wanted, result string }{
		{"a field that is no longer wanted", `{"s":{"a":1,"b":2}}`, `{"s":{"a":1,"b":2}}`, `{"s":{"a":1}}`, `{"s":{"a":1}}`},
		{"a field of somebody else", `{"s":{"a":1,"b":2}}`, `{"s":{"a":1}}`, `{"s":{"a":3}}`, `{"s":{"a":3,"b":2}}`},
		{"a renamed variable", `{"env":[{"name":"A"},{"name":"OLD"}]}`, `{"env":[{"name":"A"},{"name":"OLD"}]}`, `{"env":[{"name":"NEW"},{"name":"A"}]}`, `{"env":[{"name":"A"},{"name":"NEW"}]}`},
		{"the port is the key before the name", `{"ports":[{"name":"a","port":80,"nodePort":3}]}`, `{"ports":[{"name":"a","port":80}]}`, `{"ports":[{"name":"b","port":80}]}`, `{"ports":[{"name":"b","port":80,"nodePort":3}]}`},
		{"what was applied is not known", `{"ports":[{"name":"a","port":80}]}`, `{}`, `{"ports":[{"name":"a","port":8080}]}`, `{"ports":[{"name":"a","port":80},{"name":"a","port":8080}]}`},
		{"plain lists are replaced", `{"args":["a","b"]}`, `{"args":["a","b"]}`, `{"args":["c"]}`, `{"args":["c"]}`},
		{"one item without the key makes a list plain", `{"l":[{"name":"a","x":1},{"y":2}]}`, `{}`, `{"l":[{"name":"a"}]}`, `{"l":[{"name":"a"}]}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result := merged(object(t, test.stored).Object, object(t, test.applied).Object, object(t, test.wanted).Object)
			assert.Equal(t, object(t, test.result).Object, result)
		})
	}
}
