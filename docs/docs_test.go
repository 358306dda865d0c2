// Package docs_test holds the documentation to what is there: links, files, commands and
// manifests.
package docs_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
)

var (
	link    = regexp.MustCompile(`(?:\]\(|src=")([^)"\s]+)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notSlug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	// Files of the repository; an upper-case word stands for a name of one's own.
	repositoryFile = regexp.MustCompile(`^(api|cmd|crd|docs|examples|hook|internal|manifests|test|tools)/[a-z0-9_./-]+$`)
)

// anchors are what GitHub makes of the headings of a file.
func anchors(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var found []string
	for _, match := range heading.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
		found = append(found, strings.ReplaceAll(notSlug.ReplaceAllString(strings.ToLower(match[1]), ""), " ", "-"))
	}
	return found
}

func TestLinksAndFilesExist(t *testing.T) {
	for _, p := range pages(t) {
		for _, match := range link.FindAllStringSubmatch(p.prose, -1) {
			target, anchor, hasAnchor := strings.Cut(match[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := p.file
			if target != "" {
				file = filepath.Join(filepath.Dir(p.file), target)
			}
			_, err := os.Stat(file)
			if assert.NoError(t, err, p.file) && hasAnchor {
				assert.Contains(t, anchors(t, file), anchor, "%s: %s", p.file, match[1])
			}
		}
		for _, span := range p.spans() {
			if repositoryFile.MatchString(span) {
				_, err := os.Stat(filepath.Join("..", span))
				assert.NoError(t, err, p.file)
			}
		}
	}
}

func TestMakeTargetsExist(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	require.NoError(t, err)
	for _, p := range pages(t) {
		for _, c := range p.commands("make") {
			for _, word := range strings.Fields(c.line)[1:] {
				if !strings.Contains(word, "=") {
					assert.Regexp(t, "(?m)^"+regexp.QuoteMeta(word)+":", string(makefile), "%s: %s", p.file, c.line)
				}
			}
		}
	}
}

var (
	subcommand  = regexp.MustCompile(`flame-hook (\w+)((?: --?[a-z-]+)*)`)
	placeholder = regexp.MustCompile(`\b[A-Z]{2,}\b`)
)

// Each page gets a directory with the examples and with files of the first release,
// which are called as the page on migration calls its own. What can't be run there is
// checked for its command and flags.
func TestCommandsWork(t *testing.T) {
	bin := t.TempDir()
	build, err := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(bin, "flame-hook"), "../cmd/flame-hook").CombinedOutput()
	require.NoError(t, err, string(build))
	for _, p := range pages(t) {
		directory := t.TempDir()
		require.NoError(t, os.CopyFS(directory, os.DirFS("testdata")))
		require.NoError(t, os.CopyFS(filepath.Join(directory, "examples"), os.DirFS("../examples")))
		require.NoError(t, os.CopyFS(filepath.Join(directory, "bin"), os.DirFS(bin)))
		for _, c := range p.commands("flame-hook") {
			line := c.line
			switch call := strings.TrimSuffix(subcommand.FindString(line), " -f"); {
			case strings.Contains(line, "kubectl"):
				line = call + " --help"
				t.Logf("%s: needs a cluster: %s", p.file, c.line)
			case placeholder.MatchString(line), line == call:
				line = call + " --help"
				t.Logf("%s: names no file: %s", p.file, c.line)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			shell := exec.CommandContext(ctx, "sh", "-c", line)
			shell.Dir = directory
			shell.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			output, err := shell.CombinedOutput()
			cancel()
			assert.NoError(t, err, "%s: %s\n%s", p.file, line, output)
			if c.shown && line == c.line {
				assert.Equal(t, c.output, strings.TrimSpace(string(output)), "%s: %s", p.file, line)
			}
		}
	}
}

var manifest = regexp.MustCompile(`(?m)^(apiVersion|spec):`)

func TestFlameClustersAreValid(t *testing.T) {
	judged := 0
	for _, p := range pages(t) {
		for _, block := range p.blocks {
			if !manifest.MatchString(block) {
				continue
			}
			for _, document := range strings.Split(block, "\n---\n") {
				var object struct {
					Kind string          `json:"kind"`
					Spec json.RawMessage `json:"spec"`
				}
				require.NoError(t, yaml.Unmarshal([]byte(document), &object), "%s:\n%s", p.file, document)
				if object.Kind != "" && object.Kind != v1alpha1.Kind {
					continue
				}
				judged++
				judgement := hook.JudgeStrictly("example", object.Spec)
				assert.Empty(t, judgement.Errors, "%s:\n%s", p.file, document)
			}
		}
	}
	require.Positive(t, judged)
}
