// Package manifests tests what a person applies.
package manifests

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/canonical"
)

const systemNamespace = "flame-system"

type compositeController struct {
	Spec struct {
		GenerateSelector    bool `json:"generateSelector"`
		ResyncPeriodSeconds int  `json:"resyncPeriodSeconds"`
		ParentResource      struct {
			APIVersion          string `json:"apiVersion"`
			Resource            string `json:"resource"`
			IgnoreStatusChanges bool   `json:"ignoreStatusChanges"`
		} `json:"parentResource"`
		ChildResources []childResource `json:"childResources"`
		Hooks          map[string]struct {
			Version string `json:"version"`
			Webhook struct {
				URL                    string `json:"url"`
				Timeout                string `json:"timeout"`
				ResponseUnMarshallMode string `json:"responseUnMarshallMode"`
			} `json:"webhook"`
		} `json:"hooks"`
	} `json:"spec"`
}

type childResource struct {
	APIVersion     string `json:"apiVersion"`
	Resource       string `json:"resource"`
	UpdateStrategy struct {
		Method string `json:"method"`
	} `json:"updateStrategy"`
}

// install returns the objects in install.yaml.
func install(t *testing.T) []unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile("install.yaml")
	require.NoError(t, err)
	documents := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	var objects []unstructured.Unstructured
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return objects
		}
		require.NoError(t, err)
		var object map[string]any
		require.NoError(t, yaml.UnmarshalStrict(document, &object), "%s", document)
		objects = append(objects, unstructured.Unstructured{Object: object})
	}
}

// only returns the one object of a kind in install.yaml, decoded strictly where
// into is a Kubernetes type.
func only(t *testing.T, kind string, into any) {
	t.Helper()
	var found []unstructured.Unstructured
	for _, object := range install(t) {
		if object.GetKind() == kind {
			found = append(found, object)
		}
	}
	require.Len(t, found, 1, kind)
	text, err := yaml.Marshal(found[0].Object)
	require.NoError(t, err)
	if _, partial := into.(*compositeController); partial {
		require.NoError(t, yaml.Unmarshal(text, into))
		return
	}
	require.NoError(t, yaml.UnmarshalStrict(text, into))
}

func version(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../VERSION")
	require.NoError(t, err)
	return strings.TrimSpace(string(text))
}

func TestInstallHoldsEachObjectOnce(t *testing.T) {
	seen := map[string]bool{}
	kinds := map[string]int{}
	for _, object := range install(t) {
		identity := strings.Join([]string{object.GetAPIVersion(), object.GetKind(), object.GetNamespace(), object.GetName()}, " ")
		assert.NotEmpty(t, object.GetAPIVersion(), identity)
		assert.NotEmpty(t, object.GetName(), identity)
		assert.False(t, seen[identity], identity)
		seen[identity] = true
		kinds[object.GetKind()]++
		switch object.GetKind() {
		case "Namespace", "CustomResourceDefinition", "CompositeController":
			assert.Empty(t, object.GetNamespace(), identity)
		default:
			assert.Equal(t, systemNamespace, object.GetNamespace(), identity)
		}
	}
	assert.Equal(t, map[string]int{
		"Namespace": 1, "CustomResourceDefinition": 1, "Service": 1, "Deployment": 1,
		"PodDisruptionBudget": 1, "CompositeController": 1,
	}, kinds)
}

// kubectl apply -f manifests/ reads the YAML and JSON files that lie in it.
func TestApplyingTheDirectoryIsApplyingInstall(t *testing.T) {
	var applied []string
	for _, pattern := range []string{"*.yaml", "*.yml", "*.json"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		applied = append(applied, names...)
	}
	assert.Equal(t, []string{"install.yaml"}, applied)
}

func TestInstallHoldsTheDefinition(t *testing.T) {
	text, err := os.ReadFile("../crd/flame.xflops.io_flameclusters.yaml")
	require.NoError(t, err)
	var want map[string]any
	require.NoError(t, yaml.Unmarshal(text, &want))
	got := map[string]any{}
	only(t, "CustomResourceDefinition", &got)
	assert.Equal(t, want, got)
}

// A child of a kind that is not listed would be created once and never be updated,
// observed or deleted; a listed kind that is never sent costs a watch and a
// permission for nothing.
func TestTheControllerListsTheKindsThatAreSent(t *testing.T) {
	var controller compositeController
	only(t, "CompositeController", &controller)
	var want []childResource
	for _, kind := range canonical.ChildKinds() {
		child := childResource{APIVersion: kind.APIVersion, Resource: kind.Resource}
		child.UpdateStrategy.Method = "InPlace"
		want = append(want, child)
	}
	assert.ElementsMatch(t, want, controller.Spec.ChildResources)
}

