package hook_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/internal/rehearsal"
)

// Observed children always lag behind: what is wanted is a matter of the spec alone.
func TestReplicasFollowTheSpecAndNotTheChildren(t *testing.T) {
	c := rehearsal.New("team", "my-flame", spec(`{replicas: 0}`))
	_, answer := settle(t, c)
	replicas, template := executorsIn(t, answer)
	assert.Zero(t, replicas)
	assert.Equal(t, v1alpha1.StateRunning, statusOf(t, answer).State, "no executor is wanted, so none is missing")

	for _, wanted := range []int{10, 2, 7, 0, 7} {
		c.Edit(spec(fmt.Sprintf(`{replicas: %d}`, wanted)))
		body := c.Request()
		for _, observed := range []int{0, 3, 10} {
			stale := strings.NewReplacer(
				`"readyReplicas":`, fmt.Sprintf(`"readyReplicas":%d,"was":`, observed),
				`"availableReplicas":`, fmt.Sprintf(`"availableReplicas":%d,"were":`, max(observed, 1)),
			).Replace(string(body))
			replicas, now := executorsIn(t, answerTo(t, []byte(stale), noon))
			assert.EqualValues(t, wanted, replicas)
			assert.Equal(t, template, now, "no pod restarts")
		}
		sync(t, c, noon) // the Deployment's own status still tells of the edit before
	}
	_, answer = settle(t, c)
	assert.EqualValues(t, 7, statusOf(t, answer).ReadyReplicas)
	assert.Equal(t, v1alpha1.StateRunning, statusOf(t, answer).State)
}

// The API server refuses another selector, and with it every other change.
func TestASelectorThatIsThereIsKept(t *testing.T) {
	c := rehearsal.New("team", "my-flame", nil)
	settle(t, c)
	deployment := c.Child("Deployment", "my-flame-executor-manager")
	labels := deployment["spec"].(map[string]any)["selector"].(map[string]any)["matchLabels"].(map[string]any)
	labels["app"] = "flame"

	c.Edit(spec(`{executorManager: {image: "registry.example.com/e:v9"}}`))
	_, answer := settle(t, c)
	child := children(t, answer)["Deployment my-flame-executor-manager"]
	assert.Contains(t, child, "registry.example.com/e:v9", "the rest of the edit takes place")
	var decoded struct {
		Spec struct {
			Selector struct{ MatchLabels map[string]string }
			Template struct {
				Metadata struct{ Labels map[string]string }
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(child), &decoded))
	assert.Equal(t, "flame", decoded.Spec.Selector.MatchLabels["app"])
	assert.Equal(t, "flame", decoded.Spec.Template.Metadata.Labels["app"], "the Deployment has to find its pods")
	stalled, reason, message := condition(statusOf(t, answer), v1alpha1.ConditionStalled)
	assert.Equal(t, "True", stalled)
	assert.Equal(t, v1alpha1.ReasonImmutableFieldChanged, reason)
	assert.Contains(t, message, "my-flame-executor-manager")
}

func TestNamesAreUsedWholeOrRefused(t *testing.T) {
	for _, length := range []int{1, 40, v1alpha1.MaxNameLength - 1, v1alpha1.MaxNameLength, v1alpha1.MaxNameLength + 1, 50, 63, 64, 253} {
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			name := strings.Repeat("f", length)
			c := rehearsal.New("team", name, nil)
			answer := sync(t, c, noon)
			status := statusOf(t, answer)
			if length > v1alpha1.MaxNameLength {
				assert.Empty(t, children(t, answer))
				_, reason, message := condition(status, v1alpha1.ConditionStalled)
				assert.Equal(t, v1alpha1.ReasonInvalidSpec, reason)
				assert.Contains(t, message, "metadata.name")
				return
			}
			for _, endpoint := range []string{status.Endpoint, status.CacheEndpoint} {
				address, err := url.Parse(endpoint)
				require.NoError(t, err)
				service, rest, _ := strings.Cut(address.Hostname(), ".")
				assert.Equal(t, "team.svc", rest)
				assert.Contains(t, children(t, answer), "Service "+service)
				assert.True(t, strings.HasPrefix(service, name+"-"))
			}
		})
	}
	for _, name := range []string{"Flame", "my.flame", "9flame", "my_flame", "-flame", "flame-"} {
		answer := sync(t, rehearsal.New("team", name, nil), noon)
		assert.Empty(t, children(t, answer), name)
		_, reason, _ := condition(statusOf(t, answer), v1alpha1.ConditionStalled)
		assert.Equal(t, v1alpha1.ReasonInvalidSpec, reason, name)
	}
}

// blocks are the JSON paths of all objects, lists and maps that a spec may have.
func blocks(of reflect.Type, path string) []string {
	var found []string
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		kind := field.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		if name == "" {
			found = append(found, blocks(kind, path)...)
			continue
		}
		below := strings.TrimPrefix(path+"."+name, ".")
		found = append(found, below)
		if kind.Kind() == reflect.Struct && kind.PkgPath() == reflect.TypeFor[v1alpha1.FlameClusterSpec]().PkgPath() {
			found = append(found, blocks(kind, below)...)
		}
	}
	return found
}

