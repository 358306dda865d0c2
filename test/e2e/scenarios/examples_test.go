package scenarios

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/test/e2e/hookprocess"
	"github.com/xflops/flame-operator/test/e2e/install"
	"github.com/xflops/flame-operator/test/e2e/sandbox"
)

// allExamples are the names of all files that have a FlameCluster.
func allExamples(t *testing.T) []string {
	t.Helper()
	root, err := hookprocess.Repository()
	require.NoError(t, err)
	var names []string
	for _, pattern := range []string{"*.yaml", "gitops/cluster/*.yaml"} {
		files, err := filepath.Glob(filepath.Join(root, "examples", pattern))
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			name, err := filepath.Rel(filepath.Join(root, "examples"), file)
			require.NoError(t, err)
			names = append(names, strings.TrimSuffix(name, ".yaml"))
		}
	}
	return names
}

// applyExample applies all objects of an example, and returns its FlameCluster.
// Whatever namespace they name, they go to the given one.
func applyExample(t *testing.T, e *environment, namespace, example string) *flameCluster {
	t.Helper()
	objects, err := sandbox.Manifests("examples/" + example + ".yaml")
	require.NoError(t, err)
	found := install.OfKind(objects, "FlameCluster")
	require.Len(t, found, 1)
	c := reference(t, e, namespace, found[0].GetName())
	for _, o := range objects {
		switch o.GetKind() {
		case "FlameCluster":
			continue
		case "Namespace":
			setLabels(t, namespace, o.GetLabels())
			continue
		case "Certificate":
			issue(t, namespace, o)
		}
		o.SetNamespace(namespace)
		require.NoError(t, bed.sandbox.Apply(bed.ctx, o))
	}
	require.NoError(t, c.createObject(found[0]))
	return c
}

func setLabels(t *testing.T, namespace string, labels map[string]string) {
	t.Helper()
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": labels}})
	require.NoError(t, err)
	_, err = bed.kube.CoreV1().Namespaces().Patch(bed.ctx, namespace, types.MergePatchType, patch, metav1.PatchOptions{})
	require.NoError(t, err)
}

// issue creates the Secret that cert-manager would make for a Certificate.
func issue(t *testing.T, namespace string, certificate *unstructured.Unstructured) {
	t.Helper()
	name, _, err := unstructured.NestedString(certificate.Object, "spec", "secretName")
	require.NoError(t, err)
	createSecret(t, namespace, name, corev1.SecretTypeTLS, map[string]string{"tls.crt": "certificate", "tls.key": "private", "ca.crt": "authority"})
}

// Every example comes up, and is then at rest: its templates hold what the API server
// likes to spell differently.
func TestExamplesComeToRest(t *testing.T) {
	t.Parallel()
	for _, example := range allExamples(t) {
		t.Run(example, func(t *testing.T) {
			inEachMode(t, func(t *testing.T, e *environment) {
				c := applyExample(t, e, newNamespace(t, nil), example)
				c.waitRunning()
				start := time.Now()
				c.nudge("again")
				time.Sleep(2 * time.Second)
				require.Empty(t, c.engineWrites(start), "writes of a sync that has nothing to change")
			})
		})
	}
}

// The API server takes what Argo CD and Flux are told. What is in the directory that they
// are pointed to is an example like all others.
func TestGitOpsExamplesAreAccepted(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t, nil)
	for _, file := range []string{"examples/gitops/argo-cd.yaml", "examples/gitops/flux.yaml"} {
		objects, err := sandbox.Manifests(file)
		require.NoError(t, err)
		for _, o := range objects {
			o.SetNamespace(namespace)
			require.NoError(t, bed.sandbox.Apply(bed.ctx, o), "%s: %s", file, o.GetKind())
		}
	}
}
