package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBillNamesWhatIsInside(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "crd")
	output, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "../crd").CombinedOutput()
	require.NoError(t, err, "%s", output)
	out := filepath.Join(t.TempDir(), "sbom.json")
	require.NoError(t, run(binary, "1.2.3", out))
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	var got bill
	require.NoError(t, json.Unmarshal(text, &got))
	assert.Equal(t, "CycloneDX", got.Format)
	assert.Equal(t, "v1.2.3", got.Metadata.Component.Version)

	versions := map[string]string{}
	for _, c := range got.Components {
		versions[c.Name] = c.Version
		assert.Equal(t, "pkg:golang/"+c.Name+"@"+c.Version, c.PURL)
	}
	assert.Len(t, versions, len(got.Components), "each module once")
	assert.Equal(t, strings.TrimPrefix(runtime.Version(), "go"), versions["std"])
	assert.NotEmpty(t, versions["sigs.k8s.io/yaml"])

	again := filepath.Join(t.TempDir(), "sbom.json")
	require.NoError(t, run(binary, "1.2.3", again))
	repeated, err := os.ReadFile(again)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(repeated))
}

func TestBillOfAnotherFile(t *testing.T) {
	assert.Error(t, run("main_test.go", "1.2.3", filepath.Join(t.TempDir(), "sbom.json")))
}
