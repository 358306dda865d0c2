// Package golden holds what every example gets and how every recorded request is
// answered, as files: a change that would restart somebody's pods shows up in
// review. Run the tests with -update to write them anew, and read the difference.
package golden

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/hook"
)

var update = flag.Bool("update", false, "write the golden files anew")

// recordedAt is the time at which the recorded requests are answered.
var recordedAt = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)

func compare(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, got, 0o644)) //nolint:gosec // a golden file is for everybody to read
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "a new case: run the test with -update and read the file")
	assert.Equal(t, string(want), string(got))
}

func files(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, found, pattern)
	return found
}

func TestExamples(t *testing.T) {
	for _, file := range append(files(t, "../../examples/*.yaml"), files(t, "../../examples/gitops/cluster/*.yaml")...) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.True(t, strings.HasPrefix(string(raw), "# "), "an example says first when to use it")
			var rendered bytes.Buffer
			for _, parent := range flameClusters(t, raw) {
				rendering, err := hook.Render(&parent)
				require.NoError(t, err)
				require.Empty(t, rendering.Errors)
				for _, warning := range rendering.Warnings {
					rendered.WriteString("# warning: " + warning + "\n")
				}
				for _, child := range rendering.Children {
					asJSON, err := child.MarshalJSON()
					require.NoError(t, err)
					asYAML, err := yaml.JSONToYAML(asJSON)
					require.NoError(t, err)
					rendered.WriteString("---\n" + string(asYAML))
				}
			}
			compare(t, strings.TrimPrefix(filepath.ToSlash(file), "../../"), rendered.Bytes())
		})
	}
}

func flameClusters(t *testing.T, raw []byte) []hook.Parent {
	t.Helper()
	var parents []hook.Parent
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(raw)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			require.NotEmpty(t, parents)
			return parents
		}
		require.NoError(t, err)
		var parent hook.Parent
		require.NoError(t, yaml.Unmarshal(document, &parent))
		if parent.Kind != "FlameCluster" {
			continue
		}
		if parent.Metadata.Namespace == "" {
			parent.Metadata.Namespace = "default"
		}
		parents = append(parents, parent)
	}
}

func TestRecordedRequests(t *testing.T) {
	for _, file := range files(t, "requests/*.json") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			body, err := os.ReadFile(file)
			require.NoError(t, err)
			answer := answerTo(t, file, body)
			require.Equal(t, string(answer), string(answerTo(t, file, body)), "the same request gets the same bytes")
			var indented bytes.Buffer
			require.NoError(t, json.Indent(&indented, answer, "", "  "))
			compare(t, filepath.Join("answers", filepath.Base(file)), append(indented.Bytes(), '\n'))
		})
	}
}

func answerTo(t *testing.T, file string, body []byte) []byte {
	t.Helper()
	request, err := hook.DecodeRequest(body)
	require.NoError(t, err)
	var answer interface{ Encode() ([]byte, error) }
	if strings.Contains(file, "customize") {
		answer, err = hook.Customize(request)
	} else {
		answer, err = hook.Sync(request, recordedAt)
	}
	require.NoError(t, err)
	encoded, err := answer.Encode()
	require.NoError(t, err)
	return encoded
}
