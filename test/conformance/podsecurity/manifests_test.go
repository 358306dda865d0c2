package podsecurity

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/pod-security-admission/api"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// tree holds the CRD and the manifests in memory, so that kustomizations can be added.
func tree(t *testing.T) filesys.FileSystem {
	t.Helper()
	memory := filesys.MakeFsInMemory()
	root := filepath.Join("..", "..", "..")
	for _, directory := range []string{"crd", "manifests"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, directory), func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			relative, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			return memory.WriteFile(filepath.ToSlash(relative), text)
		}))
	}
	return memory
}

// hookPods builds the base with components and returns its Deployments.
func hookPods(t *testing.T, components ...string) []appsv1.Deployment {
	t.Helper()
	memory := tree(t)
	text := "resources: [../base]\ncomponents: [../components/" + strings.Join(components, ", ../components/") + "]\n"
	require.NoError(t, memory.WriteFile("manifests/with/kustomization.yaml", []byte(text)))
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(memory, "manifests/with")
	require.NoError(t, err)
	var found []appsv1.Deployment
	for _, resource := range resources.Resources() {
		text, err := resource.AsYAML()
		require.NoError(t, err)
		switch resource.GetKind() {
		case "Deployment":
			var deployment appsv1.Deployment
			require.NoError(t, yaml.UnmarshalStrict(text, &deployment))
			found = append(found, deployment)
		case "Pod", "DaemonSet", "StatefulSet", "Job", "CronJob", "ReplicaSet":
			t.Errorf("the test does not know how to look into a %s", resource.GetKind())
		}
	}
	require.NotEmpty(t, found)
	return found
}

func TestHookPods(t *testing.T) {
	entries, err := os.ReadDir("../../../manifests/components")
	require.NoError(t, err)
	var all []string
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	require.Greater(t, len(all), 5)
	sets := map[string][]string{"all together": all}
	for _, component := range all {
		sets[component] = []string{component}
	}
	for name, components := range sets {
		t.Run(name, func(t *testing.T) {
			for _, deployment := range hookPods(t, components...) {
				assert.Empty(t, objections(t, api.LevelRestricted, deployment.Spec.Template), deployment.Name)
			}
		})
	}
}
