package hook_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/internal/rehearsal"
)

const annotationLastApplied = "metacontroller.k8s.io/last-applied-configuration"

// handEdits are what people do to children with kubectl and what Metacontroller's merge
// alone would leave there, or make an object of that the API server refuses.
var handEdits = map[string]struct {
	kind, name string
	edit       func(spec map[string]any)
	path       string
}{
	"another port": {"Service", "my-flame-session-manager", func(spec map[string]any) {
		spec["ports"].([]any)[0].(map[string]any)["port"] = 9999.0
	}, "spec.ports[9999]"},
	"both ports": {"Service", "my-flame-session-manager", func(spec map[string]any) {
		for i, p := range spec["ports"].([]any) {
			p.(map[string]any)["port"] = 9000.0 + float64(i)
		}
	}, "spec.ports[9000], spec.ports[9001]"},
	"the only port, without a name": {"Service", "my-flame-object-cache", func(spec map[string]any) {
		spec["ports"] = []any{map[string]any{"port": 9999.0, "protocol": "TCP", "targetPort": 9999.0}}
	}, "spec.ports[9999]"},
	"one port without a name": {"Service", "my-flame-session-manager", func(spec map[string]any) {
		spec["ports"] = []any{map[string]any{"port": 9999.0, "protocol": "TCP", "targetPort": 9999.0}}
	}, "spec.ports[9999]"},
	"a port under the name of another": {"Service", "my-flame-session-manager", func(spec map[string]any) {
		ports := spec["ports"].([]any)
		ports[0].(map[string]any)["name"] = "web"
		spec["ports"] = append(ports, map[string]any{"name": "frontend", "port": 9999.0, "protocol": "TCP", "targetPort": 9999.0})
	}, "spec.ports[9999]"},
	"a label more to select": {"Service", "my-flame-object-cache", func(spec map[string]any) {
		member(spec, "selector")["app"] = "another"
	}, "spec.selector[app]"},
	"a label more that executors need": {"PodDisruptionBudget", "my-flame-executor-manager", func(spec map[string]any) {
		member(member(spec, "selector"), "matchLabels")["app"] = "another"
	}, "spec.selector[matchLabels][app]"},
	"an expression in a selector": {"PodDisruptionBudget", "my-flame-executor-manager", func(spec map[string]any) {
		member(spec, "selector")["matchExpressions"] = []any{map[string]any{"key": "app", "operator": "Exists"}}
	}, "spec.selector[matchExpressions]"},
	"the other limit": {"PodDisruptionBudget", "my-flame-executor-manager", func(spec map[string]any) {
		delete(spec, "maxUnavailable")
		spec["minAvailable"] = "50%"
	}, "spec.minAvailable"},
	"a policy for fewer pods": {"NetworkPolicy", "my-flame", func(spec map[string]any) {
		member(member(spec, "podSelector"), "matchLabels")["app"] = "another"
	}, "spec.podSelector[matchLabels][app]"},
	"a rollout that was paused":  {"Deployment", "my-flame-session-manager", func(spec map[string]any) { spec["paused"] = true }, "spec.paused"},
	"executors that were paused": {"Deployment", "my-flame-executor-manager", func(spec map[string]any) { spec["paused"] = true }, "spec.paused"},
	"another strategy": {"Deployment", "my-flame-object-cache", func(spec map[string]any) {
		spec["strategy"] = map[string]any{"type": "RollingUpdate", "rollingUpdate": map[string]any{"maxSurge": "25%", "maxUnavailable": 0.0}}
	}, "spec.strategy.rollingUpdate"},
}

// edited is a cluster at rest in which somebody edits a child, by dynamic apply or not.
func edited(t *testing.T, kind, name string, edit func(spec map[string]any), dynamic bool) (c *rehearsal.Cluster, child, before map[string]any) {
	t.Helper()
	c = rehearsal.New("team", "my-flame", spec(`{replicas: 3, executorManager: {podDisruptionBudget: {}}, networkPolicy: {enabled: true}}`))
	_, answer := settle(t, c)
	child = c.Child(kind, name)
	require.NotNil(t, child)
	child["spec"] = stored(child)["spec"]
	before = *jsonTree(child, &map[string]any{}).(*map[string]any)
	if dynamic {
		member(member(child, "metadata"), "annotations")[annotationLastApplied] = children(t, answer)[kind+" "+name]
	}
	edit(member(child, "spec"))
	return c, child, before
}

