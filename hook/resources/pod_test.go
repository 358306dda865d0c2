package resources

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

func TestEveryPod(t *testing.T) {
	for component, d := range deployments(t, "{}") {
		t.Run(string(component), func(t *testing.T) {
			pod, c := d.Spec.Template.Spec, container(t, d)
			assert.Empty(t, c.Command, "the image's init must stay process 1 of the container")
			assert.Equal(t, []string{"--config", "/etc/flame/flame-cluster.yaml"}, c.Args)
			assert.Equal(t, "xflops/flame-"+string(component)+":v0.6.0", c.Image)
			assert.Equal(t, "/usr/local/flame", envValue(c, "FLAME_HOME"))
			assert.Equal(t, "info,flame_session_manager::scheduler::plugins=warn", envValue(c, "RUST_LOG"))
			assert.True(t, *pod.ShareProcessNamespace, "SIGTERM works")
			assert.False(t, *pod.EnableServiceLinks)
			assert.False(t, *pod.AutomountServiceAccountToken)
			assert.LessOrEqual(t, *pod.TerminationGracePeriodSeconds, int64(10))
			assert.Empty(t, pod.ServiceAccountName)
			assert.NotEmpty(t, c.Resources.Requests)
			assert.NotEmpty(t, c.Resources.Limits)
			assert.NotEmpty(t, d.Spec.Template.Annotations[v1alpha1.AnnotationConfigHash])
			assert.NotContains(t, d.Spec.Template.Annotations, "kubectl.kubernetes.io/restartedAt", "it belongs to kubectl")
			deadline := *d.Spec.ProgressDeadlineSeconds
			assert.True(t, deadline >= 120 && deadline <= 900, "trouble shows within minutes")
		})
	}
}

func TestRestrictedSecurity(t *testing.T) {
	for component, d := range deployments(t, "{sessionManager: {storage: {secretRef: {name: a, key: b}}}}") {
		t.Run(string(component), func(t *testing.T) {
			pod := d.Spec.Template.Spec
			s := pod.SecurityContext
			assert.True(t, *s.RunAsNonRoot)
			assert.EqualValues(t, 10001, *s.RunAsUser)
			assert.EqualValues(t, 10001, *s.RunAsGroup)
			assert.EqualValues(t, 10001, *s.FSGroup)
			assert.Equal(t, corev1.FSGroupChangeOnRootMismatch, *s.FSGroupChangePolicy)
			assert.Equal(t, corev1.SeccompProfileTypeRuntimeDefault, s.SeccompProfile.Type)
			for _, c := range append(pod.InitContainers, pod.Containers...) {
				assert.False(t, *c.SecurityContext.AllowPrivilegeEscalation)
				assert.Equal(t, []corev1.Capability{"ALL"}, c.SecurityContext.Capabilities.Drop)
				readOnly := c.SecurityContext.ReadOnlyRootFilesystem
				if component == v1alpha1.ComponentExecutorManager {
					assert.Nil(t, readOnly, "tasks are code of users")
				} else {
					assert.True(t, *readOnly)
				}
			}
		})
	}
}

func TestImageDefaultSetsNoIDs(t *testing.T) {
	for component, d := range deployments(t, "podSecurity: ImageDefault") {
		s := d.Spec.Template.Spec.SecurityContext
		assert.Nil(t, s.RunAsNonRoot, component)
		assert.Nil(t, s.RunAsUser, component)
		assert.Nil(t, s.RunAsGroup, component)
		assert.Nil(t, s.FSGroup, component)
		assert.NotNil(t, container(t, d).SecurityContext.Capabilities, component)
	}
}

// With a read-only root every directory that a daemon writes is a volume; executors write
// to the same kinds of places, as a user who owns nothing in the image.
func TestWritableDirectories(t *testing.T) {
	type mount struct{ volume, subPath string }
	want := map[v1alpha1.Component]map[string]mount{
		v1alpha1.ComponentSessionManager: {
			"/var/lib/flame/session":  {"state", "session"},
			"/usr/local/flame/events": {"state", "events"},
			"/usr/local/flame/logs":   {"logs", ""},
		},
		v1alpha1.ComponentObjectCache: {
			"/var/lib/flame/cache":  {"objects", "cache"},
			"/usr/local/flame/logs": {"logs", ""},
		},
		v1alpha1.ComponentExecutorManager: {
			"/usr/local/flame/work": {"work", "work"},
			"/usr/local/flame/data": {"work", "data"},
			"/usr/local/flame/logs": {"logs", ""},
			"/tmp":                  {"tmp", ""},
			"/var/flame":            {"run", ""},
			"/home/flame":           {"home", ""},
		},
	}
	for component, d := range deployments(t, "{}") {
		got := map[string]mount{}
		for _, m := range container(t, d).VolumeMounts {
			if !m.ReadOnly {
				got[m.MountPath] = mount{m.Name, m.SubPath}
			}
		}
		assert.Equal(t, want[component], got, component)
	}
	executors := container(t, deployments(t, "{}")[v1alpha1.ComponentExecutorManager])
	assert.Equal(t, "/home/flame", envValue(executors, "HOME"))
	assert.Equal(t, "/usr/local/flame/work", executors.WorkingDir)
}

