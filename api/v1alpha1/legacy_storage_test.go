package v1alpha1

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Whatever the string, the state ends up inside the mounted volume.
func TestTranslateLegacyStorage(t *testing.T) {
	tests := map[string]struct {
		want map[string]any
		note string
	}{
		"":                                  {map[string]any{"type": "filesystem"}, ""},
		"none":                              {map[string]any{"type": "none"}, ""},
		"sqlite://flame.db":                 {map[string]any{"type": "sqlite"}, " (flame.db moves into the volume)"},
		"sqlite:flame.db":                   {map[string]any{"type": "sqlite"}, " (flame.db moves into the volume)"},
		"sqlite://data/other.db":            {map[string]any{"type": "sqlite", "path": "/var/lib/flame/session/data/other.db"}, " (data/other.db moves into the volume)"},
		"sqlite://../../etc/x.db":           {map[string]any{"type": "sqlite", "path": "/var/lib/flame/session/etc/x.db"}, " (../../etc/x.db moves into the volume)"},
		"sqlite:///data/x.db":               {map[string]any{"type": "sqlite", "path": "/var/lib/flame/session/x.db"}, " (/data/x.db moves into the volume)"},
		"sqlite:///var/lib/flame/session/x": {map[string]any{"type": "sqlite", "path": "/var/lib/flame/session/x"}, ""},
		"sqlite://flame.db?mode=rwc":        {map[string]any{"type": "sqlite"}, " (flame.db moves into the volume) (parameters of the SQLite URL are dropped)"},
		"sqlite::memory:":                   {map[string]any{"type": "none"}, " (a database in memory keeps nothing)"},
		"sqlite://":                         {map[string]any{"type": "sqlite"}, ""},
		"fs:///var/lib/flame/session":       {map[string]any{"type": "filesystem"}, ""},
		"fs:///var/lib/flame/session/a":     {map[string]any{"type": "filesystem", "path": "/var/lib/flame/session/a"}, ""},
		"file:///data":                      {map[string]any{"type": "filesystem", "path": "/var/lib/flame/session/data"}, " (/data moves into the volume)"},
		"filesystem://state":                {map[string]any{"type": "filesystem", "path": "/var/lib/flame/session/state"}, " (state moves into the volume)"},
		"fs:///":                            {map[string]any{"type": "filesystem"}, " (/ moves into the volume)"},
		"postgres://db/flame":               {map[string]any{"type": "postgres"}, ""},
		"postgresql://db/flame":             {map[string]any{"type": "postgres"}, ""},
		"mysql://db/flame":                  {map[string]any{"type": "mysql"}, ""},
		"sqlite:///var/lib/flame/session":   {map[string]any{"type": "sqlite"}, " (/var/lib/flame/session moves into the volume)"},
	}
	for text, test := range tests {
		t.Run(text, func(t *testing.T) {
			storage, note, err := TranslateLegacyStorage(text, field.NewPath("storage"))
			require.Nil(t, err)
			assert.Equal(t, test.want, storage)
			assert.Equal(t, test.note, note)
		})
	}
}

func TestTranslateLegacyStorageRefuses(t *testing.T) {
	for _, text := range []string{"memory", "NONE", "redis://host", "fs:relative", "/data/flame.db", "flame.db", "http://host"} {
		_, _, err := TranslateLegacyStorage(text, field.NewPath("storage"))
		assert.NotNil(t, err, text)
	}
}

func TestCredentialsAreNeverRepeated(t *testing.T) {
	for _, connection := range []string{
		"postgres://user:S3cret@host/db", "postgresql://user:S3cret@host:5432/db?sslmode=disable", "mysql://user:S3cret@host/db",
		"user:S3cret@tcp(host:3306)/db", "host=h user=u password=S3cret dbname=d", "postgres://host/db?password=S3cret",
		"postgres://host/db?user=u&PASSWORD=S3cret", "sqlite://user:S3cret@host/x.db", "redis://:S3cret@host", "S3cret@host",
		"postgres://user:S3cret@ho st/db", "postgres://user:a/S3cret@host/db", "sqlite://user:a/S3cret@host/x.db", "mssql://host;pwd=S3cret",
	} {
		for _, raw := range []string{
			`{"sessionManager":{"storage":` + quoted(connection) + `}}`,
			`{"sessionManager":{"storage":{"path":` + quoted(connection) + `}}}`,
			`{"sessionManager":{"storage":{"type":` + quoted(connection) + `}}}`,
			`{"sessionManager":{"storage":{"secretRef":{"name":` + quoted(connection) + `,"key":` + quoted(connection) + `}}}}`,
			`{"sessionManager":{"storage":[` + quoted(connection) + `]}}`,
			`{"sessionManager":{"slot":` + quoted(connection) + `}}`,
			`{"sessionManager":{"slot":{"cpu":` + quoted(connection) + `}}}`,
			`{"sessionManager":{"scheduleInterval":` + quoted(connection) + `}}`,
			`{"sessionManager":{"resources":{"requests":{` + quoted(connection) + `:"1"}}}}`,
			`{"sessionManager":{"resources":{"limits":{` + quoted(connection) + `:"-1"}}}}`,
			`{"sessionManager":{"service":{"labels":{` + quoted(connection) + `:` + quoted(connection) + `}}}}`,
			`{"networkPolicy":{"clients":[{"podSelector":{"matchLabels":{"a":` + quoted(connection) + `}}}]}}`,
			`{"networkPolicy":{"clients":[{"podSelector":{"matchExpressions":[{"key":"a","operator":"In","values":[` + quoted(connection) + `]}]}}]}}`,
			`{"networkPolicy":{"clients":[{"podSelector":{"matchExpressions":[{"key":"a","operator":` + quoted(connection) + `}]}}]}}`,
			`{"networkPolicy":{"clients":[{"namespaceSelector":{"matchExpressions":[{"key":` + quoted(connection) + `,"operator":"Exists"}]}}]}}`,
			`{` + quoted(connection) + `:1,"sessionManager":{"slot":{}}}`,
		} {
			spec, warnings, errs := DecodeSpec([]byte(raw))
			_, _, strict := DecodeSpecStrict([]byte(raw))
			errs = append(errs, strict...)
			errs = append(errs, Validate("flame", spec)...)
			assert.NotEmpty(t, errs, raw)
			assert.NotContains(t, strings.Join(append(texts(errs), warnings...), "\n"), "S3cret", raw)
		}
	}
}

func TestCredentialsBelongIntoASecret(t *testing.T) {
	_, _, errs := DecodeSpec([]byte(`{"sessionManager":{"storage":"postgres://u:p@h/d"}}`))
	assert.Equal(t, []string{`spec.sessionManager.storage: Invalid value: "(not shown)": carries credentials: put the connection string into a Secret and write storage: {type: ..., secretRef: {name: ..., key: ...}}`}, texts(errs))
}

func TestLegacyCacheStorageWasInsideTheContainer(t *testing.T) {
	for _, text := range []string{"/data", "fs:///data", "none", "cache", "/", "postgres://u:"} {
		spec, warnings, errs := DecodeSpec([]byte(`{"objectCache":{"storage":` + quoted(text) + `}}`))
		require.Empty(t, errs)
		require.Len(t, warnings, 1, text)
		SetDefaults(spec)
		assert.Equal(t, &corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}, spec.ObjectCache.VolumeSource, text)
		assert.Empty(t, spec.ObjectCache.Storage)
	}
}

func quoted(text string) string { return `"` + text + `"` }