// refusedBy says why the API server would refuse the spec, for the reasons that come up
// here; "" if it takes it.
func refusedBy(spec map[string]any) string {
	ports, _ := spec["ports"].([]any)
	names := map[any]bool{}
	for _, p := range ports {
		name := p.(map[string]any)["name"]
		if names[name] || name == nil && len(ports) > 1 {
			return fmt.Sprintf("the ports' names: %v", ports)
		}
		names[name] = true
	}
	if spec["minAvailable"] != nil && spec["maxUnavailable"] != nil {
		return "two limits"
	}
	if strategy := member(spec, "strategy"); strategy["type"] == "Recreate" && strategy["rollingUpdate"] != nil {
		return "two strategies"
	}
	return ""
}

// report answers, and takes no more of the answer than the status.
func report(t *testing.T, c *rehearsal.Cluster, at time.Time) v1alpha1.FlameClusterStatus {
	t.Helper()
	status := statusOf(t, answerTo(t, c.Request(), at))
	c.Parent["status"] = *jsonTree(status, &map[string]any{}).(*map[string]any)
	return status
}

// What becomes of a child when an answer is applied.
const (
	written = "written"
	same    = "same"
	refused = "refused"
)

// mergeAnswer answers, and applies the answer to one child as dynamic apply does.
func mergeAnswer(t *testing.T, c *rehearsal.Cluster, kind, name string, at time.Time) string {
	t.Helper()
	child := c.Child(kind, name)
	annotations := member(member(child, "metadata"), "annotations")
	answer := answerTo(t, c.Request(), at)
	text := children(t, answer)[kind+" "+name]
	desired, applied := map[string]any{}, map[string]any{}
	require.NoError(t, json.Unmarshal([]byte(text), &desired))
	require.NoError(t, json.Unmarshal([]byte(annotations[annotationLastApplied].(string)), &applied))
	merged, _ := dynamicApply(child["spec"], applied["spec"], desired["spec"]).(map[string]any)
	c.Parent["status"] = *jsonTree(statusOf(t, answer), &map[string]any{}).(*map[string]any)
	if refusedBy(merged) != "" {
		return refused
	}
	after := stored(map[string]any{"kind": kind, "spec": merged})["spec"]
	if annotations[annotationLastApplied] == text && assert.ObjectsAreEqual(child["spec"], after) {
		return same
	}
	child["spec"] = after
	member(child, "metadata")["annotations"] = member(member(desired, "metadata"), "annotations")
	member(member(child, "metadata"), "annotations")[annotationLastApplied] = text
	return written
}

// Metacontroller takes away what it sent before, and nothing else. So what somebody added
// is sent once before it is left out, and every write on the way is one that the API
// server takes.
func TestHandEditsAreUndone(t *testing.T) {
	for name, by := range handEdits {
		t.Run(name, func(t *testing.T) {
			c, child, before := edited(t, by.kind, by.name, by.edit, true)
			for _, outcome := range []string{written, written, same} {
				assert.Equal(t, outcome, mergeAnswer(t, c, by.kind, by.name, noon))
			}
			assert.Equal(t, ordered(before["spec"]), ordered(child["spec"]))
			hash := func(child map[string]any) any {
				return member(member(child, "metadata"), "annotations")[v1alpha1.AnnotationHash]
			}
			assert.Equal(t, hash(before), hash(child), "nothing is rolled out when the mark goes")
			ready, _, message := condition(report(t, c, noon), v1alpha1.ConditionReady)
			assert.Equal(t, "True", ready, message)

			mergeAnswer(t, c, by.kind, by.name, noon.Add(time.Hour))
			assert.NotContains(t, member(member(child, "metadata"), "annotations"), v1alpha1.AnnotationStraysSent, "the mark goes in the end")
			ready, _, message = condition(report(t, c, noon.Add(time.Hour)), v1alpha1.ConditionReady)
			assert.Equal(t, "True", ready, message)
		})
	}
}

