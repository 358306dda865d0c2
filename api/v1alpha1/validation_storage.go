package v1alpha1

import (
	"path"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// storagePath has no character that means something in a URL of Flame's.
var storagePath = regexp.MustCompile(`^/[A-Za-z0-9._/-]*$`)

func validateStorage(storage *Storage, fieldPath *field.Path) field.ErrorList {
	if storage == nil {
		return nil
	}
	fieldPath = fieldPath.Child("storage")
	errs := validateEnum(storage.Type, fieldPath, "type",
		StorageFilesystem, StorageSQLite, StorageNone, StoragePostgres, StorageMySQL)
	errs = append(errs, validateStoragePath(storage, fieldPath)...)
	errs = append(errs, validateStorageSecret(storage, fieldPath)...)
	return errs
}

func validateStoragePath(storage *Storage, fieldPath *field.Path) field.ErrorList {
	file := storage.Path
	if file == "" {
		return nil
	}
	errs := validateLength(file, maxText, fieldPath, "path")
	fieldPath = fieldPath.Child("path")
	switch {
	case storage.SecretRef != nil:
		errs = append(errs, field.Forbidden(fieldPath, "give path or secretRef, not both: the Secret holds the whole connection string"))
	case storage.Type == StorageNone:
		errs = append(errs, field.Forbidden(fieldPath, `has no meaning for type none; remove it, or take type filesystem or sqlite`))
	case storage.Type == StoragePostgres || storage.Type == StorageMySQL:
		errs = append(errs, field.Forbidden(fieldPath, "has no meaning for a database server; its connection string belongs into a Secret: use secretRef"))
	}
	switch {
	case !storagePath.MatchString(file) || hasSegment(file, ".", ".."):
		errs = append(errs, field.Invalid(fieldPath, secrecy.Shown(file), "must be an absolute path of letters, digits, ., _ and -, without the segments . and .."))
	case !insideSessionDirectory(file):
		errs = append(errs, field.Invalid(fieldPath, secrecy.Shown(file), "must be inside "+SessionDirectory+", where sessionManager.volumeSource is mounted"))
	case storage.Type == StorageSQLite && (strings.HasSuffix(file, "/") || path.Clean(file) == SessionDirectory):
		errs = append(errs, field.Invalid(fieldPath, secrecy.Shown(file), `must be a file for type sqlite, such as "`+DefaultSQLitePath+`"`))
	}
	return errs
}

func validateStorageSecret(storage *Storage, fieldPath *field.Path) field.ErrorList {
	secret := storage.SecretRef
	if secret == nil {
		return nil
	}
	fieldPath = fieldPath.Child("secretRef")
	var errs field.ErrorList
	if storage.Type == StorageNone {
		errs = append(errs, field.Forbidden(fieldPath, "has no meaning for type none"))
	}
	errs = append(errs, validateRequiredName(secret.Name, fieldPath, "name", "the Secret")...)
	errs = append(errs, validateSecretKey(secret, fieldPath.Child("key"))...)
	return errs
}

func validateSecretKey(secret *corev1.SecretKeySelector, fieldPath *field.Path) field.ErrorList {
	if secret.Key == "" {
		return field.ErrorList{field.Required(fieldPath, "name the key of the Secret that holds the connection string")}
	}
	if len(validation.IsConfigMapKey(secret.Key)) > 0 {
		return field.ErrorList{field.Invalid(fieldPath, secrecy.Shown(secret.Key), "must be a key of a Secret: at most 253 letters, digits, -, _ and .")}
	}
	return nil
}

func insideSessionDirectory(file string) bool {
	file = path.Clean(file)
	return file == SessionDirectory || strings.HasPrefix(file, SessionDirectory+"/")
}

// hasSegment says whether one of the segments stands between the slashes of a path.
func hasSegment(file string, segments ...string) bool {
	for segment := range strings.SplitSeq(file, "/") {
		if slices.Contains(segments, segment) {
			return true
		}
	}
	return false
}
