package resources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// Defaults of the API server inside lists that have no key for Metacontroller. It
// replaces such a list as a whole, so what is left out would look like drift.
const (
	defaultFieldAPIVersion             = "v1"
	defaultTokenExpirationSeconds      = int64(3600)
	defaultCertificateMaxExpirySeconds = int32(86400)
)

// spellOutDefaults writes those defaults into a pod template that users have added to.
// Where the list has a key, they are written all the same: the pods then say what they
// run with. So is the one default that follows from another field: left out, the pull
// policy for an earlier image would stay.
func spellOutDefaults(template *corev1.PodTemplateSpec) {
	for i := range template.Spec.Volumes {
		spellOutVolume(&template.Spec.Volumes[i])
	}
	for _, containers := range [][]corev1.Container{template.Spec.InitContainers, template.Spec.Containers} {
		for i := range containers {
			if containers[i].ImagePullPolicy == "" {
				containers[i].ImagePullPolicy = v1alpha1.DefaultPullPolicy(containers[i].Image)
			}
			for j := range containers[i].Env {
				if from := containers[i].Env[j].ValueFrom; from != nil {
					spellOutFieldRef(from.FieldRef)
				}
			}
		}
	}
}

func spellOutVolume(volume *corev1.Volume) {
	if volume.VolumeSource == (corev1.VolumeSource{}) {
		volume.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	if volume.DownwardAPI != nil {
		spellOutDownwardAPI(volume.DownwardAPI.Items)
	}
	if volume.Projected == nil {
		return
	}
	if volume.Projected.DefaultMode == nil {
		volume.Projected.DefaultMode = new(fileMode)
	}
	for i := range volume.Projected.Sources {
		source := &volume.Projected.Sources[i]
		if t := source.ServiceAccountToken; t != nil && t.ExpirationSeconds == nil {
			t.ExpirationSeconds = new(defaultTokenExpirationSeconds)
		}
		if c := source.PodCertificate; c != nil && c.MaxExpirationSeconds == nil {
			c.MaxExpirationSeconds = new(defaultCertificateMaxExpirySeconds)
		}
		if source.DownwardAPI != nil {
			spellOutDownwardAPI(source.DownwardAPI.Items)
		}
	}
}

func spellOutDownwardAPI(items []corev1.DownwardAPIVolumeFile) {
	for i := range items {
		spellOutFieldRef(items[i].FieldRef)
	}
}

func spellOutFieldRef(ref *corev1.ObjectFieldSelector) {
	if ref != nil && ref.APIVersion == "" {
		ref.APIVersion = defaultFieldAPIVersion
	}
}