// Whoever edits by hand may edit twice, and the spec may change meanwhile.
func TestHandEditsAreUndoneWhateverElseChanges(t *testing.T) {
	specs := []string{
		`{replicas: 3, executorManager: {podDisruptionBudget: {}}, networkPolicy: {enabled: true}}`,
		`{replicas: 3, suspend: true, executorManager: {podDisruptionBudget: {}}, networkPolicy: {enabled: true}}`,
		`{replicas: 4, executorManager: {image: "example.com/e:1", podDisruptionBudget: {maxUnavailable: 2}}, networkPolicy: {enabled: true}}`,
		`{replicas: 3, sessionManager: {image: "example.com/s:1", service: {port: 18080}}, objectCache: {image: "example.com/c:1", service: {port: 8081}},
		  executorManager: {podDisruptionBudget: {}}, networkPolicy: {enabled: true}}`,
	}
	for name, first := range handEdits {
		for again, second := range handEdits {
			if first.kind != second.kind || first.name != second.name {
				continue
			}
			for i, next := range specs {
				if i > 0 && name != again {
					break
				}
				if i == 3 && first.name == "my-flame-executor-manager" {
					// Executors wait for the session manager, which no answer reaches here.
					continue
				}
				t.Run(fmt.Sprintf("%s, %s, spec %d", name, again, i), func(t *testing.T) {
					c, child, _ := edited(t, first.kind, first.name, first.edit, true)
					requireSafe := func() {
						strategy := member(member(child, "spec"), "strategy")
						require.True(t, first.name == "my-flame-executor-manager" || strategy["type"] != "RollingUpdate" || member(child, "spec")["paused"] == true,
							"pods are replaced by another strategy")
					}
					mergeAnswer(t, c, first.kind, first.name, noon)
					requireSafe()
					second.edit(member(child, "spec"))
					c.Edit(spec(next))
					for _, minute := range []int{0, 0, 0, 6, 6} {
						outcome := mergeAnswer(t, c, first.kind, first.name, noon.Add(time.Duration(minute)*time.Minute))
						require.False(t, outcome == refused && name != again)
						requireSafe()
					}
					mergeAnswer(t, c, first.kind, first.name, noon.Add(time.Hour))
					require.Equal(t, same, mergeAnswer(t, c, first.kind, first.name, noon.Add(time.Hour)))
					fresh, err := json.Marshal(spec(next))
					require.NoError(t, err)
					want := stored(rendered(t, fresh)[first.kind+" "+first.name])["spec"].(map[string]any)
					now := member(child, "spec")
					for _, later := range []string{"template", "replicas"} {
						delete(want, later)
						delete(now, later)
					}
					assert.Equal(t, ordered(want), ordered(now))
				})
			}
		}
	}
}

// The status tells what is being taken out from what was wanted before, however long the
// next call takes to come.
func TestTheStatusTellsStraysFromWhatWasWanted(t *testing.T) {
	by := handEdits["another port"]
	c, _, _ := edited(t, by.kind, by.name, by.edit, true)
	require.Equal(t, written, mergeAnswer(t, c, by.kind, by.name, noon))
	_, _, message := condition(report(t, c, noon.Add(time.Hour)), v1alpha1.ConditionStalled)
	assert.Contains(t, message, "in its way: spec.ports[9999];")

	require.Equal(t, written, mergeAnswer(t, c, by.kind, by.name, noon))
	c.Edit(spec(`{replicas: 3, sessionManager: {service: {port: 18080}}}`))
	report(t, c, noon)
	_, _, message = condition(report(t, c, noon.Add(time.Minute)), v1alpha1.ConditionStalled)
	assert.Contains(t, message, "Service my-flame-session-manager")
	assert.NotContains(t, message, "in its way")
}

