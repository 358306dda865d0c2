package migrate

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/hook/resources"
)

// parents are the FlameClusters of a file, those of a List included.
func parents(t testing.TB, raw []byte) []hook.Parent {
	t.Helper()
	var found []hook.Parent
	for _, s := range split(raw) {
		d, err := parse(s)
		require.NoError(t, err)
		object, _ := d.tree.(map[string]any)
		objects, isList := object["items"].([]any)
		if !isList {
			objects = []any{object}
		}
		for _, object := range objects {
			asJSON, err := json.Marshal(object)
			require.NoError(t, err)
			var parent hook.Parent
			if json.Unmarshal(asJSON, &parent) != nil || parent.Kind != v1alpha1.Kind || parent.APIVersion != v1alpha1.GroupVersion.String() {
				continue
			}
			if parent.Metadata.Namespace == "" {
				parent.Metadata.Namespace = "default"
			}
			found = append(found, parent)
		}
	}
	return found
}

// children are what a FlameCluster gets, by kind and name. The record of the last
// good spec, which no pod reads, is compared by what it means.
func children(t *testing.T, parent hook.Parent) map[string]string {
	t.Helper()
	rendering, err := hook.Render(&parent)
	require.NoError(t, err)
	require.Empty(t, rendering.Errors)
	byName := map[string]string{}
	for _, child := range rendering.Children {
		raw, err := child.MarshalJSON()
		require.NoError(t, err)
		var object struct {
			Kind     string `json:"kind"`
			Metadata struct{ Name string }
			Data     map[string]string `json:"data"`
		}
		require.NoError(t, json.Unmarshal(raw, &object))
		if object.Metadata.Name == resources.LastGoodName(parent.Metadata.Name) {
			spec, _, errs := v1alpha1.DecodeSpec([]byte(object.Data["spec"]))
			require.Empty(t, errs)
			v1alpha1.SetDefaults(spec)
			raw, err = json.Marshal(spec)
			require.NoError(t, err)
		}
		byName[object.Kind+" "+object.Metadata.Name] = string(raw)
	}
	return byName
}

// Whoever applies the new form of a manifest changes nothing that runs: every pod
// template stays as it was, down to the byte.
func TestMigratingChangesNoChild(t *testing.T) {
	compared := 0
	for name, old := range cases(t) {
		m, _ := File(old)
		if m == nil || m.Secrets != nil {
			continue // nothing to compare: the old form was refused
		}
		t.Run(name, func(t *testing.T) {
			before, after := parents(t, old), parents(t, m.Text)
			require.Len(t, after, len(before))
			for i := range before {
				want, got := children(t, before[i]), children(t, after[i])
				require.NotEmpty(t, want)
				assert.Equal(t, want, got)
				compared++

				rendering, err := hook.Render(&after[i])
				require.NoError(t, err)
				assert.NotContains(t, strings.Join(rendering.Warnings, "\n"), "deprecated", "nothing is left to migrate")
			}
		})
	}
	assert.Greater(t, compared, 10)
}

// A FlameCluster whose string carried a connection string is refused before, so it
// has no children to keep; afterwards nothing of the string is in the manifest.
func TestConnectionStringsLeaveTheManifest(t *testing.T) {
	for name, old := range cases(t) {
		m, _ := File(old)
		if m == nil || m.Secrets == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, parent := range parents(t, old) {
				judgement := hook.Judge(parent.Metadata.Name, parent.Spec)
				if bytes.Contains(parent.Spec, []byte("://")) {
					assert.NotEmpty(t, judgement.Errors)
				}
			}
			for _, parent := range parents(t, m.Text) {
				assert.NotContains(t, string(parent.Spec), "://")
			}
		})
	}
}
