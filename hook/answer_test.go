package hook_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	strictjson "sigs.k8s.io/json"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/canonical"
	"github.com/xflops/flame-operator/internal/rehearsal"
)

// anyTree calls visit for every value below a JSON value, with its path.
func anyTree(path string, v any, visit func(path string, v any)) {
	visit(path, v)
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			anyTree(path+"."+key, value, visit)
		}
	case []any:
		for _, item := range v {
			anyTree(path+"[]", item, visit)
		}
	}
}

func TestNoChildHoldsWhatIsNeverSettled(t *testing.T) {
	kinds := map[string]bool{}
	for _, kind := range canonical.ChildKinds() {
		kinds[kind.APIVersion+" "+kind.Kind] = true
	}
	for name, given := range goodSpecs(t) {
		t.Run(name, func(t *testing.T) {
			for identity, child := range rendered(t, given) {
				assert.Contains(t, kinds, child["apiVersion"].(string)+" "+child["kind"].(string))
				metadata := member(child, "metadata")
				assert.Equal(t, "team", metadata["namespace"], identity)
				assert.Subset(t, []string{"name", "namespace", "labels", "annotations"}, keysOf(metadata), identity)
				assert.NotContains(t, child, "status")
				anyTree(identity, child, func(path string, v any) {
					switch v := v.(type) {
					case nil:
						assert.Fail(t, "null", path)
					case []any:
						assert.NotEmpty(t, v, path)
					case string:
						assert.NotEmpty(t, v, path)
						assert.NotContains(t, v, "cluster.local", path)
						assert.NotContains(t, v, "controller-uid", path)
					case map[string]any:
						assert.NotContains(t, v, "controller-uid", path)
						if strings.HasSuffix(path, ".fieldRef") {
							assert.Equal(t, "v1", v["apiVersion"], path)
						}
						if strings.HasSuffix(path, ".template.spec") {
							assert.Equal(t, false, v["enableServiceLinks"], path)
						}
						for _, emptied := range []string{"nodeSelector", "labels", "annotations", "data", "matchLabels"} {
							if inner, found := v[emptied].(map[string]any); found {
								assert.NotEmpty(t, inner, path+"."+emptied)
							}
						}
					}
				})
			}
		})
	}
}

func keysOf(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	return keys
}

// A Service that selects other labels than the pods have loses its traffic, and a
// changed selector of a Deployment is refused.
func TestSelectorsSurviveEveryEdit(t *testing.T) {
	selectors := map[string]string{}
	for name, given := range goodSpecs(t) {
		children := rendered(t, given)
		pods := map[string]map[string]any{}
		for identity, child := range children {
			if child["kind"] == "Deployment" {
				template := member(member(child, "spec"), "template")
				pods[identity] = member(member(template, "metadata"), "labels")
			}
		}
		for identity, child := range children {
			selector := member(child, "spec")["selector"]
			if selector == nil {
				continue
			}
			raw, err := json.Marshal(selector)
			require.NoError(t, err)
			if _, seen := selectors[identity]; !seen {
				selectors[identity] = string(raw)
			}
			assert.Equal(t, selectors[identity], string(raw), "%s: %s", name, identity)
			labels := selector.(map[string]any)
			if inner, found := labels["matchLabels"].(map[string]any); found {
				labels = inner
			}
			assert.Len(t, matching(pods, labels), 1, "%s: %s selects the pods of one component", name, identity)
		}
	}
}

func matching(pods map[string]map[string]any, selector map[string]any) []string {
	var found []string
	for name, labels := range pods {
		all := true
		for key, value := range selector {
			all = all && labels[key] == value
		}
		if all {
			found = append(found, name)
		}
	}
	return found
}

