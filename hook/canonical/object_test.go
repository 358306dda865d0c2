package canonical

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

func deployment() *appsv1.Deployment {
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: metav1.ObjectMeta{Name: "a-session-manager", Namespace: "team", Labels: map[string]string{"b": "2", "a": "1"}},
		Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			Containers: []corev1.Container{{
				Name: "session-manager", Env: []corev1.EnvVar{}, Args: nil,
				Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{"cpu": resource.MustParse("1000m"), "memory": resource.MustParse("1024Mi")}},
			}},
			Volumes: []corev1.Volume{{Name: "logs", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
		}}},
	}
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "team"},
		Data:       map[string]string{"z": "<1>", "a": "2"},
	}
}

// Each of these differs between what Go writes and what the API server stores, and
// Metacontroller would write the object at every sync because of it.
func TestObjectIsWhatTheAPIServerStores(t *testing.T) {
	object, err := New(deployment())
	require.NoError(t, err)
	raw, err := object.MarshalJSON()
	require.NoError(t, err)
	var tree map[string]any
	require.NoError(t, json.Unmarshal(raw, &tree))

	assert.NotContains(t, tree, "status", "the status is not ours")
	assert.NotContains(t, string(raw), "null")
	assert.NotContains(t, string(raw), "[]")
	assert.NotContains(t, string(raw), "creationTimestamp")
	assert.Contains(t, string(raw), `"cpu":"1"`, "quantities are written as the API prints them")
	assert.Contains(t, string(raw), `"memory":"1Gi"`)
	assert.Contains(t, string(raw), `"emptyDir":{}`, "an empty map can mean something and stays")
}

func TestObjectIsTheSameForTheSameInput(t *testing.T) {
	first, err := New(configMap("a"))
	require.NoError(t, err)
	want, err := first.MarshalJSON()
	require.NoError(t, err)
	assert.Equal(t, `{"apiVersion":"v1","data":{"a":"2","z":"<1>"},"kind":"ConfigMap","metadata":{"annotations":{"flame.xflops.io/hash":"`+first.Hash+`"},"name":"a","namespace":"team"}}`, string(want))
	for range 50 {
		again, err := New(configMap("a"))
		require.NoError(t, err)
		got, err := again.MarshalJSON()
		require.NoError(t, err)
		require.Equal(t, string(want), string(got))
	}
}

func TestHashIsOfEverythingElse(t *testing.T) {
	base, err := New(configMap("a"))
	require.NoError(t, err)
	assert.Len(t, base.Hash, 16)

	hashed := configMap("a")
	hashed.Annotations = map[string]string{"other": "x"}
	withAnnotation, err := New(hashed)
	require.NoError(t, err)
	assert.NotEqual(t, base.Hash, withAnnotation.Hash)

	edited := configMap("a")
	edited.Data["a"] = "3"
	withData, err := New(edited)
	require.NoError(t, err)
	assert.NotEqual(t, base.Hash, withData.Hash)

	var decoded corev1.ConfigMap
	require.NoError(t, base.Decode(&decoded))
	assert.Equal(t, base.Hash, decoded.Annotations[v1alpha1.AnnotationHash])
	assert.Equal(t, "<1>", decoded.Data["z"])
}

func TestWhatIsNoObjectIsRefused(t *testing.T) {
	_, err := New(nil)
	require.Error(t, err)
}

// A patch is kept as it is: null takes something away, an empty list replaces one.
func TestWhatUsersPatchWithIsKeptWhole(t *testing.T) {
	for _, patch := range []string{`{"a":null}`, `{"a":{"b":[],"c":[null]}}`, `null`, `[]`, `{"<":1.0}`} {
		got, err := JSON(struct {
			Patch *runtime.RawExtension `json:"patch"`
			Value runtime.RawExtension  `json:"value"`
		}{&runtime.RawExtension{Raw: []byte(patch)}, runtime.RawExtension{Raw: []byte(`{"z":1,"a":` + patch + `}`)}})
		require.NoError(t, err)
		want := `{"patch":` + patch + `,"value":{"a":` + patch + `,"z":1}}`
		if patch == "null" || patch == "[]" {
			want = `{"value":{"a":` + patch + `,"z":1}}`
		}
		assert.Equal(t, want, string(got))
	}
}
