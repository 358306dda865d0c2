package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const oldCluster = `apiVersion: flame.xflops.io/v1alpha1
kind: FlameCluster
metadata: {name: old, namespace: team}
spec:
  # The workers.
  executorManager:
    replicas: 3  # three
    shim: host
`

const newCluster = `apiVersion: flame.xflops.io/v1alpha1
kind: FlameCluster
metadata: {name: old, namespace: team}
spec:
  replicas: 3  # three
  # The workers.
  executorManager:
    shim: host
`

const oldConnection = `apiVersion: flame.xflops.io/v1alpha1
kind: FlameCluster
metadata: {name: data, namespace: team}
spec: {sessionManager: {storage: "postgres://flame:hunter2@db/flame"}}
`

func write(t *testing.T, directory, name, content string, mode fs.FileMode) string {
	t.Helper()
	file := filepath.Join(directory, name)
	require.NoError(t, os.WriteFile(file, []byte(content), mode))
	return file
}

func read(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(content)
}

func TestMigratePrints(t *testing.T) {
	code, out, errOut := call(t, oldCluster, "migrate", "-f", "-")
	assert.Equal(t, exitOK, code)
	assert.Equal(t, newCluster, out)
	assert.Equal(t, "changed: standard input, line 7, document 1 (team/old): spec.executorManager.replicas: moved to spec.replicas\n", errOut)

	code, out, errOut = call(t, newCluster, "migrate", "-f", "-")
	assert.Equal(t, exitOK, code)
	assert.Equal(t, newCluster, out)
	assert.Equal(t, "unchanged: standard input: nothing to migrate\n", errOut)
}

func TestMigratePrintsSecretsAndFilesAsDocuments(t *testing.T) {
	directory := t.TempDir()
	first := write(t, directory, "a.yaml", strings.TrimSuffix(oldConnection, "\n"), 0o600)
	second := write(t, directory, "b.yaml", "---\n"+oldCluster, 0o600)
	code, out, errOut := call(t, "", "migrate", "-f", first, second, first)
	require.Equal(t, exitOK, code, errOut)
	parts := strings.Split(out, "---\n")
	require.Len(t, parts, 3)
	assert.Contains(t, parts[0], "kind: Secret\n")
	assert.Contains(t, parts[0], "url: postgres://flame:hunter2@db/flame\n")
	assert.Contains(t, parts[1], "{type: postgres, secretRef: {name: data-storage, key: url}}}}\n")
	assert.Equal(t, newCluster, parts[2])
	assert.NotContains(t, errOut, "hunter2")
}

func TestMigrateWritesInPlace(t *testing.T) {
	directory := t.TempDir()
	file := write(t, directory, "cluster.yaml", oldCluster, 0o640)
	link := filepath.Join(directory, "link.yaml")
	require.NoError(t, os.Symlink("cluster.yaml", link))

	code, out, errOut := call(t, "", "migrate", "--write", "-f", link)
	assert.Equal(t, exitOK, code)
	assert.Empty(t, out)
	assert.Contains(t, errOut, "written: "+link+"\n")
	assert.Equal(t, newCluster, read(t, file))
	info, err := os.Lstat(file)
	require.NoError(t, err)
	assert.Equal(t, fs.FileMode(0o640), info.Mode(), "the permissions stay")
	info, err = os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&fs.ModeSymlink, "the link stays")

	code, _, errOut = call(t, "", "migrate", "--write", "-f", file)
	assert.Equal(t, exitOK, code)
	assert.Equal(t, "unchanged: "+file+": nothing to migrate\n", errOut)
	entries, err := os.ReadDir(directory)
	require.NoError(t, err)
	assert.Len(t, entries, 2, "nothing else is left behind")
}

func TestMigrateWritesSecretsBesideAndOverwritesNone(t *testing.T) {
	directory := t.TempDir()
	file := write(t, directory, "data.yaml", oldConnection, 0o644)
	secrets := write(t, directory, "data.secrets.yaml", "precious", 0o644)
	other := write(t, directory, "other.yaml", oldCluster, 0o644)

	code, _, errOut := call(t, "", "migrate", "--write", "-f", other, "-f", file)
	assert.Equal(t, exitInvalid, code)
	assert.Contains(t, errOut, secrets+" is there already")
	assert.Equal(t, "precious", read(t, secrets))
	assert.Equal(t, oldConnection, read(t, file))
	assert.Equal(t, oldCluster, read(t, other), "nothing was written at all")

	require.NoError(t, os.Remove(secrets))
	code, _, errOut = call(t, "", "migrate", "--write", "-f", other, "-f", file)
	assert.Equal(t, exitOK, code)
	assert.Contains(t, errOut, "written: "+secrets+": Secrets")
	assert.Contains(t, read(t, secrets), "hunter2")
	assert.NotContains(t, read(t, file), "hunter2")
	info, err := os.Stat(secrets)
	require.NoError(t, err)
	assert.Equal(t, fs.FileMode(0o600), info.Mode())
}

func TestMigrateKeepsTheSecretsOfTwoFilesApart(t *testing.T) {
	directory := t.TempDir()
	first := write(t, directory, "data.yaml", oldConnection, 0o644)
	second := write(t, directory, "data.yml", strings.ReplaceAll(oldConnection, "hunter2", "hunter3"), 0o644)
	code, _, errOut := call(t, "", "migrate", "--write", "-f", first, "-f", second)
	assert.Equal(t, exitInvalid, code)
	assert.Contains(t, errOut, "data.secrets.yaml")
	assert.Contains(t, errOut, "nothing was written")
	assert.Equal(t, oldConnection, read(t, first))
	assert.NoFileExists(t, filepath.Join(directory, "data.secrets.yaml"))
}

func TestMigrateRefusesAsAWhole(t *testing.T) {
	directory := t.TempDir()
	good := write(t, directory, "good.yaml", oldCluster, 0o600)
	bad := write(t, directory, "bad.yaml", strings.Replace(oldConnection, "postgres", "oracle", 1), 0o600)
	code, out, errOut := call(t, "", "migrate", "--write", "-f", good, "-f", bad)
	assert.Equal(t, exitInvalid, code)
	assert.Empty(t, out)
	assert.Contains(t, errOut, "error: "+bad+", line 4, document 1 (team/data): spec.sessionManager.storage: ")
	assert.Contains(t, errOut, "put the connection string into a Secret")
	assert.NotContains(t, errOut, "hunter2")
	assert.Equal(t, oldCluster, read(t, good))
}

func TestMigrateNeedsInput(t *testing.T) {
	for _, args := range [][]string{{"migrate"}, {"migrate", "--write", "-f", "-"}} {
		code, _, errOut := call(t, "", args...)
		assert.Equal(t, exitUsage, code)
		assert.Contains(t, errOut, "--help")
	}
	for _, in := range []string{"", "kind: Pod\napiVersion: v1\n", "a: ["} {
		code, out, errOut := call(t, in, "migrate", "-f", "-")
		assert.Equal(t, exitInvalid, code)
		assert.Empty(t, out)
		assert.NotEmpty(t, errOut)
	}
	code, _, errOut := call(t, "", "migrate", "-f", "no-such-file.yaml")
	assert.Equal(t, exitInvalid, code)
	assert.Contains(t, errOut, "no-such-file.yaml")
}