// nested is a spec with one field, at a path, set to JSON text.
func nested(path, text string) json.RawMessage {
	for _, name := range slices.Backward(strings.Split(path, ".")) {
		text = fmt.Sprintf("{%q:%s}", name, text)
	}
	return json.RawMessage(text)
}

func TestNullIsAsGoodAsAbsent(t *testing.T) {
	paths := blocks(reflect.TypeFor[v1alpha1.FlameClusterSpec](), "")
	require.Greater(t, len(paths), 60)
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			absent := json.RawMessage(`{}`)
			if i := strings.LastIndex(path, "."); i > 0 {
				absent = nested(path[:i], `{}`)
			}
			want := sync(t, rehearsal.New("team", "my-flame", absent), noon)
			got := sync(t, rehearsal.New("team", "my-flame", nested(path, `null`)), noon)
			assert.Equal(t, string(want), string(got))
		})
	}
}

// Whatever an empty object, list, string or number means, it is answered: with
// children, or with the path of the field that is wrong.
func TestEmptyAndOddValuesAreAnswered(t *testing.T) {
	for _, path := range blocks(reflect.TypeFor[v1alpha1.FlameClusterSpec](), "") {
		for _, value := range []string{"{}", "[]", `""`, "0", "-1", "true", `[null]`, `{"a":null}`, `{"":""}`, `"\u0000"`, "99999999999999999999"} {
			t.Run(path+" "+value, func(t *testing.T) {
				body := rehearsal.New("team", "my-flame", nil)
				body.Parent["spec"] = map[string]any{"odd": "marker"}
				request := strings.Replace(string(body.Request()), `{"odd":"marker"}`, string(nested(path, value)), 1)
				answer := answerTo(t, []byte(request), noon)
				stalled, _, message := condition(statusOf(t, answer), v1alpha1.ConditionStalled)
				if stalled == "" {
					assert.NotEmpty(t, children(t, answer))
					return
				}
				assert.Empty(t, children(t, answer))
				block, _, _ := strings.Cut(path, ".")
				assert.Contains(t, message, "spec."+block)
			})
		}
	}
}

// The API server stores none of these, so a child that had them would differ for ever.
func TestWhatIsEmptyIsLeftOut(t *testing.T) {
	empty := spec(`
imagePullSecrets: []
sessionManager: {env: [], resources: {}, service: {annotations: {}, labels: {}}, podTemplate: {}}
executorManager:
  env: [{name: EMPTY, value: ""}]
  resources: {limits: {}, requests: {}}
  podTemplate:
    metadata: {labels: {}, annotations: {}}
    spec: {nodeSelector: {}, tolerations: [], hostAliases: [], volumes: [], imagePullSecrets: [], containers: []}
objectCache: {podTemplate: {spec: {}}}
extraConfig: {}
`)
	want := rendered(t, json.RawMessage(`{"executorManager":{"env":[{"name":"EMPTY"}]}}`))
	raw, err := json.Marshal(empty)
	require.NoError(t, err)
	got := rendered(t, raw)
	delete(want, "ConfigMap my-flame-last-good")
	delete(got, "ConfigMap my-flame-last-good")
	assert.Equal(t, want, got)
}

func TestWhatIsNoLongerWantedIsLeftOut(t *testing.T) {
	c := rehearsal.New("team", "my-flame", everySpec["every field"])
	_, answer := settle(t, c)
	optional := []string{"NetworkPolicy my-flame", "PodDisruptionBudget my-flame-executor-manager", "Service my-flame-session-manager-external", "Service my-flame-object-cache", "Deployment my-flame-object-cache"}
	for _, child := range optional {
		assert.Contains(t, children(t, answer), child)
	}
	c.Edit(spec(`{objectCache: {enabled: false}}`))
	_, answer = settle(t, c)
	for _, child := range optional {
		assert.NotContains(t, children(t, answer), child)
	}
	assert.Equal(t, v1alpha1.StateRunning, statusOf(t, answer).State)
}

func TestAParentWithoutMoreThanANameIsAnswered(t *testing.T) {
	for _, metadata := range []string{`{"name":"a","namespace":"b"}`, `{"name":"a","namespace":"b","uid":"","generation":0,"labels":null,"annotations":null,"creationTimestamp":null}`} {
		for _, rest := range []string{``, `,"spec":null`, `,"spec":null,"status":null`, `,"spec":{},"status":{}`} {
			for _, members := range []string{``, `,"children":null,"related":null`, `,"children":{},"related":{},"finalizing":false`, `,"children":{"Deployment.apps/v1":null},"related":{"Pod.v1":null}`} {
				body := `{"parent":{"apiVersion":"flame.xflops.io/v1alpha1","kind":"FlameCluster","metadata":` + metadata + rest + `}` + members + `}`
				answer := answerTo(t, []byte(body), noon)
				assert.NotEmpty(t, children(t, answer), body)
				ready, _, _ := condition(statusOf(t, answer), v1alpha1.ConditionReady)
				assert.NotEqual(t, "True", ready)
			}
		}
	}
}