// What puts a stray back at every write must not keep the cluster busy.
func TestAStrayThatComesBackIsReported(t *testing.T) {
	for _, name := range []string{"a label more to select", "a rollout that was paused"} {
		t.Run(name, func(t *testing.T) {
			by := handEdits[name]
			c, child, _ := edited(t, by.kind, by.name, by.edit, true)
			writes := 0
			for call := range 24 {
				if mergeAnswer(t, c, by.kind, by.name, noon.Add(time.Duration(call)*10*time.Second)) == written {
					writes++
				}
				by.edit(member(child, "spec"))
			}
			assert.Equal(t, 2, writes, "writes in four minutes")
			if by.kind == "Service" {
				_, reason, message := condition(report(t, c, noon.Add(4*time.Minute)), v1alpha1.ConditionStalled)
				assert.Equal(t, v1alpha1.ReasonApplyFailed, reason)
				assert.Contains(t, message, "in its way: "+by.path+";")
			}
			assert.Equal(t, written, mergeAnswer(t, c, by.kind, by.name, noon.Add(6*time.Minute)), "another try")
		})
	}
}

// Neither must two that take turns.
func TestStraysThatTakeTurnsAreLeftAlone(t *testing.T) {
	c, child, _ := edited(t, "Service", "my-flame-object-cache", func(map[string]any) {}, true)
	writes := 0
	for call := range 24 {
		member(member(child, "spec"), "selector")[[]string{"a", "b"}[call/2%2]] = "x"
		if mergeAnswer(t, c, "Service", "my-flame-object-cache", noon.Add(time.Duration(call)*10*time.Second)) == written {
			writes++
		}
	}
	assert.LessOrEqual(t, writes, 4, "writes in four minutes")
}

// A Deployment that keeps its selector keeps it while a stray is taken out, and the
// status tells of both.
func TestAKeptSelectorIsKeptWithAStray(t *testing.T) {
	const name = "my-flame-session-manager"
	c, child, _ := edited(t, "Deployment", name, func(spec map[string]any) {
		spec["paused"] = true
		member(member(spec, "selector"), "matchLabels")["app"] = "flame"
	}, true)
	for range 3 {
		mergeAnswer(t, c, "Deployment", name, noon)
		_, reason, _ := condition(report(t, c, noon), v1alpha1.ConditionStalled)
		assert.Equal(t, v1alpha1.ReasonImmutableFieldChanged, reason)
	}
	assert.NotContains(t, member(child, "spec"), "paused")
	assert.Equal(t, "flame", member(member(member(child, "spec"), "selector"), "matchLabels")["app"])
}

// The API server sends no null, but others read the same JSON.
func TestANullIsNoStray(t *testing.T) {
	edit := func(spec map[string]any) { spec["minAvailable"] = nil }
	c, _, _ := edited(t, "PodDisruptionBudget", "my-flame-executor-manager", edit, true)
	ready, _, message := condition(report(t, c, noon), v1alpha1.ConditionReady)
	assert.Equal(t, "True", ready, message)
}

// A cluster that rests suspended has not been ready for long, and an edit begins now.
func TestAHandEditOfASuspendedClusterIsNoTroubleAtOnce(t *testing.T) {
	for _, dynamic := range []bool{true, false} {
		by := handEdits["a label more to select"]
		c, _, _ := edited(t, by.kind, by.name, func(map[string]any) {}, dynamic)
		c.Edit(spec(`{replicas: 3, suspend: true}`))
		_, answer := settle(t, c)
		require.Equal(t, v1alpha1.StateSuspended, statusOf(t, answer).State)
		child := c.Child(by.kind, by.name)
		child["spec"] = stored(child)["spec"]
		if dynamic {
			member(member(child, "metadata"), "annotations")[annotationLastApplied] = children(t, answer)[by.kind+" "+by.name]
		}
		by.edit(member(child, "spec"))
		later := noon.Add(time.Hour)
		for range 3 {
			if dynamic {
				mergeAnswer(t, c, by.kind, by.name, later)
			}
			status := report(t, c, later)
			stalled, _, message := condition(status, v1alpha1.ConditionStalled)
			assert.Empty(t, stalled, message)
			assert.Equal(t, v1alpha1.StateSuspended, status.State)
		}
		stalled, _, _ := condition(report(t, c, later.Add(time.Minute)), v1alpha1.ConditionStalled)
		assert.Equal(t, map[bool]string{true: "", false: "True"}[dynamic], stalled)
	}
}

