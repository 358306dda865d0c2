package flameconf

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// specOf is a spec as a user writes it, in YAML, with its defaults set.
func specOf(t *testing.T, text string) *v1alpha1.FlameClusterSpec {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	require.NoError(t, err)
	spec, _, errs := v1alpha1.DecodeSpecStrict(raw)
	require.Empty(t, errs)
	v1alpha1.SetDefaults(spec)
	return spec
}

// render renders the spec as FlameCluster "blue" in namespace "team".
func render(t *testing.T, spec *v1alpha1.FlameClusterSpec) Config {
	t.Helper()
	config, err := Render("blue", "team", spec)
	require.NoError(t, err)
	return config
}

// clusterOf is the rendered flame-cluster.yaml, parsed.
func clusterOf(t *testing.T, spec *v1alpha1.FlameClusterSpec) map[string]any {
	t.Helper()
	return parsed(t, render(t, spec).Cluster)
}

func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	var tree map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(text), &tree))
	return tree
}

// at is the value at a path of keys; nil when there is none.
func at(tree map[string]any, keys ...string) any {
	var value any = tree
	for _, key := range keys {
		fields, _ := value.(map[string]any)
		value = fields[key]
	}
	return value
}

// golden compares text with a file in testdata, which -update rewrites.
func golden(t *testing.T, text string, path ...string) {
	t.Helper()
	file := filepath.Join(append([]string{"testdata"}, path...)...)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}

// canonical is a value as JSON, for comparisons.
func canonical(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return string(text)
}
