package v1alpha1

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// everyField sets every field but those that may not stand together with others.
const everyField = `{
	"version": "v0.6.0", "replicas": 3, "restartedAt": "2026-11-30T12:00:00Z", "suspend": true,
	"imagePullSecrets": [{"name": "registry"}], "serviceAccountName": "flame", "podSecurity": "ImageDefault",
	"sessionManager": {
		"image": "r.example.com:5000/flame-session-manager:v0.6.0", "imagePullPolicy": "Always",
		"resources": {"requests": {"cpu": "500m"}, "limits": {"cpu": "1", "memory": "1Gi"}},
		"env": [{"name": "A", "value": "1"}, {"name": "B", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
		"logLevel": "info", "podTemplate": {"spec": {"nodeSelector": {"a": "b"}}},
		"slot": {"cpu": "2", "memory": "4Gi", "gpu": "1"}, "policy": "fair",
		"storage": {"type": "sqlite", "path": "/var/lib/flame/session/flame.db"},
		"volumeSource": {"persistentVolumeClaim": {"claimName": "flame-state"}},
		"scheduleInterval": "500ms", "maxSessions": 1000, "retryLimit": 5,
		"service": {"type": "LoadBalancer", "annotations": {"example.com/a": "b"}, "labels": {"team": "a"}, "port": 8443}
	},
	"executorManager": {
		"image": "a", "imagePullPolicy": "Never", "resources": {"limits": {"cpu": "4", "memory": "16Gi", "nvidia.com/gpu": "1"}},
		"env": [{"name": "CUDA_VISIBLE_DEVICES", "value": "0"}], "logLevel": "debug", "podTemplate": {}, "replicas": 4,
		"shim": "host", "maxExecutors": 16, "volumeSource": {"ephemeral": {"volumeClaimTemplate": {"spec": {"accessModes": ["ReadWriteOnce"]}}}},
		"podDisruptionBudget": {"maxUnavailable": "25%"}
	},
	"objectCache": {
		"image": "b@sha256:0", "imagePullPolicy": "IfNotPresent", "resources": {"limits": {"memory": "8Gi"}}, "env": [{"name": "C"}],
		"logLevel": "warn", "podTemplate": {}, "enabled": true, "replicas": 1, "networkInterface": "eth0",
		"volumeSource": {"hostPath": {"path": "/data"}}, "eviction": {"policy": "lru", "maxMemory": "4Gi", "maxObjects": 100},
		"service": {"type": "ClusterIP", "annotations": {"a": "b"}, "labels": {"c": "d"}, "port": 9999}
	},
	"tls": {"sessionManager": {"secretName": "a"}, "objectCache": {"secretName": "b"}},
	"networkPolicy": {"enabled": true, "clients": [{"namespaceSelector": {}}, {"ipBlock": {"cidr": "10.0.0.0/8", "except": ["10.1.0.0/16"]}}]},
	"extraConfig": {"cluster": {"pprof": {"port": 6060}}}
}`

func TestEveryFieldTogetherIsValid(t *testing.T) {
	spec, warnings, errs := DecodeSpecStrict([]byte(everyField))
	require.Empty(t, errs)
	assert.Len(t, warnings, 1, "executorManager.replicas")
	assert.Equal(t, []string{"sessionManager.storage.secretRef", "objectCache.storage"}, unsetFields(reflect.ValueOf(*spec), ""))
	assert.Empty(t, Validate("flame", spec))
	SetDefaults(spec)
	assert.Empty(t, Validate("flame", spec))
}

// unsetFields are the fields of this API's own types that have no value.
func unsetFields(value reflect.Value, path string) []string {
	if value.Kind() == reflect.Pointer && !value.IsNil() {
		value = value.Elem()
	}
	switch {
	case value.IsZero():
		return []string{strings.TrimPrefix(path, ".")}
	case value.Kind() != reflect.Struct || value.Type().PkgPath() != reflect.TypeFor[FlameClusterSpec]().PkgPath():
		return nil
	}
	var unset []string
	for f, fieldValue := range value.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" {
			name = "." + name
		}
		unset = append(unset, unsetFields(fieldValue, path+name)...)
	}
	return unset
}

// All errors at once, in the order of the fields.
func TestValidateReportsEverything(t *testing.T) {
	spec := decoded(t, `{
		"version": "main", "replicas": -1, "imagePullSecrets": [{"name": ""}], "serviceAccountName": "A", "podSecurity": "none",
		"sessionManager": {"image": "a b", "slot": {"cpu": "0"}, "policy": "x", "storage": {"path": "/data"}, "retryLimit": 0},
		"executorManager": {"shim": "x", "maxExecutors": 0, "env": [{"name": "RUST_LOG"}]},
		"objectCache": {"replicas": -1, "networkInterface": "(", "service": {"type": "NodePort", "port": 80}},
		"tls": {"objectCache": {"secretName": ""}},
		"networkPolicy": {"clients": [{}]}}`)
	assert.Equal(t, []string{
		"metadata.name", "spec.version", "spec.replicas", "spec.imagePullSecrets[0].name", "spec.serviceAccountName", "spec.podSecurity",
		"spec.sessionManager.image", "spec.sessionManager.slot", "spec.sessionManager.policy", "spec.sessionManager.storage.path", "spec.sessionManager.retryLimit",
		"spec.executorManager.env[0].name", "spec.executorManager.shim", "spec.executorManager.maxExecutors",
		"spec.objectCache.replicas", "spec.objectCache.networkInterface", "spec.objectCache.service.port", "spec.objectCache.service.type",
		"spec.tls.objectCache.secretName", "spec.tls.objectCache", "spec.networkPolicy.clients[0]",
	}, fieldsOf(Validate("A", spec)))
}

// invalid holds one spec per rule against the errors that it gets; none means valid.
func invalid(t *testing.T, tests map[string][]string) {
	t.Helper()
	for raw, want := range tests {
		t.Run(raw, func(t *testing.T) {
			assert.Equal(t, want, texts(Validate("flame", decoded(t, raw))))
		})
	}
}