// A rollout that somebody paused does not go on by itself under server-side apply.
func TestARolloutPausedByHandIsReported(t *testing.T) {
	c, _, _ := edited(t, "Deployment", "my-flame-session-manager", func(spec map[string]any) { spec["paused"] = true }, false)
	ready, _, message := condition(report(t, c, noon), v1alpha1.ConditionReady)
	require.Equal(t, "True", ready, message)
	c.SetDeployment("my-flame-session-manager", func(int) map[string]any {
		return map[string]any{"replicas": 1, "readyReplicas": 1, "availableReplicas": 1}
	})
	report(t, c, noon)
	stalled, reason, message := condition(report(t, c, noon.Add(time.Minute)), v1alpha1.ConditionStalled)
	assert.Equal(t, []string{"True", v1alpha1.ReasonApplyFailed}, []string{stalled, reason})
	assert.Contains(t, message, "in its way: spec.paused;")
}

// Executors that the hook itself has paused are nobody's hand edit.
func TestExecutorsHeldBackAreNotEdited(t *testing.T) {
	const name = "my-flame-executor-manager"
	c, child, _ := edited(t, "Deployment", name, func(map[string]any) {}, true)
	c.SetDeployment("my-flame-session-manager", func(int) map[string]any { return map[string]any{"replicas": 1, "updatedReplicas": 1} })
	c.Edit(spec(`{replicas: 3, executorManager: {image: "example.com/e:1", podDisruptionBudget: {}}, networkPolicy: {enabled: true}}`))
	mergeAnswer(t, c, "Deployment", name, noon)
	require.Equal(t, true, member(child, "spec")["paused"])
	require.Equal(t, same, mergeAnswer(t, c, "Deployment", name, noon))
	c.SetDeployment("my-flame-session-manager", rehearsal.Available)
	mergeAnswer(t, c, "Deployment", name, noon)
	assert.NotContains(t, member(child, "spec"), "paused")
	assert.NotContains(t, member(member(child, "metadata"), "annotations"), v1alpha1.AnnotationStraysSent)
}

// Where Metacontroller leaves no trace of what it sent, nothing but the status changes.
func TestHandEditsThatCannotBeUndoneAreReported(t *testing.T) {
	for name, by := range handEdits {
		if by.kind == "Deployment" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c, child, before := edited(t, by.kind, by.name, by.edit, false)
			for _, at := range []time.Time{noon, noon.Add(30 * time.Second)} {
				ready, _, _ := condition(report(t, c, at), v1alpha1.ConditionReady)
				assert.Equal(t, "Unknown", ready)
			}
			var desired map[string]any
			require.NoError(t, json.Unmarshal([]byte(children(t, answerTo(t, c.Request(), noon))[by.kind+" "+by.name]), &desired))
			assert.Equal(t, ordered(before["spec"]), ordered(stored(desired)["spec"]), "what is sent is what is wanted")
			stalled, reason, message := condition(report(t, c, noon.Add(time.Minute)), v1alpha1.ConditionStalled)
			assert.Equal(t, []string{"True", v1alpha1.ReasonApplyFailed}, []string{stalled, reason})
			assert.Contains(t, message, "in its way: "+by.path+";")
			assert.Contains(t, message, "kubectl -n team edit")

			child["spec"] = before["spec"]
			ready, _, _ := condition(statusOf(t, answerTo(t, c.Request(), noon.Add(2*time.Minute))), v1alpha1.ConditionReady)
			assert.Equal(t, "True", ready, "after the edit was taken back")
		})
	}
}