func TestLogsAreLimitedExceptTheSessionManagers(t *testing.T) {
	for component, d := range deployments(t, "{}") {
		for _, v := range d.Spec.Template.Spec.Volumes {
			if v.Name != "logs" {
				continue
			}
			if component == v1alpha1.ComponentSessionManager {
				assert.Nil(t, v.EmptyDir.SizeLimit, "an eviction would lose the state")
			} else {
				assert.Equal(t, "1Gi", v.EmptyDir.SizeLimit.String())
			}
		}
	}
}

func TestRolloutsAndProbes(t *testing.T) {
	all := deployments(t, "{replicas: 4, objectCache: {replicas: 2}}")

	sessionManager := all[v1alpha1.ComponentSessionManager]
	assert.EqualValues(t, 1, *sessionManager.Spec.Replicas)
	assert.Equal(t, appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}, sessionManager.Spec.Strategy)
	assert.EqualValues(t, 3, sessionManager.Spec.MinReadySeconds)
	assert.EqualValues(t, 8081, container(t, sessionManager).ReadinessProbe.TCPSocket.Port.IntVal, "the backend")

	cache := all[v1alpha1.ComponentObjectCache]
	assert.EqualValues(t, 2, *cache.Spec.Replicas)
	assert.Equal(t, appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}, cache.Spec.Strategy)
	startup := container(t, cache).StartupProbe
	assert.EqualValues(t, 9090, startup.TCPSocket.Port.IntVal)
	patience := startup.PeriodSeconds * startup.FailureThreshold
	assert.GreaterOrEqual(t, patience, int32(600), "it loads every object before it listens")
	assert.Greater(t, *cache.Spec.ProgressDeadlineSeconds, patience)

	executors := all[v1alpha1.ComponentExecutorManager]
	assert.EqualValues(t, 4, *executors.Spec.Replicas)
	assert.Positive(t, executors.Spec.MinReadySeconds, "one that exits at once does not count")
	assert.Equal(t, "25%", executors.Spec.Strategy.RollingUpdate.MaxSurge.String())
	assert.Equal(t, "25%", executors.Spec.Strategy.RollingUpdate.MaxUnavailable.String())
	c := container(t, executors)
	assert.Nil(t, c.StartupProbe)
	assert.Nil(t, c.ReadinessProbe, "executors listen on nothing")
	assert.Empty(t, c.Ports)
	for component, d := range all {
		assert.Nil(t, container(t, d).LivenessProbe, component)
	}
}

func TestVisibleDevices(t *testing.T) {
	many := make([]string, 1024)
	for i := range many {
		many[i] = strconv.Itoa(i)
	}
	for _, tc := range []struct{ name, limits, want, surge string }{
		{"no GPU", "{}", "-1", "25%"},
		{"NVIDIA", "{nvidia.com/gpu: 2}", "0,1", "0"},
		{"AMD", "{amd.com/gpu: 1}", "0", "0"},
		{"slices", "{nvidia.com/mig-1g.5gb: 3}", "0,1,2", "0"},
		{"several kinds", "{nvidia.com/gpu: 1, nvidia.com/mig-3g.20gb: 1}", "0,1", "0"},
		{"none of them", "{nvidia.com/gpu: 0}", "-1", "25%"},
		{"another device", "{example.com/fpga: 1}", "-1", "25%"},
		{"more than exist", "{nvidia.com/gpu: 9e18}", strings.Join(many, ","), "0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := deployments(t, withValue("executorManager: {resources: {limits: %s}}", tc.limits))[v1alpha1.ComponentExecutorManager]
			assert.Equal(t, tc.want, envValue(container(t, d), "CUDA_VISIBLE_DEVICES"))
			assert.Equal(t, tc.surge, d.Spec.Strategy.RollingUpdate.MaxSurge.String())
			assert.Equal(t, "25%", d.Spec.Strategy.RollingUpdate.MaxUnavailable.String())
		})
	}
	own := deployments(t, `executorManager: {env: [{name: CUDA_VISIBLE_DEVICES, value: "3"}], resources: {limits: {nvidia.com/gpu: 2}}}`)
	assert.Equal(t, "3", envValue(container(t, own[v1alpha1.ComponentExecutorManager]), "CUDA_VISIBLE_DEVICES"), "the user's own value wins")
	assert.Equal(t, "unset", envValue(container(t, own[v1alpha1.ComponentSessionManager]), "CUDA_VISIBLE_DEVICES"))
}

