package v1alpha1

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
)

func TestSetDefaultsOfAnEmptySpec(t *testing.T) {
	spec := &FlameClusterSpec{}
	SetDefaults(spec)
	got, err := json.Marshal(spec)
	require.NoError(t, err)
	assert.JSONEq(t, `{
		"version": "0.6.0",
		"replicas": 1,
		"podSecurity": "Restricted",
		"sessionManager": {
			"image": "xflops/flame-session-manager:v0.6.0",
			"imagePullPolicy": "IfNotPresent",
			"logLevel": "info,flame_session_manager::scheduler::plugins=warn",
			"resources": {"requests": {"cpu": "250m", "memory": "512Mi"}, "limits": {"memory": "1Gi"}},
			"storage": {"type": "filesystem", "path": "/var/lib/flame/session"},
			"volumeSource": {"emptyDir": {}},
			"service": {"type": "ClusterIP", "port": 8080}
		},
		"executorManager": {
			"image": "xflops/flame-executor-manager:v0.6.0",
			"imagePullPolicy": "IfNotPresent",
			"logLevel": "info,flame_session_manager::scheduler::plugins=warn",
			"resources": {"requests": {"cpu": "1", "memory": "2Gi"}, "limits": {"cpu": "1", "memory": "2Gi"}},
			"shim": "host",
			"volumeSource": {"emptyDir": {}}
		},
		"objectCache": {
			"image": "xflops/flame-object-cache:v0.6.0",
			"imagePullPolicy": "IfNotPresent",
			"logLevel": "info,flame_session_manager::scheduler::plugins=warn",
			"resources": {"requests": {"cpu": "250m", "memory": "2Gi"}, "limits": {"memory": "2Gi"}},
			"enabled": true,
			"replicas": 1,
			"networkInterface": "^eth0$",
			"volumeSource": {"emptyDir": {}},
			"eviction": {"policy": "lru", "maxMemory": "1Gi"},
			"service": {"type": "ClusterIP", "port": 9090}
		}
	}`, string(got))
	assert.Empty(t, Validate("flame", spec), "defaults are valid")
	assert.Empty(t, Warnings(spec), "and need no advice")
}

func TestSetDefaultsTwiceChangesNothing(t *testing.T) {
	for _, raw := range []string{
		`{}`,
		`{"version":"v1.0.0","executorManager":{"replicas":3,"resources":{"requests":{"cpu":"4"}}},"objectCache":{"storage":"/data","networkInterface":"eth0.100"}}`,
		`{"sessionManager":{"storage":{"secretRef":{"name":"a","key":"b"}}},"networkPolicy":{"enabled":true},"executorManager":{"podDisruptionBudget":{}}}`,
	} {
		spec := decoded(t, raw)
		SetDefaults(spec)
		once := spec.DeepCopy()
		SetDefaults(spec)
		assert.Equal(t, once, spec, raw)
	}
}

func TestSetDefaultsKeepsWhatIsGiven(t *testing.T) {
	spec := decoded(t, `{"version":"v0.7.0","replicas":0,"objectCache":{"enabled":false,"replicas":0,"networkInterface":"eth.*","service":{"port":9999}},
		"sessionManager":{"storage":{"type":"sqlite"},"logLevel":"debug","imagePullPolicy":"Never","volumeSource":{"persistentVolumeClaim":{"claimName":"c"}}},
		"executorManager":{"podDisruptionBudget":{"maxUnavailable":"10%"}}}`)
	SetDefaults(spec)
	assert.Equal(t, "0.7.0", spec.Version)
	assert.EqualValues(t, 0, *spec.Replicas)
	assert.False(t, *spec.ObjectCache.Enabled)
	assert.EqualValues(t, 0, *spec.ObjectCache.Replicas)
	assert.Equal(t, "eth.*", spec.ObjectCache.NetworkInterface)
	assert.EqualValues(t, 9999, *spec.ObjectCache.Service.Port)
	assert.Equal(t, DefaultSQLitePath, spec.SessionManager.Storage.Path)
	assert.Equal(t, "debug", spec.SessionManager.LogLevel)
	assert.Equal(t, corev1.PullNever, spec.SessionManager.ImagePullPolicy)
	assert.Nil(t, spec.SessionManager.VolumeSource.EmptyDir)
	assert.Equal(t, "10%", spec.ExecutorManager.PodDisruptionBudget.MaxUnavailable.StrVal)
	assert.Equal(t, "xflops/flame-session-manager:v0.7.0", spec.SessionManager.Image)
}

func TestSetDefaultsGivesASecretNoPath(t *testing.T) {
	spec := decoded(t, `{"sessionManager":{"storage":{"type":"sqlite","secretRef":{"name":"a","key":"b"}}}}`)
	SetDefaults(spec)
	assert.Empty(t, spec.SessionManager.Storage.Path)
}

func TestDeprecatedReplicasWin(t *testing.T) {
	spec := decoded(t, `{"replicas":1,"executorManager":{"replicas":0}}`)
	SetDefaults(spec)
	assert.EqualValues(t, 0, *spec.Replicas)
	assert.Nil(t, spec.ExecutorManager.Replicas)
}

func TestImagePullPolicyFollowsTheTag(t *testing.T) {
	for image, want := range map[string]corev1.PullPolicy{
		"a":                       corev1.PullAlways,
		"a:latest":                corev1.PullAlways,
		"r.example.com:5000/a":    corev1.PullAlways,
		"a:v1":                    corev1.PullIfNotPresent,
		"r.example.com:5000/a:v1": corev1.PullIfNotPresent,
		"a@sha256:0":              corev1.PullIfNotPresent,
		"a:latest@sha256:0":       corev1.PullIfNotPresent,
	} {
		spec := &FlameClusterSpec{ObjectCache: ObjectCacheSpec{ComponentSpec: ComponentSpec{Image: image}}}
		SetDefaults(spec)
		assert.Equal(t, want, spec.ObjectCache.ImagePullPolicy, image)
	}
}

func TestPlainInterfacesAreAnchored(t *testing.T) {
	for given, want := range map[string]string{
		"": "^eth0$", "eth0": "^eth0$", "eth0.100": `^eth0\.100$`, "bond-1": "^bond-1$",
		"^net1$": "^net1$", "eth.*": "eth.*", "eth[01]": "eth[01]", "(a|b)": "(a|b)",
	} {
		spec := &FlameClusterSpec{ObjectCache: ObjectCacheSpec{NetworkInterface: given}}
		SetDefaults(spec)
		assert.Equal(t, want, spec.ObjectCache.NetworkInterface, given)
	}
}

func TestClientsOfANetworkPolicyAreTheNamespace(t *testing.T) {
	spec := decoded(t, `{"networkPolicy":{"enabled":true}}`)
	SetDefaults(spec)
	got, err := json.Marshal(spec.NetworkPolicy)
	require.NoError(t, err)
	assert.JSONEq(t, `{"enabled":true,"clients":[{"podSelector":{}}]}`, string(got))

	spec = decoded(t, `{"networkPolicy":{}}`)
	SetDefaults(spec)
	assert.Empty(t, spec.NetworkPolicy.Clients)
}
