package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const goodCluster = `apiVersion: flame.xflops.io/v1alpha1
kind: FlameCluster
metadata: {name: good}
spec: {}
`

const badCluster = `apiVersion: flame.xflops.io/v1alpha1
kind: FlameCluster
metadata: {name: bad, namespace: team}
spec:
  replicas: -1
  sessionManager:
    polcy: fair
    retryLimit: 0
`

const warnedCluster = `apiVersion: flame.xflops.io/v1alpha1
kind: FlameCluster
metadata: {name: warned}
spec: {executorManager: {maxExecutors: 5}}
`

// call runs the command line with that standard input.
func call(t *testing.T, in string, args ...string) (code int, out, errOut string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(in), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func TestRenderReadsSeveralDocumentsAndFiles(t *testing.T) {
	other := `apiVersion: v1
kind: Secret
metadata: {name: x}
`
	file := filepath.Join(t.TempDir(), "cluster.yaml")
	require.NoError(t, os.WriteFile(file, []byte(goodCluster), 0o600))
	second := strings.Replace(goodCluster, "name: good", "name: second", 1)

	code, out, errOut := call(t, other+"---\n"+second+"---\n"+warnedCluster, "render", "-f", file, "-f", "-")
	assert.Equal(t, exitOK, code, errOut)
	for _, name := range []string{"good", "second", "warned"} {
		assert.Contains(t, out, "name: "+name+"-executor-manager\n", "the executors are included")
	}
	assert.Contains(t, errOut, "standard input, document 3 (default/warned)")
	assert.NotContains(t, out, "kind: Secret")
}

func TestAListIsAsGoodAsDocuments(t *testing.T) {
	list := `apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Secret, metadata: {name: x}}
- {apiVersion: flame.xflops.io/v1alpha1, kind: FlameCluster, metadata: {name: one}, spec: {}}
- {apiVersion: flame.xflops.io/v1alpha1, kind: FlameCluster, metadata: {name: two, namespace: team}, spec: {replicas: -1}}
`
	code, out, errOut := call(t, list, "validate", "-f", "-")
	assert.Equal(t, exitInvalid, code, errOut)
	assert.Contains(t, out, "valid: standard input, document 1 (default/one)\n")
	assert.Contains(t, out, "error: standard input, document 1 (team/two): spec.replicas")

	code, out, errOut = call(t, strings.Replace(list, "{replicas: -1}", "{}", 1), "render", "-f", "-")
	assert.Equal(t, exitOK, code, errOut)
	assert.Contains(t, out, "name: one-config\n")
	assert.Contains(t, out, "name: two-config\n")

	code, _, errOut = call(t, "{apiVersion: v1, kind: List, items: []}", "validate", "-f", "-")
	assert.Equal(t, exitInvalid, code)
	assert.Contains(t, errOut, "no FlameCluster")
}

func TestAMistypedVersionIsNotPassedOver(t *testing.T) {
	mistyped := strings.Replace(goodCluster, "v1alpha1", "v1", 1)
	code, _, errOut := call(t, goodCluster+"---\n"+mistyped, "validate", "-f", "-")
	assert.Equal(t, exitInvalid, code)
	assert.Contains(t, errOut, `standard input, document 2: apiVersion "flame.xflops.io/v1" of a FlameCluster is not flame.xflops.io/v1alpha1`)
}

func TestRenderFormats(t *testing.T) {
	code, out, _ := call(t, goodCluster, "render", "-f", "-", "-o", "json")
	assert.Equal(t, exitOK, code)
	var list struct {
		Kind  string           `json:"kind"`
		Items []map[string]any `json:"items"`
	}
	require.NoError(t, json.Unmarshal([]byte(out), &list))
	assert.Equal(t, "List", list.Kind)
	assert.Len(t, list.Items, 8)

	code, out, _ = call(t, goodCluster, "render", "-f", "-", "-o", "tree")
	assert.Equal(t, exitOK, code)
	for _, text := range []string{
		"FlameCluster good\n", "Deployment good-session-manager  1 replica\n", "xflops/flame-object-cache:v0.6.0",
		"8080 frontend, 8081 backend", "for the session manager to be available", "config  ConfigMap good-config",
	} {
		assert.Contains(t, out, text)
	}
}

func TestErrorsNameFileDocumentAndField(t *testing.T) {
	for _, command := range []string{"render", "validate"} {
		code, out, errOut := call(t, goodCluster+"---\n"+badCluster, command, "-f", "-")
		assert.Equal(t, exitInvalid, code)
		for _, text := range []string{
			"error: standard input, document 2 (team/bad): spec.replicas: ",
			"spec.sessionManager.polcy", "policy",
			"spec.sessionManager.retryLimit: ",
		} {
			assert.Contains(t, out+errOut, text, command)
		}
	}
}

func TestValidate(t *testing.T) {
	code, out, _ := call(t, warnedCluster, "validate", "-f", "-")
	assert.Equal(t, exitOK, code, "warnings alone are fine")
	assert.Contains(t, out, "warning: standard input, document 1 (default/warned): ")
	assert.Contains(t, out, "valid: standard input, document 1 (default/warned)\n")

	code, _, _ = call(t, warnedCluster, "validate", "--strict", "-f", "-")
	assert.Equal(t, exitInvalid, code)
	code, _, _ = call(t, goodCluster, "validate", "--strict", "-f", "-")
	assert.Equal(t, exitOK, code)

	code, out, _ = call(t, goodCluster+"---\n"+badCluster, "validate", "-o", "json", "-f", "-")
	assert.Equal(t, exitInvalid, code)
	var verdicts []verdict
	require.NoError(t, json.Unmarshal([]byte(out), &verdicts))
	require.Len(t, verdicts, 2)
	assert.Empty(t, verdicts[0].Errors)
	assert.Equal(t, "bad", verdicts[1].Name)
	assert.Equal(t, 2, verdicts[1].Document)
	fields := make([]string, 0, len(verdicts[1].Errors))
	for _, err := range verdicts[1].Errors {
		fields = append(fields, err.Field)
	}
	assert.Subset(t, fields, []string{"spec.replicas", "spec.sessionManager.polcy", "spec.sessionManager.retryLimit"})
}

func TestReplayAnswersARecordedRequest(t *testing.T) {
	request := filepath.Join("..", "..", "test", "golden", "requests", "v2-sync-steady.json")
	want, err := os.ReadFile(filepath.Join("..", "..", "test", "golden", "answers", "v2-sync-steady.json"))
	require.NoError(t, err)
	code, out, errOut := call(t, "", "replay", "--at", "2026-12-01T00:00:00Z", request)
	assert.Equal(t, exitOK, code, errOut)
	assert.Equal(t, string(want), out)

	body, err := os.ReadFile(request)
	require.NoError(t, err)
	code, out, _ = call(t, string(body), "replay", "--call", "customize", "-")
	assert.Equal(t, exitOK, code)
	assert.Contains(t, out, `"relatedResources"`)
	code, out, _ = call(t, string(body), "replay", "--call", "finalize", "-")
	assert.Equal(t, exitOK, code)
	assert.Contains(t, out, `"children": []`)

	code, _, errOut = call(t, "{}", "replay", "-")
	assert.Equal(t, exitInvalid, code)
	assert.Contains(t, errOut, "the parent is not a FlameCluster")
}

func TestUsageErrorsHaveTheirOwnExitCode(t *testing.T) {
	for _, args := range [][]string{
		{"render"}, {"render", "-o", "xml", "-f", "-"}, {"render", "--no-such-flag"}, {"replay"}, {"nonsense"},
		{"version", "extra"}, {"replay", "--at", "noon", "-"}, {"serve", "--log-level", "loud"},
		{"replay", "--call", "nothing", "../../test/golden/requests/v2-sync-first.json"},
	} {
		code, _, errOut := call(t, "", args...)
		assert.Equal(t, exitUsage, code, strings.Join(args, " "))
		assert.Contains(t, errOut, "--help", "the error says where to look")
	}
	_, _, errOut := call(t, "", "rendr")
	assert.Equal(t, "flame-hook: unexpected argument \"rendr\"; did you mean \"render\"?\nRun 'flame-hook --help' for usage.\n", errOut)
	_, _, errOut = call(t, "", "render", "-o", "tre")
	assert.Contains(t, errOut, "choose yaml, json or tree\nRun 'flame-hook render --help'")
}

func TestFilesMayFollowTheFlag(t *testing.T) {
	directory := t.TempDir()
	good := write(t, directory, "good.yaml", goodCluster, 0o600)
	warned := write(t, directory, "warned.yaml", warnedCluster, 0o600)
	for _, command := range []string{"render", "validate"} {
		code, out, _ := call(t, "", command, "-f", good, warned)
		assert.Equal(t, exitOK, code)
		assert.Contains(t, out, "good")
		assert.Contains(t, out, "warned")
	}
}

func TestTheShellCompletesFormatsAndFiles(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		code, out, _ := call(t, "", "completion", shell)
		assert.Equal(t, exitOK, code)
		assert.Contains(t, out, "flame-hook")
	}
	for line, want := range map[string]string{
		"render -o ":      "yaml\njson\ntree\n:4\n",
		"validate -o ":    "text\njson\n:4\n",
		"validate ":       "yaml\nyml\njson\n:8\n",
		"migrate -f ":     "yaml\nyml\njson\n:8\n",
		"replay --call s": "sync\nfinalize\ncustomize\n:4\n",
		"serve ":          ":4\n",
	} {
		code, out, _ := call(t, "", append([]string{"__completeNoDesc"}, strings.Split(line, " ")...)...)
		assert.Equal(t, exitOK, code)
		assert.Equal(t, want, out, line)
	}
}

