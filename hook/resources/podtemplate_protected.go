package resources

import (
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/internal/secrecy"
)

// checkProtected refuses what the cluster would not work with: other labels than the
// selectors', another command or configuration, other mounts, another host name.
func checkProtected(user *corev1.PodTemplateSpec, d daemon, at *field.Path) field.ErrorList {
	errs := checkMetadata(&user.ObjectMeta, at.Child("metadata"))
	for i, v := range user.Spec.Volumes {
		if slices.ContainsFunc(d.volumes, func(own corev1.Volume) bool { return own.Name == v.Name }) {
			errs = append(errs, field.Forbidden(at.Child("spec", "volumes").Index(i), "the volume "+v.Name+" is generated: use volumeSource, or another name"))
		}
	}
	for i := range user.Spec.InitContainers {
		errs = append(errs, checkGeneratedInitContainer(&user.Spec.InitContainers[i], d, at.Child("spec", "initContainers").Index(i))...)
	}
	for i := range user.Spec.Containers {
		c, path := &user.Spec.Containers[i], at.Child("spec", "containers").Index(i)
		switch c.Name {
		case string(d.component):
			errs = append(errs, checkDaemonContainer(c, d, path)...)
		case v1alpha1.CredentialsContainer, v1alpha1.ForgetNodesContainer:
			errs = append(errs, field.Forbidden(path.Child("name"), "the name belongs to a generated init container"))
		}
	}
	if d.component == v1alpha1.ComponentExecutorManager {
		const reason = "Flame tells executors apart by the host name, which has to be the pod's"
		if user.Spec.Hostname != "" {
			errs = append(errs, field.Forbidden(at.Child("spec", "hostname"), reason))
		}
		if user.Spec.HostnameOverride != nil {
			errs = append(errs, field.Forbidden(at.Child("spec", "hostnameOverride"), reason))
		}
		if user.Spec.SetHostnameAsFQDN != nil && *user.Spec.SetHostnameAsFQDN {
			errs = append(errs, field.Forbidden(at.Child("spec", "setHostnameAsFQDN"), reason))
		}
	}
	return errs
}

