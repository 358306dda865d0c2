package v1alpha1

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// ValidateUpdate checks what can't change from one spec to the next. Both have
// their defaults set; old is the last one that was accepted, or nil. annotations
// are those of the FlameCluster.
func ValidateUpdate(old, updated *FlameClusterSpec, annotations map[string]string) field.ErrorList {
	if old == nil || updated == nil || annotations[AnnotationAllowStateLoss] == "true" {
		return nil
	}
	if old.Version == updated.Version || storageType(old) != StorageSQLite || storageType(updated) != StorageSQLite {
		return nil
	}
	return field.ErrorList{field.Forbidden(specPath.Child("version"), fmt.Sprintf(
		"can't change from %s to %s with sqlite storage: Flame refuses the database of another version. Keep the version, take storage type filesystem, or set the annotation %s to \"true\" and give a new storage.path",
		secrecy.Shown(old.Version), secrecy.Shown(updated.Version), AnnotationAllowStateLoss))}
}

func storageType(spec *FlameClusterSpec) StorageType {
	if spec.SessionManager.Storage == nil {
		return ""
	}
	return spec.SessionManager.Storage.Type
}
