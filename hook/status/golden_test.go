package status

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const goldenDirectory = "testdata/situations"

var notAName = regexp.MustCompile(`[^a-z0-9]+`)

func fileOf(situation string) string {
	return strings.Trim(notAName.ReplaceAllString(strings.ToLower(situation), "-"), "-") + ".yaml"
}

// A FlameCluster in each situation, as `kubectl get -o yaml` shows it. The test-only
// modules hold the same files against what kstatus and Argo CD make of them.
func TestSituations(t *testing.T) {
	wanted := map[string]bool{}
	for _, s := range situations() {
		wanted[fileOf(s.name)] = true
		t.Run(s.name, func(t *testing.T) {
			cluster := v1alpha1.FlameCluster{
				TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: v1alpha1.Kind},
				ObjectMeta: metav1.ObjectMeta{
					Name: s.world.Parent.Name, Namespace: s.world.Parent.Namespace, Generation: s.world.Parent.Generation,
					CreationTimestamp: metav1.NewTime(s.world.Parent.CreationTimestamp),
				},
				Status: *s.world.compute(t),
			}
			if s.world.Spec != nil {
				cluster.Spec.Suspend = s.world.Spec.Suspend
			}
			if s.world.Parent.Deleting {
				since := at(0)
				cluster.DeletionTimestamp = &since
			}
			got, err := yaml.Marshal(cluster)
			require.NoError(t, err)
			path := filepath.Join(goldenDirectory, fileOf(s.name))
			if *update {
				require.NoError(t, os.MkdirAll(goldenDirectory, 0o755))
				require.NoError(t, os.WriteFile(path, got, 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(got))
		})
	}
	files, err := os.ReadDir(goldenDirectory)
	require.NoError(t, err)
	for _, file := range files {
		if wanted[file.Name()] {
			continue
		}
		if *update {
			require.NoError(t, os.Remove(filepath.Join(goldenDirectory, file.Name())))
			continue
		}
		t.Errorf("%s belongs to no situation", file.Name())
	}
}
