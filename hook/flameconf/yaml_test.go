package flameconf

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"
)

// FuzzYAML holds what is written directly against the library. The bytes are
// configuration that users' clusters already run with: another spelling of the same
// would write every ConfigMap anew.
func FuzzYAML(f *testing.F) {
	for _, document := range []string{
		`{"cluster":{"name":"a","endpoint":"http://a.b.svc:8080","policies":["priority","drf"],"limits":{"max_sessions":1000},"resreq":"cpu=1,mem=2Gi"}}`,
		`{"contexts":[{"name":"a","cluster":{"endpoint":"x"}}],"current-context":"a","b":[[1],{}],"c":{},"d":[]}`,
		`{"network_interface":"^(eth0|en.*)$","n":"^eth0$","flag":true,"float":1.5,"big":9223372036854775807,"neg":-1,"nothing":null}`,
		`{"texts":["yes","No","on","null","~","1","1.5","0x1f","1e3","12:30","2026-01-01","a: b","a:","a #b","- a","/a","a|b","|","a b","ü","","=","<<",".inf","nan","+1","x+1","1Gi","0x1i","1_000i","12:30i","2026-01-01i","1i","0i"]}`,
		`{"A":1,"a_b":2,"a-b":3,"a1":4,"a10":5,"a2":6,"yes":7,"_":8,"-":9,"a_":1}`,
		`{"long":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}`,
	} {
		f.Add([]byte(document))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		var tree map[string]any
		if utiljson.Unmarshal(document, &tree) != nil {
			return
		}
		requireSameYAML(t, tree)
		for name, value := range tree {
			// Each value alone, or else one odd value would hide all others.
			requireSameYAML(t, map[string]any{name: value})
			requireSameYAML(t, map[string]any{"a": value})
			if list, ok := value.([]any); ok {
				for _, element := range list {
					requireSameYAML(t, map[string]any{"a": element, "b": []any{element, map[string]any{"c": element}}})
				}
			}
		}
	})
}

func requireSameYAML(t *testing.T, tree map[string]any) {
	t.Helper()
	want, wantErr := yaml.Marshal(tree)
	got, err := marshalYAML(tree)
	require.Equal(t, wantErr, err, "control characters are not for YAML")
	document, err := json.Marshal(tree)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "%s", document)
}
