package hook_test

import (
	"encoding/json"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/hook"
)

// A unit test of your own FlameCluster: what does it get, and is it what you meant?
func ExampleRender() {
	var parent hook.Parent
	err := yaml.Unmarshal([]byte(`
apiVersion: flame.xflops.io/v1alpha1
kind: FlameCluster
metadata: {name: research, namespace: team}
spec:
  replicas: 4
  executorManager:
    resources:
      limits: {cpu: "2", memory: 8Gi}
`), &parent)
	if err != nil {
		fmt.Println(err)
		return
	}
	rendering, err := hook.Render(&parent)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, child := range rendering.Children {
		if child.Kind != "Deployment" {
			continue
		}
		var deployment appsv1.Deployment
		if err := child.Decode(&deployment); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(deployment.Name, *deployment.Spec.Replicas, deployment.Spec.Template.Spec.Containers[0].Image)
	}
	// Output:
	// research-session-manager 1 xflops/flame-session-manager:v0.6.0
	// research-object-cache 1 xflops/flame-object-cache:v0.6.0
	// research-executor-manager 4 xflops/flame-executor-manager:v0.6.0
}

// Every fault of a spec is reported at once, with its field path.
func ExampleJudge() {
	judgement := hook.Judge("research", json.RawMessage(`{"replicas": -1, "executorManager": {"shim": "docker"}}`))
	for _, err := range judgement.Errors {
		fmt.Println(err.Field)
	}
	// Output:
	// spec.replicas
	// spec.executorManager.shim
}

// The answer to a request that Metacontroller would send for a new FlameCluster.
func ExampleSync() {
	request, err := hook.DecodeRequest([]byte(`{
		"parent": {
			"apiVersion": "flame.xflops.io/v1alpha1", "kind": "FlameCluster",
			"metadata": {"name": "research", "namespace": "team", "generation": 1, "creationTimestamp": "2026-01-01T00:00:00Z"},
			"spec": {}
		},
		"children": {}, "related": {}, "finalizing": false
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	response, err := hook.Sync(request, time.Date(2026, 1, 1, 0, 0, 1, 0, time.UTC))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.Status.State)
	for _, child := range response.Children {
		fmt.Println(child.Kind, child.Name)
	}
	// Output:
	// Pending
	// ConfigMap research-config
	// ConfigMap research-client
	// ConfigMap research-last-good
	// Service research-session-manager
	// Service research-object-cache
	// Deployment research-session-manager
	// Deployment research-object-cache
}
