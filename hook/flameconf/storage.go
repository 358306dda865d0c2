package flameconf

import (
	"fmt"
	"strings"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// StoragePlaceholder stands for the storage URL in flame-cluster.yaml when the
// URL comes from a Secret. It is the whole value of cluster.storage, on the line
// "  storage: " + StoragePlaceholder, and occurs nowhere else in the file. The
// init container of the session manager replaces that line.
const StoragePlaceholder = "FLAME-STORAGE-URL-FROM-SECRET"

// ObjectsDirectory is where the object cache has to find its volume.
const ObjectsDirectory = "/var/lib/flame/cache"

// objectCacheStorage is the URL that the cache reads (object_cache/src/storage/mod.rs:60).
const objectCacheStorage = "fs://" + ObjectsDirectory

// storageURL is the storage as Flame's session manager reads it
// (session_manager/src/storage/engine/mod.rs:137). Types that no known version
// has are an error, since Flame would take their URL for an SQLite file name.
func storageURL(storage *v1alpha1.Storage) (string, error) {
	if storage.SecretRef != nil {
		return StoragePlaceholder, nil
	}
	switch storage.Type {
	case v1alpha1.StorageFilesystem:
		return "fs://" + storage.Path, nil
	case v1alpha1.StorageSQLite:
		return "sqlite://" + sqliteEscaper.Replace(storage.Path), nil
	case v1alpha1.StorageNone:
		return "none", nil
	}
	return "", fmt.Errorf("storage type %q has no URL", storage.Type)
}

// sqliteEscaper protects what sqlx would cut off or decode in a file name. No
// ?mode=rwc is needed: Flame itself asks for the file to be created
// (session_manager/src/storage/engine/sqlite.rs:63).
var sqliteEscaper = strings.NewReplacer("%", "%25", "?", "%3F")