// Private keys are only where they are served.
func TestTLSMounts(t *testing.T) {
	all := deployments(t, "tls: {sessionManager: {secretName: sm-cert}, objectCache: {secretName: oc-cert}}")
	type mount struct {
		secret string
		files  []string
	}
	server := []string{"tls.crt", "tls.key", "ca.crt"}
	for component, want := range map[v1alpha1.Component]map[string]mount{
		v1alpha1.ComponentSessionManager: {"/etc/flame-tls/session-manager": {"sm-cert", server}},
		v1alpha1.ComponentObjectCache:    {"/etc/flame-tls/object-cache": {"oc-cert", server}},
		v1alpha1.ComponentExecutorManager: {
			"/etc/flame-tls/session-manager": {"sm-cert", []string{"ca.crt"}},
			"/etc/flame-tls/object-cache":    {"oc-cert", []string{"ca.crt"}},
		},
	} {
		got := map[string]mount{}
		d := all[component]
		for _, v := range d.Spec.Template.Spec.Volumes {
			if v.Secret == nil {
				continue
			}
			var files []string
			for _, item := range v.Secret.Items {
				assert.Equal(t, item.Key, item.Path)
				files = append(files, item.Path)
			}
			for _, m := range container(t, d).VolumeMounts {
				if m.Name == v.Name {
					assert.True(t, m.ReadOnly)
					got[m.MountPath] = mount{v.Secret.SecretName, files}
				}
			}
		}
		assert.Equal(t, want, got, component)
	}
	assert.NotContains(t, toYAML(t, all[v1alpha1.ComponentExecutorManager]), "tls.key")

	one := deployments(t, "tls: {sessionManager: {secretName: sm-cert}}")
	assert.NotContains(t, toYAML(t, one[v1alpha1.ComponentObjectCache]), "sm-cert")
}

func TestTemplateAnnotations(t *testing.T) {
	c := newCluster(t, decodeSpec(t, `restartedAt: "today"`))
	c.Executors.SessionManagerState = "abc"
	for _, o := range allChildren(t, c) {
		d, ok := o.(*appsv1.Deployment)
		if !ok {
			continue
		}
		component := v1alpha1.Component(d.Labels[v1alpha1.LabelComponent])
		want := map[string]string{
			"flame.xflops.io/config-hash":  c.Config.Hashes[component],
			"flame.xflops.io/restarted-at": "today",
		}
		if component == v1alpha1.ComponentExecutorManager {
			want["flame.xflops.io/session-manager-state"] = "abc"
		}
		assert.Equal(t, want, d.Spec.Template.Annotations)
	}
}

// Without the deprecated alias, taking serviceAccountName away would have no effect: the
// API server restores it from the alias, which Metacontroller leaves alone.
func TestServiceAccountHasItsAlias(t *testing.T) {
	for component, d := range deployments(t, "serviceAccountName: flame") {
		assert.Equal(t, "flame", d.Spec.Template.Spec.ServiceAccountName, component)
		assert.Equal(t, "flame", d.Spec.Template.Spec.DeprecatedServiceAccount, component)
	}
	d := deployments(t, "executorManager: {podTemplate: {spec: {serviceAccount: old}}}")[v1alpha1.ComponentExecutorManager]
	assert.Equal(t, "old", d.Spec.Template.Spec.ServiceAccountName)
}

func TestUserEnvironmentKeepsItsOrder(t *testing.T) {
	d := deployments(t, `executorManager: {env: [{name: Z, value: "1"}, {name: A, value: $(Z)}]}`)[v1alpha1.ComponentExecutorManager]
	var order []string
	for _, e := range container(t, d).Env {
		order = append(order, e.Name)
	}
	require.Equal(t, []string{"RUST_LOG", "FLAME_HOME", "HOME", "Z", "A", "CUDA_VISIBLE_DEVICES"}, order)
}