func TestInputThatIsNone(t *testing.T) {
	for name, in := range map[string]string{
		"empty":             "",
		"another kind":      "kind: Pod\napiVersion: v1\n",
		"no YAML":           "a: [",
		"a list":            "- a\n",
		"a key given twice": strings.Replace(goodCluster, "spec: {}", "spec: {}\nspec: {}", 1),
	} {
		code, _, errOut := call(t, in, "render", "-f", "-")
		assert.Equal(t, exitInvalid, code, name)
		assert.NotEmpty(t, errOut, name)
	}
}

func TestErrorsAboutFilesSayWhatToNameInstead(t *testing.T) {
	directory, empty := t.TempDir(), t.TempDir()
	pod := write(t, directory, "pod.yaml", "kind: Pod\napiVersion: v1\n", 0o600)
	for _, command := range [][]string{{"render", "-f"}, {"validate", "-f"}, {"migrate", "-f"}, {"migrate", "--write", "-f"}, {"replay"}} {
		for file, message := range map[string]string{
			directory:           directory + " is a directory: name files in it, for instance " + filepath.Join(directory, "*.yaml"),
			empty:               empty + " is a directory, and no file in it ends in .yaml, .yml, .json: name a file",
			"no-such-file.yaml": "there is no file no-such-file.yaml: name one that exists, or - for the standard input",
		} {
			code, out, errOut := call(t, "", append(command, file)...)
			assert.Equal(t, exitInvalid, code)
			assert.Empty(t, out)
			assert.Equal(t, "flame-hook: "+message+"\n", errOut, command)
		}
		if command[0] != "replay" {
			_, _, errOut := call(t, "", append(command, pod)...)
			assert.Equal(t, "flame-hook: no FlameCluster in the input: one has apiVersion: flame.xflops.io/v1alpha1 and kind: FlameCluster\n", errOut)
		}
	}
}

func TestVersion(t *testing.T) {
	code, out, _ := call(t, "", "version")
	assert.Equal(t, exitOK, code)
	assert.Contains(t, out, "default Flame version 0.6.0")
}

func TestEveryCommandHasAnExample(t *testing.T) {
	root := newCommand()
	addCompletion(root)
	commands := append(root.Commands(), root)
	for _, command := range commands {
		assert.NotEmpty(t, command.Example, command.Name())
		assert.NotEmpty(t, command.Short, command.Name())
	}
	assert.Len(t, commands, 8)
}
