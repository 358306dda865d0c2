package resources

import (
	"path"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// podUserID is the user and group of all daemons with podSecurity Restricted. Flame's
// images run as root, so a number is needed; files on claims belong to it, so it never
// changes.
const podUserID int64 = 10001

// terminationGracePeriodSeconds is short: no daemon does anything on SIGTERM but end, and
// executors sign off within 5 s.
const terminationGracePeriodSeconds int64 = 10

// daemon is what differs between the pods of the three daemons.
type daemon struct {
	component      v1alpha1.Component
	spec           *v1alpha1.ComponentSpec
	workingDir     string
	configDir      string
	logFilter      string
	env            []corev1.EnvVar
	ports          []corev1.ContainerPort
	startup        *corev1.Probe
	readiness      *corev1.Probe
	preStop        *corev1.LifecycleHandler
	volumes        []corev1.Volume
	mounts         []corev1.VolumeMount
	initContainers []corev1.Container
	annotations    map[string]string
	// readOnlyRoot is false for executors: the tasks are code of users.
	readOnlyRoot bool
}

// newDaemon returns what all daemons have.
func newDaemon(c Cluster, component v1alpha1.Component, spec *v1alpha1.ComponentSpec) daemon {
	d := daemon{
		component:   component,
		spec:        spec,
		workingDir:  flameHome,
		configDir:   configDir,
		logFilter:   spec.LogLevel,
		annotations: map[string]string{},
	}
	if hash := c.Config.Hashes[component]; hash != "" {
		d.annotations[v1alpha1.AnnotationConfigHash] = hash
	}
	if c.Spec.RestartedAt != "" {
		d.annotations[v1alpha1.AnnotationRestartedAt] = c.Spec.RestartedAt
	}
	d.volumes = append(d.volumes, corev1.Volume{Name: volumeConfig, VolumeSource: configVolume(c)})
	d.mounts = append(d.mounts, configMount())
	return d
}

// generatedTemplate is the daemon's pod before the user's podTemplate is merged.
func generatedTemplate(c Cluster, d daemon) corev1.PodTemplateSpec {
	container := corev1.Container{
		Name:            string(d.component),
		Image:           d.spec.Image,
		ImagePullPolicy: d.spec.ImagePullPolicy,
		// Never a command: the executor's image starts the daemon through an init.
		Args:            daemonArgs(d),
		WorkingDir:      d.workingDir,
		Env:             environment(d),
		Ports:           d.ports,
		Resources:       *d.spec.Resources.DeepCopy(),
		StartupProbe:    d.startup,
		ReadinessProbe:  d.readiness,
		SecurityContext: containerSecurityContext(d.readOnlyRoot),
		VolumeMounts:    d.mounts,
	}
	if d.preStop != nil {
		container.Lifecycle = &corev1.Lifecycle{PreStop: d.preStop}
	}
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: Labels(c.Name, d.component), Annotations: d.annotations},
		Spec: corev1.PodSpec{
			InitContainers:                d.initContainers,
			Containers:                    []corev1.Container{container},
			Volumes:                       d.volumes,
			TerminationGracePeriodSeconds: new(terminationGracePeriodSeconds),
			ServiceAccountName:            c.Spec.ServiceAccountName,
			AutomountServiceAccountToken:  new(false),
			// The daemons install no signal handler, so that as process 1 they would ignore SIGTERM.
			ShareProcessNamespace: new(true),
			// A Service named "flame" would otherwise give the tasks FLAME_ variables.
			EnableServiceLinks: new(false),
			ImagePullSecrets:   slices.Clone(c.Spec.ImagePullSecrets),
			SecurityContext:    podSecurityContext(c.Spec.PodSecurity),
		},
	}
}

func daemonArgs(d daemon) []string { return []string{"--config", path.Join(d.configDir, ConfigKey)} }

func podSecurityContext(mode v1alpha1.PodSecurityMode) *corev1.PodSecurityContext {
	s := &corev1.PodSecurityContext{
		SeccompProfile:      &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		FSGroupChangePolicy: new(corev1.FSGroupChangeOnRootMismatch),
	}
	if mode != v1alpha1.PodSecurityImageDefault {
		s.RunAsNonRoot = new(true)
		s.RunAsUser = new(podUserID)
		s.RunAsGroup = new(podUserID)
		s.FSGroup = new(podUserID)
	}
	return s
}

func containerSecurityContext(readOnlyRoot bool) *corev1.SecurityContext {
	s := &corev1.SecurityContext{
		AllowPrivilegeEscalation: new(false),
		Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
	}
	if readOnlyRoot {
		s.ReadOnlyRootFilesystem = new(true)
	}
	return s
}
