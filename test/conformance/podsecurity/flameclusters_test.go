package podsecurity

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/pod-security-admission/api"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/hook/canonical"
)

// everything switches on what adds containers, volumes or capabilities to pods.
const everything = `
replicas: 3
sessionManager:
  storage: {type: sqlite, secretRef: {name: storage, key: url}}
  volumeSource: {persistentVolumeClaim: {claimName: state}}
  service: {type: LoadBalancer}
executorManager:
  resources: {limits: {cpu: "4", memory: 8Gi, nvidia.com/gpu: "1"}}
  podDisruptionBudget: {maxUnavailable: 1}
  volumeSource:
    ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}
  podTemplate:
    spec:
      initContainers: [{name: prepare, image: busybox, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]
objectCache:
  volumeSource: {persistentVolumeClaim: {claimName: objects}}
networkPolicy: {enabled: true}
tls: {sessionManager: {secretName: session-tls}, objectCache: {secretName: cache-tls}}
`

// specs are the FlameClusters of all examples by file, and one with everything.
func specs(t *testing.T) map[string]map[string]any {
	t.Helper()
	files, err := filepath.Glob("../../../examples/*.yaml")
	require.NoError(t, err)
	require.Greater(t, len(files), 4)
	all := map[string]map[string]any{"everything": {}}
	spec := all["everything"]
	require.NoError(t, yaml.Unmarshal([]byte(everything), &spec))
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(raw)))
		for {
			document, err := documents.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err, file)
			var object struct {
				Kind string         `json:"kind"`
				Spec map[string]any `json:"spec"`
			}
			require.NoError(t, yaml.Unmarshal(document, &object), file)
			if object.Kind == "FlameCluster" {
				all[filepath.Base(file)] = object.Spec
			}
		}
	}
	require.Greater(t, len(all), len(files), "every example has a FlameCluster")
	return all
}

// pods are the pod templates that a FlameCluster gets, by Deployment.
func pods(t *testing.T, spec map[string]any) map[string]corev1.PodTemplateSpec {
	t.Helper()
	parent := &hook.Parent{}
	raw, err := json.Marshal(map[string]any{
		"apiVersion": "flame.xflops.io/v1alpha1", "kind": "FlameCluster",
		"metadata": map[string]any{"name": "flame", "namespace": "default"}, "spec": spec,
	})
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, parent))
	rendering, err := hook.Render(parent)
	require.NoError(t, err)
	require.Empty(t, rendering.Errors)
	found := map[string]corev1.PodTemplateSpec{}
	for _, deployment := range deployments(t, rendering.Children) {
		found[deployment.Name] = deployment.Spec.Template
	}
	require.GreaterOrEqual(t, len(found), 2, "session manager and executors, at least")
	return found
}

func deployments(t *testing.T, children []canonical.Object) []appsv1.Deployment {
	t.Helper()
	var found []appsv1.Deployment
	for _, child := range children {
		raw, err := json.Marshal(child)
		require.NoError(t, err)
		var deployment appsv1.Deployment
		if json.Unmarshal(raw, &deployment) == nil && deployment.Kind == "Deployment" {
			found = append(found, deployment)
		}
	}
	return found
}

// usesHostPath says whether a pod has a volume that no level but "privileged" allows,
// because the FlameCluster asks for it.
func usesHostPath(template corev1.PodTemplateSpec) bool {
	for _, volume := range template.Spec.Volumes {
		if volume.HostPath != nil {
			return true
		}
	}
	return false
}

func TestFlameClusters(t *testing.T) {
	for name, spec := range specs(t) {
		t.Run(name, func(t *testing.T) {
			for deployment, template := range pods(t, spec) {
				for _, objection := range objections(t, api.LevelRestricted, template) {
					if usesHostPath(template) && strings.Contains(objection, "olume") {
						continue
					}
					t.Errorf("restricted forbids %s: %s", deployment, objection)
				}
			}
			spec["podSecurity"] = "ImageDefault"
			for deployment, template := range pods(t, spec) {
				if !usesHostPath(template) {
					assert.Empty(t, objections(t, api.LevelBaseline, template), "baseline forbids %s", deployment)
				}
			}
		})
	}
}

// A hostPath that a user asks for is all that Pod Security can object to.
func TestHostPath(t *testing.T) {
	spec := map[string]any{"objectCache": map[string]any{"volumeSource": map[string]any{"hostPath": map[string]any{"path": "/data"}}}}
	for deployment, template := range pods(t, spec) {
		found := objections(t, api.LevelRestricted, template)
		if deployment != "flame-object-cache" {
			assert.Empty(t, found, deployment)
			continue
		}
		assert.NotEmpty(t, found)
		for _, objection := range found {
			assert.Regexp(t, "hostPath", objection)
		}
	}
}