func checkMetadata(meta *metav1.ObjectMeta, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	rest := *meta
	rest.Labels, rest.Annotations = nil, nil
	if !reflect.DeepEqual(rest, metav1.ObjectMeta{}) {
		errs = append(errs, field.Forbidden(at, "only labels and annotations can be set"))
	}
	for _, key := range slices.Sorted(maps.Keys(meta.Labels)) {
		errs = append(errs, checkMetadataKey(key, at.Child("labels"))...)
		for _, problem := range validation.IsValidLabelValue(meta.Labels[key]) {
			errs = append(errs, field.Invalid(at.Child("labels").Key(secrecy.Shown(key)), secrecy.Shown(meta.Labels[key]), problem))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(meta.Annotations)) {
		errs = append(errs, checkMetadataKey(key, at.Child("annotations"))...)
	}
	return errs
}

func checkMetadataKey(key string, at *field.Path) field.ErrorList {
	if v1alpha1.ReservedKey(key) {
		return field.ErrorList{field.Forbidden(at.Key(key), "belongs to the controller; use another key")}
	}
	var errs field.ErrorList
	for _, problem := range validation.IsQualifiedName(strings.ToLower(key)) {
		errs = append(errs, field.Invalid(at.Key(secrecy.Shown(key)), secrecy.Shown(key), problem))
	}
	return errs
}

// checkGeneratedInitContainer leaves only the resources of a generated init container to
// the user: everything else could bring the connection string to light, or remove other
// files than the nodes.
func checkGeneratedInitContainer(c *corev1.Container, d daemon, at *field.Path) field.ErrorList {
	if c.Name != v1alpha1.CredentialsContainer && c.Name != v1alpha1.ForgetNodesContainer {
		return nil
	}
	if findContainer(d.initContainers, c.Name) == nil {
		return field.ErrorList{field.Forbidden(at.Child("name"), "the name belongs to a generated init container, which this daemon's pod does not have")}
	}
	rest := *c.DeepCopy()
	rest.Name, rest.Resources = "", corev1.ResourceRequirements{}
	if reflect.DeepEqual(rest, corev1.Container{}) {
		return nil
	}
	return field.ErrorList{field.Forbidden(at, "only the resources of the init container "+c.Name+" can be set")}
}

func checkDaemonContainer(c *corev1.Container, d daemon, at *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(c.Command) > 0 {
		errs = append(errs, field.Forbidden(at.Child("command"), "the image's own entry point starts the daemon; to run another program, build an image"))
	}
	if own := daemonArgs(d); len(c.Args) > 0 && !(len(c.Args) >= len(own) && slices.Equal(c.Args[:len(own)], own)) {
		errs = append(errs, field.Forbidden(at.Child("args"), "must begin with "+strings.Join(own, " ")+", the generated configuration; use extraConfig to change it"))
	}
	if c.WorkingDir != "" && c.WorkingDir != d.workingDir {
		errs = append(errs, field.Forbidden(at.Child("workingDir"), "must be "+d.workingDir+", where the daemon looks for its files"))
	}
	for i, e := range c.Env {
		if advice, reserved := v1alpha1.ReservedEnv(e.Name); reserved {
			errs = append(errs, field.Forbidden(at.Child("env").Index(i), e.Name+": "+advice))
		}
	}
	for i, p := range c.Ports {
		own := slices.IndexFunc(d.ports, func(own corev1.ContainerPort) bool { return own.ContainerPort == p.ContainerPort })
		if own < 0 {
			continue
		}
		if p.Protocol != "" && p.Protocol != corev1.ProtocolTCP {
			errs = append(errs, field.Forbidden(at.Child("ports").Index(i).Child("protocol"), "the daemon's port is TCP"))
		}
		if p.Name != "" && p.Name != d.ports[own].Name {
			errs = append(errs, field.Forbidden(at.Child("ports").Index(i).Child("name"), "the daemon's port is called "+d.ports[own].Name))
		}
	}
	for i, m := range c.VolumeMounts {
		errs = append(errs, checkMount(m.MountPath, d, at.Child("volumeMounts").Index(i).Child("mountPath"))...)
	}
	return errs
}

// checkMount refuses a mount in the place of a generated one, and for those with
// configuration or certificates one above or below them too.
func checkMount(mountPath string, d daemon, at *field.Path) field.ErrorList {
	mountPath = path.Clean(mountPath)
	for _, own := range d.mounts {
		if own.MountPath == mountPath {
			return field.ErrorList{field.Forbidden(at, mountPath+" is a generated mount: use volumeSource, or another path")}
		}
		if own.ReadOnly && (within(mountPath, own.MountPath) || within(own.MountPath, mountPath)) {
			return field.ErrorList{field.Forbidden(at, mountPath+" would hide a part of the generated "+own.MountPath)}
		}
	}
	return nil
}

func within(file, dir string) bool { return strings.HasPrefix(file, strings.TrimSuffix(dir, "/")+"/") }

// checkRemoved finds what a null in the user's podTemplate took away.
func checkRemoved(merged, generated *corev1.PodTemplateSpec, component v1alpha1.Component, at *field.Path) field.ErrorList {
	spec := at.Child("spec")
	ours, theirs := daemonContainer(generated, component), daemonContainer(merged, component)
	if theirs == nil {
		return field.ErrorList{field.Forbidden(spec.Child("containers"), "the container "+string(component)+" can't be removed")}
	}
	var errs field.ErrorList
	for _, v := range generated.Spec.Volumes {
		if !slices.ContainsFunc(merged.Spec.Volumes, func(m corev1.Volume) bool { return equality.Semantic.DeepEqual(m, v) }) {
			errs = append(errs, field.Forbidden(spec.Child("volumes"), "the volume "+v.Name+" can't be removed"))
		}
	}
	for _, c := range generated.Spec.InitContainers {
		if findContainer(merged.Spec.InitContainers, c.Name) == nil {
			errs = append(errs, field.Forbidden(spec.Child("initContainers"), "the init container "+c.Name+" can't be removed"))
		}
	}
	container := spec.Child("containers").Key(string(component))
	for _, m := range ours.VolumeMounts {
		if !slices.ContainsFunc(theirs.VolumeMounts, func(n corev1.VolumeMount) bool { return equality.Semantic.DeepEqual(n, m) }) {
			errs = append(errs, field.Forbidden(container.Child("volumeMounts"), "the mount at "+m.MountPath+" can't be removed"))
		}
	}
	for _, e := range ours.Env {
		if _, reserved := v1alpha1.ReservedEnv(e.Name); reserved && !slices.Contains(theirs.Env, e) {
			errs = append(errs, field.Forbidden(container.Child("env"), e.Name+" can't be removed"))
		}
	}
	for _, p := range ours.Ports {
		if !slices.ContainsFunc(theirs.Ports, func(q corev1.ContainerPort) bool {
			return q.ContainerPort == p.ContainerPort && q.Name == p.Name && q.Protocol == p.Protocol
		}) {
			errs = append(errs, field.Forbidden(container.Child("ports"), "the port "+p.Name+" can't be removed"))
		}
	}
	if len(theirs.Args) == 0 {
		errs = append(errs, field.Forbidden(container.Child("args"), "can't be removed"))
	}
	if theirs.Image == "" {
		errs = append(errs, field.Forbidden(container.Child("image"), "can't be removed"))
	}
	if theirs.WorkingDir == "" {
		errs = append(errs, field.Forbidden(container.Child("workingDir"), "can't be removed"))
	}
	if len(theirs.Resources.Limits)+len(theirs.Resources.Requests) == 0 {
		errs = append(errs, field.Forbidden(container.Child("resources"), "can't be removed: without limits a daemon takes what it finds on its node"))
	}
	return errs
}
