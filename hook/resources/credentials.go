package resources

import (
	_ "embed"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/flameconf"
)

// envStorage carries the connection string, to the init container alone.
const envStorage = "FLAME_STORAGE"

// storageLogFilter silences the one line in which Flame writes its storage URL to the log.
const storageLogFilter = "flame_session_manager::storage::engine=warn"

// credentialsScript uses only what is built into every POSIX shell: the images promise
// no tools.
//
//go:embed credentials.sh
var credentialsScript string

// addStorageCredentials lets the session manager read its configuration from a memory
// volume, where an init container writes it with the connection string filled in.
// Without storage.secretRef it adds nothing.
func (d *daemon) addStorageCredentials(c Cluster) {
	storage := c.Spec.SessionManager.Storage
	if storage.SecretRef == nil {
		return
	}
	d.configDir = credentialsDir
	d.logFilter = strings.TrimPrefix(d.logFilter+","+storageLogFilter, ",")
	d.volumes = append(d.volumes, corev1.Volume{Name: volumeCredentials, VolumeSource: memoryEmptyDir(credentialsSizeLimit)})
	d.mounts = append(d.mounts, corev1.VolumeMount{Name: volumeCredentials, MountPath: credentialsDir, ReadOnly: true})
	d.initContainers = append(d.initContainers, corev1.Container{
		Name:            v1alpha1.CredentialsContainer,
		Image:           d.spec.Image,
		ImagePullPolicy: d.spec.ImagePullPolicy,
		Command:         []string{"/bin/sh", "-c", credentialsScript, v1alpha1.CredentialsContainer},
		Args: []string{
			string(storage.Type), storage.SecretRef.Name, storage.SecretRef.Key,
			"  storage: " + flameconf.StoragePlaceholder,
			configDir + "/" + ConfigKey, credentialsDir + "/" + ConfigKey,
		},
		Env: []corev1.EnvVar{{
			Name:      envStorage,
			ValueFrom: &corev1.EnvVarSource{SecretKeyRef: storage.SecretRef.DeepCopy()},
		}},
		Resources: nativeResources(d.spec.Resources),
		// What the script complains about is shown in the status: it never has the value in it.
		TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError,
		SecurityContext:          containerSecurityContext(true),
		VolumeMounts: []corev1.VolumeMount{
			configMount(),
			{Name: volumeCredentials, MountPath: credentialsDir},
		},
	})
}

// nativeResources is resources without devices: an init container that asked for a GPU
// would occupy one.
func nativeResources(resources corev1.ResourceRequirements) corev1.ResourceRequirements {
	native := *resources.DeepCopy()
	native.Claims = nil
	for _, list := range []corev1.ResourceList{native.Requests, native.Limits} {
		maps.DeleteFunc(list, func(name corev1.ResourceName, _ resource.Quantity) bool {
			return name != corev1.ResourceCPU && name != corev1.ResourceMemory && name != corev1.ResourceEphemeralStorage
		})
	}
	return native
}
