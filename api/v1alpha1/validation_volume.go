package v1alpha1

import (
	"fmt"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// validateVolumeSource checks what is easily got wrong. The API server checks the
// rest when the Deployment is applied.
func validateVolumeSource(source *corev1.VolumeSource, path *field.Path) field.ErrorList {
	if source == nil {
		return nil
	}
	path = path.Child("volumeSource")
	if count := membersSet(*source); count != 1 {
		return field.ErrorList{field.Invalid(path, field.OmitValueType{},
			fmt.Sprintf("must have exactly one kind of volume, not %d; leave volumeSource out for an emptyDir", count))}
	}
	switch {
	case source.PersistentVolumeClaim != nil:
		return validateRequiredName(source.PersistentVolumeClaim.ClaimName, path.Child("persistentVolumeClaim"), "claimName", "the claim")
	case source.HostPath != nil:
		return validateHostPath(source.HostPath.Path, path.Child("hostPath", "path"))
	case source.EmptyDir != nil && source.EmptyDir.SizeLimit != nil && source.EmptyDir.SizeLimit.Sign() < 0:
		return field.ErrorList{field.Invalid(path.Child("emptyDir", "sizeLimit"), source.EmptyDir.SizeLimit.String(), "must not be negative")}
	case source.Ephemeral != nil && source.Ephemeral.VolumeClaimTemplate == nil:
		return field.ErrorList{field.Required(path.Child("ephemeral", "volumeClaimTemplate"), "give the claim that each pod gets")}
	}
	return nil
}

func validateHostPath(directory string, path *field.Path) field.ErrorList {
	if !strings.HasPrefix(directory, "/") || hasSegment(directory, "..") {
		return field.ErrorList{field.Invalid(path, secrecy.Shown(directory), "must be an absolute path without the segment ..")}
	}
	return nil
}

// validateSharedClaim refuses one claim behind several pods, which would write into
// the same directory, and on most storage could not even start on two nodes.
func validateSharedClaim(source *corev1.VolumeSource, replicas int32, path *field.Path) field.ErrorList {
	if source == nil || source.PersistentVolumeClaim == nil || replicas <= 1 {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("volumeSource", "persistentVolumeClaim"), field.OmitValueType{},
		fmt.Sprintf("one claim can't serve %d pods: use ephemeral, which gives each pod its own, or one replica", replicas))}
}

// membersSet counts the pointers of a union type of Kubernetes that are set.
func membersSet(union any) int {
	value, count := reflect.ValueOf(union), 0
	for i := range value.NumField() {
		if value.Field(i).Kind() == reflect.Pointer && !value.Field(i).IsNil() {
			count++
		}
	}
	return count
}