func TestController(t *testing.T) {
	var controller compositeController
	only(t, "CompositeController", &controller)
	spec := controller.Spec
	assert.True(t, spec.GenerateSelector)
	assert.Equal(t, 300, spec.ResyncPeriodSeconds)
	assert.Equal(t, v1alpha1.Group+"/v1alpha1", spec.ParentResource.APIVersion)
	assert.Equal(t, "flameclusters", spec.ParentResource.Resource)
	assert.True(t, spec.ParentResource.IgnoreStatusChanges)

	require.Contains(t, spec.Hooks, "sync")
	require.Contains(t, spec.Hooks, "customize")
	assert.NotContains(t, spec.Hooks, "finalize", "a hook that is down must not block a deletion")
	for name, hook := range spec.Hooks {
		assert.Equal(t, "v2", hook.Version, name)
		assert.Equal(t, "strict", hook.Webhook.ResponseUnMarshallMode, name)
		timeout, err := time.ParseDuration(hook.Webhook.Timeout)
		require.NoError(t, err, name)
		assert.Equal(t, 10*time.Second, timeout, name)
		address, err := url.Parse(hook.Webhook.URL)
		require.NoError(t, err, name)
		assert.Equal(t, "/"+name, address.Path)
		assert.Equal(t, version(t), address.Query().Get("v"), name)
		var service corev1.Service
		only(t, "Service", &service)
		assert.Equal(t, service.Name+"."+service.Namespace, address.Host, name)
	}
}

// One version names the image, in the base and in all components.
func TestOneVersion(t *testing.T) {
	named := regexp.MustCompile(`(?:xflops/flame-hook:v|\?v=)(\S+)`)
	places := 0
	err := filepath.WalkDir(".", func(name string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(name)
		for _, match := range named.FindAllSubmatch(text, -1) {
			places++
			assert.Equal(t, version(t), string(match[1]), name)
		}
		return err
	})
	require.NoError(t, err)
	assert.Greater(t, places, 5)
}

func TestHookPods(t *testing.T) {
	var deployment appsv1.Deployment
	only(t, "Deployment", &deployment)
	assert.EqualValues(t, 2, *deployment.Spec.Replicas)
	assert.Subset(t, deployment.Spec.Template.Labels, deployment.Spec.Selector.MatchLabels)

	pod := deployment.Spec.Template.Spec
	require.NotNil(t, pod.AutomountServiceAccountToken)
	assert.False(t, *pod.AutomountServiceAccountToken, "the hook talks to no API server")
	require.Len(t, pod.Containers, 1)
	hook := pod.Containers[0]
	assert.Equal(t, "xflops/flame-hook:v"+version(t), hook.Image)
	assert.Empty(t, hook.Command)
	assert.Equal(t, "384Mi", hook.Resources.Limits.Memory().String())
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		assert.Contains(t, hook.Resources.Requests, name)
		assert.Contains(t, hook.Resources.Limits, name)
	}
	ports := map[string]int32{}
	for _, port := range hook.Ports {
		ports[port.Name] = port.ContainerPort
	}
	for _, probe := range []*corev1.Probe{hook.StartupProbe, hook.LivenessProbe, hook.ReadinessProbe} {
		require.NotNil(t, probe)
		// The kubelet has no client certificate.
		assert.Equal(t, "admin", probe.HTTPGet.Port.String())
	}
	assert.Contains(t, hook.Args, "--listen=:8080")
	assert.EqualValues(t, 8080, ports["http"])
	assert.Contains(t, hook.Args, "--admin-listen=:9090")
	assert.EqualValues(t, 9090, ports["admin"])

	// Whoever is asked to stop first becomes not ready, then waits for the last
	// request, and has to be done before it is killed.
	drain, shutdown := duration(t, hook.Args, "--drain-delay="), duration(t, hook.Args, "--shutdown-timeout=")
	unready := time.Duration(hook.ReadinessProbe.PeriodSeconds*hook.ReadinessProbe.FailureThreshold) * time.Second
	assert.Greater(t, drain, unready)
	assert.Less(t, drain+shutdown, time.Duration(*pod.TerminationGracePeriodSeconds)*time.Second)
}

func TestHookIsReachedAndKept(t *testing.T) {
	var deployment appsv1.Deployment
	only(t, "Deployment", &deployment)
	var service corev1.Service
	only(t, "Service", &service)
	assert.Equal(t, deployment.Spec.Selector.MatchLabels, service.Spec.Selector)
	require.Len(t, service.Spec.Ports, 1)
	assert.EqualValues(t, 80, service.Spec.Ports[0].Port)
	assert.Equal(t, "http", service.Spec.Ports[0].TargetPort.String())

	var budget policyv1.PodDisruptionBudget
	only(t, "PodDisruptionBudget", &budget)
	assert.Equal(t, deployment.Spec.Selector, budget.Spec.Selector)

	var namespace corev1.Namespace
	only(t, "Namespace", &namespace)
	assert.Equal(t, systemNamespace, namespace.Name)
	assert.Equal(t, "restricted", namespace.Labels["pod-security.kubernetes.io/enforce"])
}

func duration(t *testing.T, args []string, flag string) time.Duration {
	t.Helper()
	for _, arg := range args {
		if value, ok := strings.CutPrefix(arg, flag); ok {
			parsed, err := time.ParseDuration(value)
			require.NoError(t, err)
			return parsed
		}
	}
	require.Fail(t, "missing flag", flag)
	return 0
}
