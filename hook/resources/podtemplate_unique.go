package resources

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// checkUniqueEntries refuses lists in which the strategic merge or Metacontroller, which
// both match entries by one field, would take two entries for one.
func checkUniqueEntries(user *corev1.PodTemplateSpec, at *field.Path) field.ErrorList {
	spec, path := &user.Spec, at.Child("spec")
	errs := unique(spec.Volumes, path.Child("volumes"), "name", func(v corev1.Volume) string { return v.Name })
	errs = append(errs, unique(spec.ImagePullSecrets, path.Child("imagePullSecrets"), "name", func(s corev1.LocalObjectReference) string { return s.Name })...)
	errs = append(errs, unique(spec.HostAliases, path.Child("hostAliases"), "ip", func(a corev1.HostAlias) string { return a.IP })...)
	errs = append(errs, unique(spec.SchedulingGates, path.Child("schedulingGates"), "name", func(g corev1.PodSchedulingGate) string { return g.Name })...)
	errs = append(errs, unique(spec.EvictionResponders, path.Child("evictionResponders"), "name", func(r corev1.EvictionResponder) string { return r.Name })...)
	errs = append(errs, unique(spec.ResourceClaims, path.Child("resourceClaims"), "name", func(c corev1.PodResourceClaim) string { return c.Name })...)
	if spec.DNSConfig != nil {
		errs = append(errs, unique(spec.DNSConfig.Options, path.Child("dnsConfig", "options"), "name", func(o corev1.PodDNSConfigOption) string { return o.Name })...)
	}
	names := map[string]bool{}
	eachContainer(user, at, func(c *corev1.Container, path *field.Path) {
		errs = append(errs, uniqueKey(names, c.Name, path, "name")...)
		errs = append(errs, checkUniqueInContainer(c, path)...)
	})
	return errs
}

func checkUniqueInContainer(c *corev1.Container, path *field.Path) field.ErrorList {
	errs := unique(c.Env, path.Child("env"), "name", func(e corev1.EnvVar) string { return e.Name })
	errs = append(errs, unique(c.VolumeMounts, path.Child("volumeMounts"), "mountPath", func(m corev1.VolumeMount) string { return m.MountPath })...)
	errs = append(errs, unique(c.VolumeDevices, path.Child("volumeDevices"), "name", func(d corev1.VolumeDevice) string { return d.Name })...)
	errs = append(errs, unique(c.VolumeDevices, path.Child("volumeDevices"), "devicePath", func(d corev1.VolumeDevice) string { return d.DevicePath })...)
	errs = append(errs, unique(c.Resources.Claims, path.Child("resources", "claims"), "name", func(r corev1.ResourceClaim) string { return r.Name })...)
	// A port that serves TCP and UDP would end up as one of them, twice.
	errs = append(errs, unique(c.Ports, path.Child("ports"), "containerPort", func(p corev1.ContainerPort) string {
		if p.ContainerPort == 0 {
			return ""
		}
		return fmt.Sprint(p.ContainerPort)
	})...)
	handlers := httpHandlers(c)
	for _, name := range sortedKeys(handlers) {
		errs = append(errs, unique(handlers[name].HTTPHeaders, path.Child(name, "httpGet", "httpHeaders"), "name", func(h corev1.HTTPHeader) string { return h.Name })...)
	}
	return errs
}

// httpHandlers are the HTTP requests that a container's probes and hooks make, by field.
func httpHandlers(c *corev1.Container) map[string]*corev1.HTTPGetAction {
	handlers := map[string]*corev1.HTTPGetAction{}
	for name, probe := range map[string]*corev1.Probe{"startupProbe": c.StartupProbe, "readinessProbe": c.ReadinessProbe, "livenessProbe": c.LivenessProbe} {
		if probe != nil && probe.HTTPGet != nil {
			handlers[name] = probe.HTTPGet
		}
	}
	if c.Lifecycle != nil {
		for name, hook := range map[string]*corev1.LifecycleHandler{"postStart": c.Lifecycle.PostStart, "preStop": c.Lifecycle.PreStop} {
			if hook != nil && hook.HTTPGet != nil {
				handlers["lifecycle."+name] = hook.HTTPGet
			}
		}
	}
	return handlers
}

func unique[T any](list []T, at *field.Path, key string, value func(T) string) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{}
	for i, e := range list {
		errs = append(errs, uniqueKey(seen, value(e), at.Index(i), key)...)
	}
	return errs
}

func uniqueKey(seen map[string]bool, value string, at *field.Path, key string) field.ErrorList {
	switch {
	case value == "":
		return field.ErrorList{field.Required(at.Child(key), "entries are merged by it")}
	case seen[value]:
		return field.ErrorList{{Type: field.ErrorTypeDuplicate, Field: at.Child(key).String(), BadValue: secrecy.Shown(value), Detail: "entries are merged by it"}}
	}
	seen[value] = true
	return nil
}
