package resources

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// StatePersistent says whether the session manager's state outlives its pod. Where it
// does not, the executors have to be restarted after the session manager was: they would
// go on with sessions that it does not know. The spec is defaulted.
func StatePersistent(spec *v1alpha1.FlameClusterSpec) bool {
	switch spec.SessionManager.Storage.Type {
	case v1alpha1.StorageNone:
		return false
	case v1alpha1.StoragePostgres, v1alpha1.StorageMySQL:
		return true
	}
	return volumePersistent(spec.SessionManager.VolumeSource)
}

// volumePersistent is false for volumes that live and die with the pod.
func volumePersistent(source *corev1.VolumeSource) bool {
	return source != nil && source.EmptyDir == nil && source.Ephemeral == nil && source.CSI == nil && *source != (corev1.VolumeSource{})
}

// StateIdentity identifies where the session manager keeps its state: another storage or
// another volume holds another state. 16 hexadecimal digits.
func StateIdentity(spec *v1alpha1.FlameClusterSpec) string {
	// These types hold strings, numbers and pointers to them, which always encode.
	place, err := json.Marshal(struct {
		Storage *v1alpha1.Storage
		Volume  *corev1.VolumeSource
	}{spec.SessionManager.Storage, spec.SessionManager.VolumeSource})
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(place)
	return hex.EncodeToString(sum[:8])
}
