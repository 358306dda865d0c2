package observed

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	kjson "sigs.k8s.io/json"

	"github.com/xflops/flame-operator/hook/internal/jsonread"
)

// whole is a request decoded with all that its objects have.
type whole struct {
	Children struct {
		ConfigMaps           map[string]*corev1.ConfigMap             `json:"ConfigMap.v1"`
		Deployments          map[string]*appsv1.Deployment            `json:"Deployment.apps/v1"`
		Services             map[string]*corev1.Service               `json:"Service.v1"`
		PodDisruptionBudgets map[string]*policyv1.PodDisruptionBudget `json:"PodDisruptionBudget.policy/v1"`
		NetworkPolicies      map[string]*networkingv1.NetworkPolicy   `json:"NetworkPolicy.networking.k8s.io/v1"`
	} `json:"children"`
	Related struct {
		Pods map[string]*corev1.Pod `json:"Pod.v1"`
	} `json:"related"`
}

// views are what this package keeps of it.
type views struct {
	Children Children
	// Pods are by the key that they have in the request.
	Pods map[string]*Pod
	// Data is what the ConfigMaps hold.
	Data map[string]map[string]string
}

func readViews(body string) (views, error) {
	v := views{Pods: map[string]*Pod{}, Data: map[string]map[string]string{}}
	var related Related
	r := jsonread.New(body)
	for name := range r.Members() {
		switch name {
		case "children":
			v.Children.Read(r)
		case "related":
			related.Read(r)
		}
	}
	for name, c := range v.Children.ConfigMaps {
		v.Data[name] = c.Data()
	}
	for key, text := range related.pods {
		pod := jsonread.New(text)
		v.Pods[key] = &Pod{}
		v.Pods[key].read(pod)
		if err := pod.End(); err != nil {
			return v, err
		}
	}
	return v, r.End()
}

// views makes the views of whole objects, by way of the JSON that these are written
// as. It reports false if two children of a kind have one name.
func (w *whole) views(t *testing.T) (views, bool) {
	t.Helper()
	v := views{Data: map[string]map[string]string{}}
	for _, c := range w.Children.ConfigMaps {
		if c != nil {
			v.Data[c.Name] = c.Data
		}
	}
	unique := [...]bool{
		viewByName(t, w.Children.ConfigMaps, &v.Children.ConfigMaps),
		viewByName(t, w.Children.Deployments, &v.Children.Deployments),
		viewByName(t, w.Children.Services, &v.Children.Services),
		viewByName(t, w.Children.PodDisruptionBudgets, &v.Children.PodDisruptionBudgets),
		viewByName(t, w.Children.NetworkPolicies, &v.Children.NetworkPolicies),
	}
	for _, d := range v.Children.Deployments {
		keepOurs(d.Spec.Template.Metadata.Annotations)
	}
	convert(t, w.Related.Pods, &v.Pods)
	for _, pod := range v.Pods {
		if pod != nil {
			keepOurs(pod.Metadata.Annotations)
		}
	}
	return v, !slices.Contains(unique[:], false)
}

func viewByName[O, T any, C child[T]](t *testing.T, objects map[string]*O, into *map[string]C) bool {
	t.Helper()
	var keyed map[string]C
	convert(t, objects, &keyed)
	*into = map[string]C{}
	for key, object := range keyed {
		if object == nil {
			delete(keyed, key)
			continue
		}
		keepOurs(object.meta().Annotations)
		(*into)[object.meta().Name] = object
	}
	return len(*into) == len(keyed)
}

func keepOurs(annotations map[string]string) {
	maps.DeleteFunc(annotations, func(name, _ string) bool { return !isOurs(name) })
}

func convert(t *testing.T, from, into any) {
	t.Helper()
	text, err := json.Marshal(from)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, into))
}

// FuzzViews reads requests and compares every view with the whole object, as the API
// server's decoder reads it.
func FuzzViews(f *testing.F) {
	recorded, err := filepath.Glob("../../test/golden/requests/*.json")
	require.NoError(f, err)
	require.NotEmpty(f, recorded)
	for _, file := range recorded {
		body, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(body)
	}
	for _, body := range []string{
		`{"children":null,"related":null}`, `{"children":{"ConfigMap.v1":null},"related":{"Pod.v1":null}}`, `{"children":[]}`, `{"related":7}`,
		`{"children":{"ConfigMap.v1":{"a":{"metadata":{"name":"a"},"data":{"k":"\u0000\ud800"}}}}}`,
		`{"children":{"ConfigMap.v1":{"a":{"Metadata":{"name":"a"},"DATA":{"k":"v"}}}}}`,
		`{"children":{"Deployment.apps/v1":{"a":{"metadata":{"name":"a","generation":null},"spec":{"replicas":null,"selector":{"matchExpressions":[{"key":"k","operator":"In","values":["v"]}]}}}}}}`,
		`{"children":{"Deployment.apps/v1":{"a":{"metadata":{"name":"a","deletionTimestamp":"2026-11-30T20:34:47Z"},"status":{"replicas":1.5}}}}}`,
		`{"related":{"Pod.v1":{"a":{"metadata":{"name":"a"},"status":{"containerStatuses":[{"name":"c","restartCount":3,"state":{"running":{}},"lastState":{"terminated":{"exitCode":1,"finishedAt":"2026-11-30T20:34:47Z"}}}]}}}}}`,
		`{"related":{"Pod.v1":{"a":{"status":{"initContainerStatuses":[null,{"state":{"waiting":{"reason":"r"}}}],"conditions":[]}}}}}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := readViews(string(body))
		var full whole
		duplicates, fullErr := kjson.UnmarshalStrict(body, &full, kjson.DisallowDuplicateFields)
		if fullErr != nil {
			return
		}
		require.NoError(t, err, "what whole objects can be made of, views can be made of")
		want, unique := full.views(t)
		if unique && len(duplicates) == 0 {
			require.Equal(t, withoutEmpty(t, want), withoutEmpty(t, got))
		}
	})
}

// withoutEmpty is a value as a tree, without what is as good as absent.
func withoutEmpty(t *testing.T, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	var tree any
	require.NoError(t, json.Unmarshal(text, &tree))
	return pruned(tree)
}

func pruned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if member = pruned(member); member == nil {
				delete(v, name)
			} else {
				v[name] = member
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i := range v {
			v[i] = pruned(v[i])
		}
		if len(v) == 0 {
			return nil
		}
	}
	return v
}
