package resources

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// podTemplate is a daemon's pod with the user's podTemplate merged over it, strategically,
// so that containers, volumes and variables merge by name.
func podTemplate(c Cluster, d daemon) (*corev1.PodTemplateSpec, error) {
	template := generatedTemplate(c, d)
	if raw := userTemplate(d.spec); raw != nil {
		merged, err := mergePodTemplate(&template, d.component, raw)
		if err != nil {
			return nil, fmt.Errorf("%s: podTemplate: %w", d.component, err)
		}
		template = *merged
	}
	finishTemplate(&template, c, d)
	return &template, nil
}

// userTemplate is the JSON of the user's podTemplate, or nil if there is none.
func userTemplate(spec *v1alpha1.ComponentSpec) []byte {
	if spec.PodTemplate == nil {
		return nil
	}
	raw := bytes.TrimSpace(spec.PodTemplate.Raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return raw
}

// finishTemplate adds what depends on the merged pod.
func finishTemplate(template *corev1.PodTemplateSpec, c Cluster, d daemon) {
	// CheckPodTemplates refuses other values, but a null may have taken them away.
	template.Labels = withEntries(template.Labels, Selector(c.Name, d.component))
	template.Annotations = withEntries(template.Annotations, d.annotations)
	if d.component == v1alpha1.ComponentExecutorManager {
		setVisibleDevices(template)
	}
	spellOutDefaults(template)
	// The API server fills in this deprecated field and would then restore the service
	// account from it when serviceAccountName is taken away.
	if template.Spec.ServiceAccountName == "" {
		template.Spec.ServiceAccountName = template.Spec.DeprecatedServiceAccount
	}
	template.Spec.DeprecatedServiceAccount = template.Spec.ServiceAccountName
}

func withEntries(m, entries map[string]string) map[string]string {
	if m == nil && len(entries) > 0 {
		m = map[string]string{}
	}
	maps.Copy(m, entries)
	return m
}

func mergePodTemplate(generated *corev1.PodTemplateSpec, component v1alpha1.Component, raw []byte) (*corev1.PodTemplateSpec, error) {
	var user corev1.PodTemplateSpec
	if err := json.Unmarshal(raw, &user); err != nil {
		return nil, err
	}
	base := generated.DeepCopy()
	makeRoom(base, &user, component)
	original, err := json.Marshal(base)
	if err != nil {
		return nil, err
	}
	patched, err := strategicpatch.StrategicMergePatch(original, raw, corev1.PodTemplateSpec{})
	if err != nil {
		return nil, err
	}
	var merged corev1.PodTemplateSpec
	if err := json.Unmarshal(patched, &merged); err != nil {
		return nil, err
	}
	// A strategic merge knows one constraint per topology key; the API allows more.
	merged.Spec.TopologySpreadConstraints = user.Spec.TopologySpreadConstraints
	keepOrder(&merged, generated, &user)
	return &merged, nil
}

// makeRoom takes out of the generated pod what the user's replaces as a whole. A merge
// would leave a variable with two values or a probe with two handlers, which the API
// server refuses.
func makeRoom(base, user *corev1.PodTemplateSpec, component v1alpha1.Component) {
	ours, theirs := daemonContainer(base, component), daemonContainer(user, component)
	if theirs == nil {
		return
	}
	ours.Env = slices.DeleteFunc(ours.Env, func(e corev1.EnvVar) bool { return hasEnv(theirs.Env, e.Name) })
	replaceHandler(ours.ReadinessProbe, theirs.ReadinessProbe)
	replaceHandler(ours.StartupProbe, theirs.StartupProbe)
	if preStop(ours) != nil && preStop(theirs) != nil && *preStop(theirs) != (corev1.LifecycleHandler{}) {
		ours.Lifecycle.PreStop = nil
	}
}

func replaceHandler(ours, theirs *corev1.Probe) {
	if ours != nil && theirs != nil && theirs.ProbeHandler != (corev1.ProbeHandler{}) {
		ours.ProbeHandler = corev1.ProbeHandler{}
	}
}

// keepOrder puts what was generated before what the user added, each in its own order: a
// merge puts new entries first, but the first container is the one that `kubectl logs`
// shows, and init containers run in order.
func keepOrder(merged, generated, user *corev1.PodTemplateSpec) {
	containerName := func(c corev1.Container) string { return c.Name }
	envName := func(e corev1.EnvVar) string { return e.Name }
	sortLike(merged.Spec.Containers, containerName, generated.Spec.Containers, user.Spec.Containers)
	sortLike(merged.Spec.InitContainers, containerName, generated.Spec.InitContainers, user.Spec.InitContainers)
	sortLike(merged.Spec.Volumes, func(v corev1.Volume) string { return v.Name }, generated.Spec.Volumes, user.Spec.Volumes)
	for i := range merged.Spec.Containers {
		c := &merged.Spec.Containers[i]
		ours, theirs := findContainer(generated.Spec.Containers, c.Name), findContainer(user.Spec.Containers, c.Name)
		if ours == nil || theirs == nil {
			continue
		}
		sortLike(c.Env, envName, ours.Env, theirs.Env)
		sortLike(c.VolumeMounts, func(m corev1.VolumeMount) string { return m.MountPath }, ours.VolumeMounts, theirs.VolumeMounts)
		sortLike(c.Ports, func(p corev1.ContainerPort) int32 { return p.ContainerPort }, ours.Ports, theirs.Ports)
	}
}

// sortLike sorts list by where a key first appears in the given lists.
func sortLike[T any, K comparable](list []T, key func(T) K, orders ...[]T) {
	rank := map[K]int{}
	for _, order := range orders {
		for _, e := range order {
			if _, ok := rank[key(e)]; !ok {
				rank[key(e)] = len(rank)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b T) int { return rank[key(a)] - rank[key(b)] })
}

func preStop(c *corev1.Container) *corev1.LifecycleHandler {
	if c.Lifecycle == nil {
		return nil
	}
	return c.Lifecycle.PreStop
}

func daemonContainer(template *corev1.PodTemplateSpec, component v1alpha1.Component) *corev1.Container {
	return findContainer(template.Spec.Containers, string(component))
}

func findContainer(containers []corev1.Container, name string) *corev1.Container {
	for i := range containers {
		if containers[i].Name == name {
			return &containers[i]
		}
	}
	return nil
}