func TestTheApplicationLabelsAreTheUsersToChange(t *testing.T) {
	c := rehearsal.New("team", "my-flame", spec(`
sessionManager: {podTemplate: {metadata: {labels: {app.kubernetes.io/name: mine, app.kubernetes.io/instance: mine, app.kubernetes.io/component: mine}}}}
executorManager: {podTemplate: {metadata: {labels: {app.kubernetes.io/name: mine}}}}`))
	_, answer := settle(t, c)
	assert.Equal(t, v1alpha1.StateRunning, statusOf(t, answer).State)
	assert.Contains(t, children(t, answer)["Deployment my-flame-executor-manager"], `"app.kubernetes.io/name":"mine"`)

	plain := rehearsal.New("team", "my-flame", nil)
	_, answer = settle(t, plain)
	before := children(t, answer)
	plain.Parent["metadata"].(map[string]any)["labels"] = map[string]any{"app.kubernetes.io/name": "mine", v1alpha1.LabelCluster: "other"}
	assert.Equal(t, before, children(t, sync(t, plain, noon)), "labels of the FlameCluster go nowhere")
}

// strictAnswer has the fields that Metacontroller knows.
type strictAnswer struct {
	Status             map[string]any   `json:"status"`
	Children           []map[string]any `json:"children"`
	ResyncAfterSeconds float64          `json:"resyncAfterSeconds"`
	Finalized          bool             `json:"finalized"`
}

// Metacontroller decodes answers of hook v2 strictly: an unknown or repeated field fails
// the call.
func TestAnswersDecodeAsMetacontrollerDecodesThem(t *testing.T) {
	for name, given := range everySpec {
		t.Run(name, func(t *testing.T) {
			c := rehearsal.New("team", "my-flame", given)
			for range 3 {
				answer := sync(t, c, noon)
				var decoded strictAnswer
				strict, err := strictjson.UnmarshalStrict(answer, &decoded)
				require.NoError(t, err)
				assert.Empty(t, strict)
				assert.NotEmpty(t, decoded.Status)
				assert.NotEmpty(t, decoded.Children)
				assert.False(t, decoded.Finalized, "of a sync, it would have the finalizer removed and added for ever")
				anyTree("status", decoded.Status, func(path string, v any) {
					assert.NotNil(t, v, path)
					if number, isFloat := v.(float64); isFloat {
						assert.Fail(t, "not a whole number", "%s: %v", path, number)
					}
				})
				c.Ready()
			}
		})
	}
}

// shuffled writes a JSON value with the members of every object in a random order.
func shuffled(t *testing.T, random *rand.Rand, raw []byte) []byte {
	t.Helper()
	trimmed := bytes.TrimSpace(raw)
	var out bytes.Buffer
	switch trimmed[0] {
	case '{':
		var members map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(trimmed, &members))
		names := make([]string, 0, len(members))
		for name := range members {
			names = append(names, name)
		}
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		out.WriteByte('{')
		for i, name := range names {
			if i > 0 {
				out.WriteByte(',')
			}
			key, err := json.Marshal(name)
			require.NoError(t, err)
			out.Write(key)
			out.WriteByte(':')
			out.Write(shuffled(t, random, members[name]))
		}
		out.WriteByte('}')
	case '[':
		var items []json.RawMessage
		require.NoError(t, json.Unmarshal(trimmed, &items))
		out.WriteByte('[')
		for i, item := range items {
			if i > 0 {
				out.WriteByte(',')
			}
			out.Write(shuffled(t, random, item))
		}
		out.WriteByte(']')
	default:
		out.Write(trimmed)
	}
	return out.Bytes()
}

func TestTheOrderOfTheRequestMeansNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"empty spec", "every field"} {
		c := rehearsal.New("team", "my-flame", everySpec[name])
		c.Pods = map[string]any{}
		for _, uid := range []string{"a", "b", "c", "d"} {
			pod := sessionManagerPod("my-flame", uid, 7)
			pod["metadata"].(map[string]any)["name"] = "my-flame-session-manager-" + uid
			pod["status"] = map[string]any{
				"phase": "Pending",
				"containerStatuses": []any{map[string]any{
					"name": "session-manager", "image": "x", "restartCount": 7,
					"state": map[string]any{"waiting": map[string]any{"reason": "ImagePullBackOff", "message": "no such image " + uid}},
				}},
			}
			c.Pods["my-flame-session-manager-"+uid] = pod
		}
		for range 3 {
			body := c.Request()
			want := string(answerTo(t, body, noon))
			for range 30 {
				require.Equal(t, want, string(answerTo(t, shuffled(t, random, body), noon)))
			}
			sync(t, c, noon)
			c.Ready()
		}
	}
}
