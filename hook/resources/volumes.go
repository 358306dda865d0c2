package resources

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/flameconf"
)

// Names of the pods' volumes.
const (
	volumeConfig            = "config"
	volumeCredentials       = "credentials"
	volumeState             = "state"
	volumeObjects           = "objects"
	volumeWork              = "work"
	volumeLogs              = "logs"
	volumeTmp               = "tmp"
	volumeRun               = "run"
	volumeHome              = "home"
	volumeSessionManagerTLS = "session-manager-tls"
	volumeObjectCacheTLS    = "object-cache-tls"
)

// Directories in the pods. Flame's images, its built-in defaults and the configuration
// that is rendered for it decide them.
const (
	flameHome      = "/usr/local/flame"
	configDir      = "/etc/flame"
	credentialsDir = "/run/flame"
	stateDir       = v1alpha1.SessionDirectory
	eventsDir      = flameHome + "/events"
	logsDir        = flameHome + "/logs"
	workDir        = flameHome + "/work"
	dataDir        = flameHome + "/data"
	objectsDir     = flameconf.ObjectsDirectory
	runDir         = "/var/flame"
	tmpDir         = "/tmp"
	homeDir        = "/home/flame"
)

// fileMode of mounted configuration and certificates is what the API server would set.
const fileMode int32 = 0o644

// logsSizeLimit bounds the log files, which Flame never removes. Reaching it evicts the pod.
var logsSizeLimit = resource.MustParse("1Gi")

// credentialsSizeLimit holds the largest configuration that fits into a ConfigMap.
var credentialsSizeLimit = resource.MustParse("4Mi")

// addVolume adds a volume and its mounts, which get their name from it.
func (d *daemon) addVolume(name string, source corev1.VolumeSource, mounts ...corev1.VolumeMount) {
	d.volumes = append(d.volumes, corev1.Volume{Name: name, VolumeSource: source})
	for _, m := range mounts {
		m.Name = name
		d.mounts = append(d.mounts, m)
	}
}

func mountAt(dir string) corev1.VolumeMount { return corev1.VolumeMount{MountPath: dir} }

// subPathAt mounts a directory of the volume: the root of an ext4 volume holds
// lost+found, which stops Flame from starting.
func subPathAt(dir, subPath string) corev1.VolumeMount {
	return corev1.VolumeMount{MountPath: dir, SubPath: subPath}
}

func emptyDir() corev1.VolumeSource {
	return corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}
}

func limitedEmptyDir(limit resource.Quantity) corev1.VolumeSource {
	return corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: new(limit)}}
}

func memoryEmptyDir(limit resource.Quantity) corev1.VolumeSource {
	return corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory, SizeLimit: new(limit)}}
}

// configVolume mounts the ConfigMap as a directory.
func configVolume(c Cluster) corev1.VolumeSource {
	return corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
		LocalObjectReference: corev1.LocalObjectReference{Name: ConfigName(c.Name)},
		DefaultMode:          new(fileMode),
	}}
}

func configMount() corev1.VolumeMount {
	return corev1.VolumeMount{Name: volumeConfig, MountPath: configDir, ReadOnly: true}
}
