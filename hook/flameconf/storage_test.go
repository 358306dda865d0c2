package flameconf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

func TestStorageURL(t *testing.T) {
	for _, test := range []struct{ storage, want string }{
		{`{}`, "fs:///var/lib/flame/session"},
		{`{type: filesystem}`, "fs:///var/lib/flame/session"},
		{`{type: filesystem, path: /var/lib/flame/session/a b}`, "fs:///var/lib/flame/session/a b"},
		{`{type: sqlite}`, "sqlite:///var/lib/flame/session/flame.db"},
		{`{type: sqlite, path: "/var/lib/flame/session/100%?.db"}`, "sqlite:///var/lib/flame/session/100%25%3F.db"},
		{`{type: none}`, "none"},
		{`{type: sqlite, secretRef: {name: s, key: k}}`, StoragePlaceholder},
	} {
		t.Run(test.storage, func(t *testing.T) {
			spec := specOf(t, `{sessionManager: {storage: `+test.storage+`}}`)
			assert.Equal(t, test.want, at(clusterOf(t, spec), "cluster", "storage"))
		})
	}
}

// Flame would take these URLs for names of SQLite files.
func TestStorageOfNoKnownVersionIsNeverRendered(t *testing.T) {
	for _, storage := range []v1alpha1.StorageType{v1alpha1.StoragePostgres, v1alpha1.StorageMySQL, "memory"} {
		spec := specOf(t, `{}`)
		spec.SessionManager.Storage.Type = storage
		_, err := Render("blue", "team", spec)
		assert.Error(t, err, storage)
	}
}

// The init container replaces one line; another occurrence would be replaced, too,
// or stay in the file.
func TestStoragePlaceholderIsOneLine(t *testing.T) {
	spec := specOf(t, `
sessionManager:
  storage: {secretRef: {name: state, key: url}}
extraConfig: {cluster: {other: {storage: text}}, alpha: {storage: text}, zulu: {storage: text}}
`)
	config := render(t, spec)
	assert.Equal(t, 1, strings.Count(config.Cluster, StoragePlaceholder))
	assert.Equal(t, 1, strings.Count(config.Cluster, "\n  storage: "+StoragePlaceholder+"\n"))
	assert.NotContains(t, config.Client, StoragePlaceholder)
	assert.NotContains(t, render(t, specOf(t, `{}`)).Cluster, StoragePlaceholder)
}

func TestStoragePlaceholderInExtraConfigIsRefused(t *testing.T) {
	for _, extra := range []string{
		`{other: {storage: FLAME-STORAGE-URL-FROM-SECRET}}`,
		`{other: "x\n  storage: FLAME-STORAGE-URL-FROM-SECRET\n"}`,
		`{other: [[{a: FLAME-STORAGE-URL-FROM-SECRET}]]}`,
		`{FLAME-STORAGE-URL-FROM-SECRET: 1}`,
	} {
		errs, _ := Check(specOf(t, `{sessionManager: {storage: {secretRef: {name: s, key: k}}}, extraConfig: `+extra+`}`))
		require.Len(t, errs, 1, extra)
		assert.Equal(t, "spec.extraConfig", errs[0].Field)

		errs, _ = Check(specOf(t, `{extraConfig: `+extra+`}`))
		assert.Empty(t, errs, "harmless without secretRef")
	}
}
