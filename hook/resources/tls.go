package resources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/flameconf"
)

// Directories of the certificates.
var (
	sessionManagerTLSDir = flameconf.CertificateDirectory(v1alpha1.ComponentSessionManager)
	objectCacheTLSDir    = flameconf.CertificateDirectory(v1alpha1.ComponentObjectCache)
)

// tlsCAKey is the key of the CA in a certificate's Secret, by cert-manager's convention.
const tlsCAKey = "ca.crt"

// The keys of a certificate's Secret that a pod mounts: all to serve TLS, the CA alone
// to connect. Executors run code of users and never see a private key.
var (
	serverTLSKeys = []string{corev1.TLSCertKey, corev1.TLSPrivateKeyKey, tlsCAKey}
	clientTLSKeys = []string{tlsCAKey}
)

// addTLS mounts the given keys of a certificate's Secret; a nil Secret adds nothing.
func (d *daemon) addTLS(volume, dir string, secret *v1alpha1.TLSSecret, keys []string) {
	if secret == nil {
		return
	}
	items := make([]corev1.KeyToPath, 0, len(keys))
	for _, k := range keys {
		items = append(items, corev1.KeyToPath{Key: k, Path: k})
	}
	d.volumes = append(d.volumes, corev1.Volume{Name: volume, VolumeSource: corev1.VolumeSource{
		Secret: &corev1.SecretVolumeSource{SecretName: secret.SecretName, Items: items, DefaultMode: new(fileMode)},
	}})
	d.mounts = append(d.mounts, corev1.VolumeMount{Name: volume, MountPath: dir, ReadOnly: true})
}