// A change of the spec changes what is wanted of a child that nobody else has touched.
func TestAChangeOfTheSpecIsNoHandEdit(t *testing.T) {
	for _, dynamic := range []bool{true, false} {
		c, _, _ := edited(t, "Service", "my-flame-session-manager", func(map[string]any) {}, dynamic)
		c.Edit(spec(`{replicas: 3, sessionManager: {service: {port: 18080}}}`))
		answer := answerTo(t, c.Request(), noon)
		sent := children(t, answer)["Service my-flame-session-manager"]
		assert.Contains(t, sent, `"port":18080`)
		assert.NotContains(t, sent, `"port":8080`)
		assert.NotContains(t, string(answer), "does not ask for")

		c.Parent["status"] = *jsonTree(statusOf(t, answer), &map[string]any{}).(*map[string]any)
		_, _, message := condition(statusOf(t, answerTo(t, c.Request(), noon.Add(time.Minute))), v1alpha1.ConditionStalled)
		assert.Contains(t, message, "does not take the change")
		assert.NotContains(t, message, "does not ask for")
	}
}

// Dynamic apply merges ports by their numbers alone, and takes one for the other.
// Server-side apply lets both stand unless they have one name.
func TestAPortOfAnotherProtocol(t *testing.T) {
	for _, port := range []struct {
		name    string
		dynamic bool
		stalled string
	}{{"dns", true, "True"}, {"cache", true, "True"}, {"dns", false, ""}, {"cache", false, "True"}} {
		c, _, _ := edited(t, "Service", "my-flame-object-cache", func(spec map[string]any) {
			other := map[string]any{"name": port.name, "port": 9090.0, "protocol": "UDP", "targetPort": 9090.0}
			if ports := spec["ports"].([]any); port.name == "cache" {
				ports[0] = other
			} else {
				spec["ports"] = append(ports, other)
			}
		}, port.dynamic)
		report(t, c, noon)
		stalled, _, message := condition(report(t, c, noon.Add(time.Minute)), v1alpha1.ConditionStalled)
		assert.Equal(t, port.stalled, stalled, "%+v", port)
		assert.True(t, stalled == "" || strings.Contains(message, "in its way: spec.ports[9090/UDP];"), message)
	}
}

// Whatever stands in a child, there is an answer with every child in it.
func TestNoChildIsTooOddToBeAnswered(t *testing.T) {
	odd := []string{
		`null`, `7`, `{}`, `{"ports":7,"selector":[],"podSelector":"x","minAvailable":{},"strategy":true,"paused":null}`,
		`{"ports":[7,null,{},{"name":7,"port":"x"},{"name":"frontend","port":1e99},{"name":"cache","port":-1},{"port":9}]}`,
		`{"ports":[{"name":"frontend","port":9},{"name":"frontend","port":10},{"port":9,"protocol":"UDP"}]}`,
		`{"selector":{"a":7,"matchLabels":{"b":[]},"matchExpressions":[7]},"podSelector":{"matchLabels":{"b":null},"matchExpressions":{}}}`,
		`{"minAvailable":1e999999,"maxUnavailable":[],"strategy":{"rollingUpdate":{"maxSurge":{}}}}`,
		`{"minAvailable":null,"paused":true,"strategy":{"rollingUpdate":null}}`,
	}
	for kind, name := range map[string]string{
		"Service": "my-flame-session-manager", "PodDisruptionBudget": "my-flame-executor-manager", "NetworkPolicy": "my-flame", "Deployment": "my-flame-object-cache",
	} {
		c, child, _ := edited(t, kind, name, func(map[string]any) {}, true)
		want := len(children(t, answerTo(t, c.Request(), noon)))
		annotations := member(member(child, "metadata"), "annotations")
		for _, now := range odd {
			child["spec"] = json.RawMessage(now)
			for _, last := range odd {
				annotations[annotationLastApplied] = `{"spec":` + last + `}`
				request, err := hook.DecodeRequest(c.Request())
				if kind == "Deployment" && err != nil {
					continue
				}
				require.NoError(t, err)
				response, err := hook.Sync(request, noon)
				require.NoError(t, err, "%s %s after %s", kind, now, last)
				require.Len(t, response.Children, want)
			}
		}
		for _, last := range []string{"", "null", "7", "{", `{"spec"`} {
			annotations[annotationLastApplied] = last
			answerTo(t, c.Request(), noon)
		}
	}
}
