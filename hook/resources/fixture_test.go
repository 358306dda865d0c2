package resources

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/flameconf"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// decodeSpec reads a spec in YAML and sets its defaults. The spec must be valid.
func decodeSpec(t testing.TB, text string) *v1alpha1.FlameClusterSpec {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	require.NoError(t, err)
	spec, _, errs := v1alpha1.DecodeSpecStrict(raw)
	require.Empty(t, errs)
	require.Empty(t, v1alpha1.Validate("demo", spec))
	v1alpha1.SetDefaults(spec)
	return spec
}

// newCluster is a cluster named "demo" in namespace "flame" with executors wanted.
func newCluster(t testing.TB, spec *v1alpha1.FlameClusterSpec) Cluster {
	t.Helper()
	config, err := flameconf.Render("demo", "flame", spec)
	require.NoError(t, err)
	return Cluster{
		Name: "demo", Namespace: "flame", Spec: spec, Config: config,
		LastGood:  LastGood{Spec: "{}", Generation: 1},
		Executors: Executors{Wanted: true, Replicas: *spec.Replicas},
	}
}

func children(t testing.TB, spec string) []Object {
	t.Helper()
	return allChildren(t, newCluster(t, decodeSpec(t, spec)))
}

func allChildren(t testing.TB, c Cluster) []Object {
	t.Helper()
	objects, err := Children(c)
	require.NoError(t, err)
	executors, err := ExecutorChildren(c)
	require.NoError(t, err)
	return append(objects, executors...)
}

// find returns the child of type T and that name.
func find[T Object](t testing.TB, objects []Object, name string) T {
	t.Helper()
	for _, o := range objects {
		if typed, ok := o.(T); ok && o.GetName() == name {
			return typed
		}
	}
	var none T
	require.Failf(t, "missing child", "no %T %s", none, name)
	return none
}

// names are the children of type T by name.
func names[T Object](objects []Object) []string {
	var names []string
	for _, o := range objects {
		if _, ok := o.(T); ok {
			names = append(names, o.GetName())
		}
	}
	return names
}

func deployments(t testing.TB, spec string) map[v1alpha1.Component]*appsv1.Deployment {
	t.Helper()
	byComponent := map[v1alpha1.Component]*appsv1.Deployment{}
	for _, o := range children(t, spec) {
		if d, ok := o.(*appsv1.Deployment); ok {
			byComponent[v1alpha1.Component(d.Labels[v1alpha1.LabelComponent])] = d
		}
	}
	return byComponent
}

func container(t testing.TB, d *appsv1.Deployment) *corev1.Container {
	t.Helper()
	require.NotNil(t, d)
	c := daemonContainer(&d.Spec.Template, v1alpha1.Component(d.Labels[v1alpha1.LabelComponent]))
	require.NotNil(t, c)
	return c
}

// envValue is the value of a variable, or "unset".
func envValue(c *corev1.Container, name string) string {
	for _, e := range c.Env {
		if e.Name == name {
			return e.Value
		}
	}
	return "unset"
}

// toYAML writes objects as YAML documents, without the empty status that Go types have.
func toYAML(t testing.TB, objects ...any) string {
	t.Helper()
	var documents []string
	for _, o := range objects {
		encoded, err := json.Marshal(o)
		require.NoError(t, err)
		var tree map[string]any
		require.NoError(t, json.Unmarshal(encoded, &tree))
		delete(tree, "status")
		text, err := yaml.Marshal(tree)
		require.NoError(t, err)
		documents = append(documents, string(text))
	}
	return strings.Join(documents, "---\n")
}

// requireGolden compares text with a file below testdata; -update rewrites it.
func requireGolden(t *testing.T, text string, file ...string) {
	t.Helper()
	name := filepath.Join(append([]string{"testdata"}, file...)...)
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		return
	}
	golden, err := os.ReadFile(name)
	require.NoError(t, err, "run the test with -update to write it")
	assert.Equal(t, string(golden), text)
}

// inputs are the cases of a directory below testdata: every NAME.yaml that is no golden file.
func inputs(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", dir, "*.yaml"))
	require.NoError(t, err)
	cases := map[string]string{}
	for _, f := range files {
		if strings.HasSuffix(f, ".golden.yaml") {
			continue
		}
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		cases[strings.TrimSuffix(filepath.Base(f), ".yaml")] = string(text)
	}
	require.NotEmpty(t, cases)
	return cases
}

func asAny(objects []Object) []any {
	out := make([]any, len(objects))
	for i, o := range objects {
		out[i] = o
	}
	return out
}

// withValue puts a value in the place of the only %s in a spec.
func withValue(spec, value string) string { return strings.ReplaceAll(spec, "%s", value) }
