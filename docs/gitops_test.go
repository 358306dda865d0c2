package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
)

// gitOps is what Argo CD and Flux say about where manifests are, and what is in them.
type gitOps struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
	Spec struct {
		Path      string
		Source    struct{ Path string }
		SourceRef struct{ Kind, Name string }

		IgnoreDifferences []struct {
			Group, Kind  string
			JSONPointers []string
		}
	} `json:"spec"`
}

// Argo CD and Flux take FlameClusters from directories that exist, in which there is
// nothing but valid FlameClusters that leave replicas to others.
func TestGitOpsExamplesPointToFlameClusters(t *testing.T) {
	files, err := filepath.Glob("../examples/gitops/*.yaml")
	require.NoError(t, err)
	require.Len(t, files, 2)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(text), "# "), "an example says first when to use it")
		sources, paths := map[string]bool{}, 0
		for _, document := range strings.Split(string(text), "\n---\n") {
			require.NoError(t, yaml.UnmarshalStrict([]byte(document), &map[string]any{}), file)
			var object gitOps
			require.NoError(t, yaml.Unmarshal([]byte(document), &object), file)
			sources[object.Kind+"/"+object.Metadata.Name] = true
			if ref := object.Spec.SourceRef; ref.Name != "" {
				assert.True(t, sources[ref.Kind+"/"+ref.Name], "%s: no %s %s", file, ref.Kind, ref.Name)
			}
			for _, ignored := range object.Spec.IgnoreDifferences {
				assert.Equal(t, v1alpha1.GroupVersion.Group, ignored.Group)
				assert.Equal(t, v1alpha1.Kind, ignored.Kind)
				assert.Equal(t, []string{"/spec/replicas"}, ignored.JSONPointers)
			}
			if path := object.Spec.Path + object.Spec.Source.Path; path != "" {
				paths++
				requireFlameClusters(t, filepath.Join("..", path))
			}
		}
		assert.Equal(t, 1, paths, file)
	}
}

func requireFlameClusters(t *testing.T, directory string) {
	t.Helper()
	files, err := os.ReadDir(directory)
	require.NoError(t, err)
	require.NotEmpty(t, files, directory)
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(directory, file.Name()))
		require.NoError(t, err)
		var parent hook.Parent
		require.NoError(t, yaml.Unmarshal(text, &parent))
		assert.Equal(t, v1alpha1.GroupVersion.String(), parent.APIVersion)
		judgement := hook.JudgeStrictly(parent.Metadata.Name, parent.Spec)
		assert.Empty(t, judgement.Errors, file.Name())
		spec, _, _ := v1alpha1.DecodeSpec(parent.Spec)
		assert.Nil(t, spec.Replicas, "an autoscaler sets them")
	}
}
