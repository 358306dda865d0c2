package resources

import (
	"path"

	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// nodesDir is where Flame keeps the nodes, and the executors on them, below its storage directory
// (session_manager/src/storage/engine/filesystem.rs:293).
const nodesDir = "nodes"

// forgetNodesScript does not keep a session manager from starting: one that can't write
// its state says so itself.
const forgetNodesScript = `rm -rf -- "$1" || echo "nodes of the past stay scheduling targets"`

// addForgetNodes lets the session manager begin without nodes. Flame would load those
// whose executor is gone as ready, place work on them and wait for it for ever. Executors
// that are there register again. Sessions, tasks and applications stay. Only a directory
// can be cleared so: an SQLite file can't be, and with storage.secretRef nobody knows
// where the state is.
func (d *daemon) addForgetNodes(c Cluster) {
	storage := c.Spec.SessionManager.Storage
	if storage.Type != v1alpha1.StorageFilesystem || storage.SecretRef != nil {
		return
	}
	d.initContainers = append(d.initContainers, corev1.Container{
		Name:            v1alpha1.ForgetNodesContainer,
		Image:           d.spec.Image,
		ImagePullPolicy: d.spec.ImagePullPolicy,
		Command:         []string{"/bin/sh", "-c", forgetNodesScript, v1alpha1.ForgetNodesContainer},
		Args:            []string{path.Join(storage.Path, nodesDir)},
		Resources:       nativeResources(d.spec.Resources),
		SecurityContext: containerSecurityContext(true),
		VolumeMounts:    []corev1.VolumeMount{stateMount()},
	})
}

// stateMount is the session manager's state without its events.
func stateMount() corev1.VolumeMount {
	mount := subPathAt(stateDir, "session")
	mount.Name = volumeState
	return mount
}
