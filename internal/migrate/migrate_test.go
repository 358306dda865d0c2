package migrate

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// cases are the old manifests, by the name of their directory in testdata.
func cases(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/*/old.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	old := map[string][]byte{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		old[filepath.Base(filepath.Dir(file))] = raw
	}
	return old
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if got == "" {
			_ = os.Remove(file)
			return
		}
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644)) //nolint:gosec // a golden file is for everybody to read
		return
	}
	want, err := os.ReadFile(file)
	if got != "" {
		require.NoError(t, err, "a new case: run the test with -update and read the file")
	}
	assert.Equal(t, string(want), got)
}

func TestFile(t *testing.T) {
	for name, old := range cases(t) {
		t.Run(name, func(t *testing.T) {
			m, problems := File(old)
			var notes strings.Builder
			print := func(kind string, n Note) {
				fmt.Fprintf(&notes, "%s: line %d, document %d (%s): %s: %s\n", kind, n.Line, n.Document, n.Object, n.Field, n.Message)
			}
			for _, p := range problems {
				print("error", p)
			}
			if m == nil {
				m = &Migration{}
			}
			for _, c := range m.Changes {
				print("changed", c)
			}
			directory := filepath.Join("testdata", name)
			compare(t, filepath.Join(directory, "new.yaml"), string(m.Text))
			compare(t, filepath.Join(directory, "secrets.yaml"), string(m.Secrets))
			compare(t, filepath.Join(directory, "notes.txt"), notes.String())
			assert.NotContains(t, notes.String(), "hunter2", "no message repeats a password")
		})
	}
}

func TestFileKeepsTheLineBreaksOfWindows(t *testing.T) {
	windows := func(text []byte) string { return strings.ReplaceAll(string(text), "\n", "\r\n") }
	for name, old := range cases(t) {
		want, _ := File(old)
		got, _ := File([]byte(windows(old)))
		if want == nil {
			assert.Nil(t, got, name)
			continue
		}
		require.NotNil(t, got, name)
		assert.Equal(t, windows(want.Text), string(got.Text), name)
		assert.Equal(t, want.Changes, got.Changes, name)
		assert.Equal(t, string(want.Secrets), string(got.Secrets), name)
	}
}

// A second run finds nothing to do.
func TestFileTwice(t *testing.T) {
	for name, old := range cases(t) {
		m, _ := File(old)
		if m == nil {
			continue
		}
		again, problems := File(m.Text)
		require.Empty(t, problems, name)
		assert.Empty(t, again.Changes, name)
		assert.Empty(t, again.Secrets, name)
		assert.Equal(t, string(m.Text), string(again.Text), name)
	}
}
