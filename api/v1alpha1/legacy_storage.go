package v1alpha1

import (
	"fmt"
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// TranslateLegacyStorage reads the string form of sessionManager.storage, which is
// Flame's cluster.storage: none, fs://, file:// or filesystem:// with a directory,
// sqlite: with a file. It returns the fields of a Storage as JSON has them. The
// first release mounted no volume; a path therefore moves into the one that is
// mounted now. note tells about that; it is empty when there is nothing to tell.
// Anything else, and a string with credentials, is an error at fieldPath that does
// not repeat the string.
func TranslateLegacyStorage(text string, fieldPath *field.Path) (storage map[string]any, note string, err *field.Error) {
	text = strings.TrimSpace(text)
	scheme, rest, _ := strings.Cut(text, ":")
	if text == "" {
		return map[string]any{"type": string(StorageFilesystem)}, "", nil
	}
	if text == string(StorageNone) {
		return map[string]any{"type": string(StorageNone)}, "", nil
	}
	if carriesCredentials(text) {
		return nil, "", field.Invalid(fieldPath, secrecy.NotShown,
			"carries credentials: put the connection string into a Secret and write storage: {type: ..., secretRef: {name: ..., key: ...}}")
	}
	switch scheme {
	case "sqlite":
		file, _, hasParameters := strings.Cut(strings.TrimPrefix(rest, "//"), "?")
		if file == ":memory:" {
			return map[string]any{"type": string(StorageNone)}, " (a database in memory keeps nothing)", nil
		}
		storage, note = legacyPath(StorageSQLite, file, DefaultSQLitePath)
		if hasParameters {
			note += " (parameters of the SQLite URL are dropped)"
		}
		return storage, note, nil
	case "fs", "file", "filesystem":
		if directory, isURL := strings.CutPrefix(rest, "//"); isURL {
			storage, note = legacyPath(StorageFilesystem, directory, SessionDirectory)
			return storage, note, nil
		}
	}
	if storageType, ok := connectionType(scheme); ok {
		return map[string]any{"type": string(storageType)}, "", nil
	}
	return nil, "", field.Invalid(fieldPath, secrecy.Shown(text),
		`must be written like {type: filesystem}; the string form is "none", "fs://DIRECTORY" or "sqlite://FILE"`)
}

// legacyPath puts a legacy path inside SessionDirectory. A relative one was
// relative to the daemon's working directory, which is part of the image.
func legacyPath(storageType StorageType, old, defaultPath string) (storage map[string]any, note string) {
	storage = map[string]any{"type": string(storageType)}
	inside := path.Clean(old)
	switch {
	case old == "" || inside == "/" || inside == ".":
		inside = defaultPath
	case storageType == StorageSQLite && inside == SessionDirectory:
		inside = defaultPath
	case !path.IsAbs(old):
		inside = path.Join(SessionDirectory, path.Join("/", old))
	case !insideSessionDirectory(inside):
		inside = path.Join(SessionDirectory, path.Base(inside))
	}
	if old != "" && inside != path.Clean(old) {
		note = fmt.Sprintf(" (%s moves into the volume)", secrecy.Shown(old))
	}
	if inside != defaultPath {
		storage["path"] = inside
	}
	return storage, note
}

// carriesCredentials looks for user info in a URL that has an authority (three
// slashes mean none), for the user:password@tcp(host) form of MySQL's driver, and
// for passwords in parameters. A password may have a slash in it, so an @ anywhere
// counts.
func carriesCredentials(text string) bool {
	_, rest, isURL := strings.Cut(text, "://")
	if !isURL {
		rest = text
	}
	onlyPath := isURL && strings.HasPrefix(rest, "/")
	return !onlyPath && strings.Contains(rest, "@") || secrecy.HasPassword(text)
}

// storageFlow is a translated storage as a person would write it in YAML.
func storageFlow(storage map[string]any) string {
	flow := fmt.Sprintf("{type: %v", storage["type"])
	if directory, found := storage["path"]; found {
		flow += fmt.Sprintf(", path: %q", directory)
	}
	return flow + "}"
}

// LegacyConnection says whether the string form of sessionManager.storage is the
// connection string of a database server, and of which type. Such a string belongs
// into a Secret as a whole, with or without a password in it.
func LegacyConnection(text string) (StorageType, bool) {
	scheme, _, hasScheme := strings.Cut(strings.TrimSpace(text), ":")
	if !hasScheme {
		return "", false
	}
	return connectionType(scheme)
}

func connectionType(scheme string) (StorageType, bool) {
	switch scheme {
	case "postgres", "postgresql":
		return StoragePostgres, true
	case "mysql":
		return StorageMySQL, true
	}
	return "", false
}
