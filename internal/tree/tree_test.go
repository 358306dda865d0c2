package tree

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/hook/canonical"
)

func children(t *testing.T, spec string) []canonical.Object {
	t.Helper()
	rendering, err := hook.Render(&hook.Parent{Metadata: hook.ParentMeta{Name: "x", Namespace: "team"}, Spec: json.RawMessage(spec)})
	require.NoError(t, err)
	require.Empty(t, rendering.Errors)
	return rendering.Children
}

func TestATreeSaysWhatWaitsRunsAndIsKept(t *testing.T) {
	var text strings.Builder
	require.NoError(t, Print(&text, "x", children(t, `{
		"replicas": 3,
		"sessionManager": {"volumeSource": {"persistentVolumeClaim": {"claimName": "state"}}},
		"executorManager": {"podDisruptionBudget": {}}
	}`)))
	for _, line := range []string{
		"FlameCluster x\n",
		"├─ Deployment x-session-manager  1 replica\n│    first    forget-nodes  ",
		"│    volume   state  PersistentVolumeClaim state\n",
		"├─ Deployment x-executor-manager  3 replicas\n│    waits    for the session manager to be available\n",
		"├─ Service x-session-manager  ClusterIP 8080 frontend, 8081 backend\n",
		"└─ PodDisruptionBudget x-executor-manager  at most 1 unavailable\n",
	} {
		assert.Contains(t, text.String(), line)
	}
}

func TestColoursAreForTerminals(t *testing.T) {
	all := children(t, "{}")
	var plain, coloured strings.Builder
	require.NoError(t, Print(&plain, "x", all))
	require.NoError(t, printWith(&coloured, palette{coloured: true}, "x", all))
	assert.NotContains(t, plain.String(), "\x1b")
	assert.Contains(t, coloured.String(), "\x1b[36mDeployment\x1b[0m \x1b[1mx-session-manager\x1b[0m  1 replica\n")
	assert.Equal(t, plain.String(), regexp.MustCompile("\x1b\\[[0-9]+m").ReplaceAllString(coloured.String(), ""))

	file, err := os.Create(filepath.Join(t.TempDir(), "tree"))
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	assert.False(t, paletteOf(file).coloured)

	terminal, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // a character device, as a terminal is
	require.NoError(t, err)
	defer func() { _ = terminal.Close() }()
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	assert.True(t, paletteOf(terminal).coloured)
	t.Setenv("NO_COLOR", "1")
	assert.False(t, paletteOf(terminal).coloured)
}
