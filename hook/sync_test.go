package hook_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/internal/rehearsal"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// everySpec are specs that are all fine; the last sets every field that may stand
// with the others.
var everySpec = map[string]any{
	"no spec":       nil,
	"empty spec":    map[string]any{},
	"null sections": spec(`{sessionManager: null, executorManager: null, objectCache: null, tls: null, networkPolicy: null}`),
	"every field": spec(`
version: v0.6.0
replicas: 3
restartedAt: "2026-01-01"
suspend: false
imagePullSecrets: [{name: registry}]
serviceAccountName: flame
podSecurity: Restricted
sessionManager:
  image: registry.example.com/flame-session-manager:v0.6.0
  imagePullPolicy: Always
  resources: {requests: {cpu: "1", memory: 1Gi}, limits: {cpu: "2", memory: 2Gi}}
  env: [{name: TZ, value: UTC}]
  logLevel: warn
  slot: {cpu: "2", memory: 4Gi, gpu: "0"}
  policy: fair
  storage: {type: filesystem, path: /var/lib/flame/session/data}
  volumeSource: {persistentVolumeClaim: {claimName: state}}
  scheduleInterval: 250ms
  maxSessions: 10
  retryLimit: 3
  service: {type: LoadBalancer, port: 18080, annotations: {a: b}, labels: {c: d}}
  podTemplate: {metadata: {labels: {team: x}}, spec: {nodeSelector: {pool: flame}}}
executorManager:
  resources: {limits: {cpu: "2", memory: 8Gi}}
  shim: host
  maxExecutors: 10
  volumeSource: {ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}
  podDisruptionBudget: {maxUnavailable: 25%}
objectCache:
  enabled: true
  replicas: 1
  networkInterface: net1
  volumeSource: {persistentVolumeClaim: {claimName: objects}}
  eviction: {policy: lru, maxMemory: 2Gi, maxObjects: 100}
  service: {port: 19090}
tls:
  sessionManager: {secretName: session-manager-tls}
  objectCache: {secretName: cache-tls}
networkPolicy: {enabled: true, clients: [{podSelector: {matchLabels: {role: client}}}]}
extraConfig: {cluster: {pprof: {port: 6060}}}
`),
}

func spec(text string) map[string]any {
	var decoded map[string]any
	if err := yaml.Unmarshal([]byte(text), &decoded); err != nil {
		panic(err)
	}
	return decoded
}

// sync sends the next request and takes the answer as applied.
func sync(t *testing.T, c *rehearsal.Cluster, at time.Time) []byte {
	t.Helper()
	answer := answerTo(t, c.Request(), at)
	require.NoError(t, c.Apply(answer))
	return answer
}

func answerTo(t *testing.T, body []byte, at time.Time) []byte {
	t.Helper()
	answer, err := answerOrRefusal(t, body, at)
	require.NoError(t, err)
	return answer
}

// settle syncs, with workloads becoming ready in between, until nothing changes,
// and says how many rounds that took.
func settle(t *testing.T, c *rehearsal.Cluster) (rounds int, answer []byte) {
	t.Helper()
	var before string
	for rounds = 1; rounds <= 10; rounds++ {
		answer = sync(t, c, noon)
		if string(answer) == before {
			return rounds - 1, answer
		}
		before = string(answer)
		c.Ready()
	}
	require.Fail(t, "no fixed point", before)
	return 0, nil
}

func children(t *testing.T, answer []byte) map[string]string {
	t.Helper()
	var decoded struct {
		Children []json.RawMessage `json:"children"`
	}
	require.NoError(t, json.Unmarshal(answer, &decoded))
	named := map[string]string{}
	for _, child := range decoded.Children {
		var identity struct {
			Kind     string `json:"kind"`
			Metadata struct {
				Name string `json:"name"`
			} `json:"metadata"`
		}
		require.NoError(t, json.Unmarshal(child, &identity))
		named[identity.Kind+" "+identity.Metadata.Name] = string(child)
	}
	return named
}

func statusOf(t *testing.T, answer []byte) v1alpha1.FlameClusterStatus {
	t.Helper()
	var decoded struct {
		Status v1alpha1.FlameClusterStatus `json:"status"`
	}
	require.NoError(t, json.Unmarshal(answer, &decoded))
	return decoded.Status
}

func condition(s v1alpha1.FlameClusterStatus, kind string) (status, reason, message string) {
	for _, c := range s.Conditions {
		if c.Type == kind {
			return string(c.Status), c.Reason, c.Message
		}
	}
	return "", "", ""
}

func TestEveryGoodSpecBecomesRunningInThreeRounds(t *testing.T) {
	for name, given := range everySpec {
		for _, version := range []string{"v1", "v2"} {
			for _, podsVisible := range []bool{false, true} {
				t.Run(name+" "+version, func(t *testing.T) {
					c := rehearsal.New("team", "my-flame", given)
					c.HookVersion = version
					if podsVisible {
						c.Pods = map[string]any{"my-flame-session-manager-1": sessionManagerPod("my-flame", "uid-1", 0)}
					}
					rounds, answer := settle(t, c)
					assert.LessOrEqual(t, rounds, 3)
					status := statusOf(t, answer)
					assert.Equal(t, v1alpha1.StateRunning, status.State, status.Message)
					assert.NotEmpty(t, children(t, answer)["Deployment my-flame-executor-manager"])
				})
			}
		}
	}
}

func TestSameRequestSameBytes(t *testing.T) {
	for name, given := range everySpec {
		t.Run(name, func(t *testing.T) {
			c := rehearsal.New("team", "my-flame", given)
			for range 3 {
				body := c.Request()
				want := string(answerTo(t, body, noon))
				for range 20 {
					require.Equal(t, want, string(answerTo(t, body, noon)))
				}
				sync(t, c, noon)
				c.Ready()
			}
		})
	}
}

func TestSteadyAnswerDoesNotDependOnTheTime(t *testing.T) {
	c := rehearsal.New("team", "my-flame", nil)
	_, want := settle(t, c)
	assert.Equal(t, string(want), string(answerTo(t, c.Request(), noon.Add(48*time.Hour))))
}

func TestExecutorsWaitForTheSessionManager(t *testing.T) {
	const executors = "Deployment my-flame-executor-manager"
	c := rehearsal.New("team", "my-flame", nil)

	first := sync(t, c, noon)
	assert.NotContains(t, children(t, first), executors, "nothing is there to connect to")
	status := statusOf(t, first)
	ready, _, _ := condition(status, v1alpha1.ConditionReady)
	assert.NotEqual(t, "True", ready)
	_, reason, _ := condition(status, v1alpha1.ConditionExecutorsReady)
	assert.Equal(t, v1alpha1.ReasonWaitingForSessionManager, reason)

	c.Ready()
	assert.Contains(t, children(t, sync(t, c, noon)), executors)

	c.SetDeployment("my-flame-session-manager", func(int) map[string]any { return map[string]any{} })
	assert.Contains(t, children(t, sync(t, c, noon)), executors, "executors that run are never taken away")
}

// executorsIn returns what the answer wants of the executors: their number, and their
// pod template as JSON.
func executorsIn(t *testing.T, answer []byte) (replicas int32, template string) {
	t.Helper()
	var d struct {
		Spec struct {
			Replicas int32           `json:"replicas"`
			Template json.RawMessage `json:"template"`
		} `json:"spec"`
	}
	require.NoError(t, json.Unmarshal([]byte(children(t, answer)["Deployment my-flame-executor-manager"]), &d))
	return d.Spec.Replicas, string(d.Spec.Template)
}

func TestScalingTouchesOneObject(t *testing.T) {
	c := rehearsal.New("team", "my-flame", spec(`{replicas: 2}`))
	_, answer := settle(t, c)
	before := children(t, answer)
	_, template := executorsIn(t, answer)

	c.Edit(spec(`{replicas: 5}`))
	answer = sync(t, c, noon)
	after := children(t, answer)
	replicas, scaledTemplate := executorsIn(t, answer)
	assert.EqualValues(t, 5, replicas)
	assert.Equal(t, template, scaledTemplate, "no pod restarts")
	for name := range before {
		if name != "Deployment my-flame-executor-manager" {
			assert.Equal(t, before[name], after[name], name)
		}
	}
}

func TestSuspendAndResume(t *testing.T) {
	c := rehearsal.New("team", "my-flame", spec(`{replicas: 2}`))
	settle(t, c)

	c.Edit(spec(`{replicas: 2, suspend: true}`))
	_, answer := settle(t, c)
	replicas, _ := executorsIn(t, answer)
	assert.Zero(t, replicas)
	assert.Equal(t, v1alpha1.StateSuspended, statusOf(t, answer).State)

	c.Edit(spec(`{replicas: 2}`))
	answer = sync(t, c, noon)
	replicas, _ = executorsIn(t, answer)
	assert.Zero(t, replicas, "executors wait for the session manager on resume too")
	_, answer = settle(t, c)
	replicas, _ = executorsIn(t, answer)
	assert.EqualValues(t, 2, replicas)
	assert.Equal(t, v1alpha1.StateRunning, statusOf(t, answer).State)
}

func TestAChangeOfTheExecutorsWaitsForTheSessionManager(t *testing.T) {
	paused := func(answer []byte) bool {
		return strings.Contains(children(t, answer)["Deployment my-flame-executor-manager"], `"paused":true`)
	}
	c := rehearsal.New("team", "my-flame", spec(`{replicas: 2}`))
	_, answer := settle(t, c)
	assert.False(t, paused(answer))

	c.Edit(spec(`{replicas: 2, restartedAt: now}`))
	answer = sync(t, c, noon)
	assert.True(t, paused(answer), "new executors would exit while the session manager restarts")
	assert.NotEqual(t, v1alpha1.StateRunning, statusOf(t, answer).State)
	again := sync(t, c, noon)
	assert.True(t, paused(again))

	c.SetDeployment("my-flame-session-manager", rehearsal.Available)
	answer = sync(t, c, noon)
	assert.False(t, paused(answer))
	_, answer = settle(t, c)
	assert.False(t, paused(answer))
	assert.Equal(t, v1alpha1.StateRunning, statusOf(t, answer).State)

	c.SetDeployment("my-flame-session-manager", func(int) map[string]any { return map[string]any{} })
	assert.False(t, paused(sync(t, c, noon)), "nothing changes, so there is nothing to hold")
	c.Edit(spec(`{replicas: 0, restartedAt: now}`))
	assert.False(t, paused(sync(t, c, noon)), "taking executors away needs no session manager")
}

func sessionManagerPod(cluster, uid string, restarts int) map[string]any {
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{
			"name": cluster + "-session-manager-" + uid, "namespace": "team", "uid": uid,
			"labels": map[string]any{v1alpha1.LabelCluster: cluster, v1alpha1.LabelComponent: string(v1alpha1.ComponentSessionManager)},
		},
		"status": map[string]any{
			"phase":             "Running",
			"conditions":        []any{map[string]any{"type": "Ready", "status": "True"}},
			"containerStatuses": []any{map[string]any{"name": "session-manager", "ready": true, "restartCount": restarts, "state": map[string]any{"running": map[string]any{}}}},
		},
	}
}

func TestExecutorsFollowEveryRunOfTheSessionManager(t *testing.T) {
	specs := map[string]string{
		"emptyDir": `{sessionManager: {}}`,
		"claim":    `{sessionManager: {volumeSource: {persistentVolumeClaim: {claimName: state}}}}`,
		"memory":   `{sessionManager: {storage: {type: none}}}`,
		"sqlite":   `{sessionManager: {storage: {type: sqlite}}}`,
	}
	nextRuns := map[string]map[string]any{
		"pod replaced":        sessionManagerPod("my-flame", "uid-2", 0),
		"container restarted": sessionManagerPod("my-flame", "uid-1", 1),
	}
	for storage, given := range specs {
		for event, pod := range nextRuns {
			t.Run(storage+" "+event, func(t *testing.T) {
				c := rehearsal.New("team", "my-flame", spec(given))
				c.Pods = map[string]any{"my-flame-session-manager-1": sessionManagerPod("my-flame", "uid-1", 0)}
				_, answer := settle(t, c)
				_, before := executorsIn(t, answer)

				c.Pods = map[string]any{}
				c.SetDeployment("my-flame-session-manager", func(int) map[string]any { return map[string]any{} })
				_, during := executorsIn(t, sync(t, c, noon))
				assert.Equal(t, before, during, "not before a new session manager is available: new executors would exit at once")

				c.Pods = map[string]any{"my-flame-session-manager-2": pod}
				c.Ready()
				_, after := executorsIn(t, sync(t, c, noon))
				assert.NotEqual(t, before, after)
				_, again := executorsIn(t, sync(t, c, noon))
				assert.Equal(t, after, again)
			})
		}
	}
}

func TestPodsComingIntoViewDoNotChangeRunningExecutorsTwice(t *testing.T) {
	c := rehearsal.New("team", "my-flame", nil)
	c.Pods = map[string]any{"my-flame-session-manager-1": sessionManagerPod("my-flame", "uid-1", 0)}
	_, answer := settle(t, c)
	_, visible := executorsIn(t, answer)
	c.Pods = nil
	_, hidden := executorsIn(t, sync(t, c, noon))
	assert.Equal(t, visible, hidden, "without the customize hook the known state is kept")
}

func TestCustomizeAsksForThePodsOfTheClusterOnly(t *testing.T) {
	request, err := hook.DecodeRequest(rehearsal.New("team", "my-flame", nil).Request())
	require.NoError(t, err)
	response, err := hook.Customize(request)
	require.NoError(t, err)
	answer, err := response.Encode()
	require.NoError(t, err)
	assert.JSONEq(t, `{"relatedResources":[{"apiVersion":"v1","resource":"pods","namespace":"team","labelSelector":{"matchLabels":{"flame.xflops.io/cluster":"my-flame"}}}]}`, string(answer))
}

func TestFinalizeEndsWhenNothingIsLeft(t *testing.T) {
	c := rehearsal.New("team", "my-flame", nil)
	settle(t, c)
	for _, left := range []bool{true, true, false, false} {
		if !left {
			require.NoError(t, c.Apply([]byte(`{"status":{},"children":[]}`)))
		}
		request, err := hook.DecodeRequest(c.Request())
		require.NoError(t, err)
		response, err := hook.Finalize(request, noon)
		require.NoError(t, err)
		answer, err := response.Encode()
		require.NoError(t, err)
		assert.Equal(t, !left, response.Finalized)
		assert.Contains(t, string(answer), `"children":[]`)
	}
}

func TestATerminatingClusterIsAnsweredHarmlessly(t *testing.T) {
	c := rehearsal.New("team", "my-flame", nil)
	_, answer := settle(t, c)
	before := children(t, answer)
	c.Parent["metadata"].(map[string]any)["deletionTimestamp"] = "2026-01-01T12:00:00Z"
	answer = sync(t, c, noon)
	assert.Equal(t, before, children(t, answer))
	assert.NotContains(t, string(answer), `"finalized"`)
}

func TestAStatusFromAnotherVersionIsNoObstacle(t *testing.T) {
	for _, status := range []string{`"ready"`, `[]`, `{"state":7,"conditions":"none"}`, `{"conditions":[{"type":3}],"lastGoodGeneration":"x"}`, `null`} {
		c := rehearsal.New("team", "my-flame", nil)
		c.Parent["status"] = json.RawMessage(status)
		rounds, answer := settle(t, c)
		assert.LessOrEqual(t, rounds, 3)
		assert.Equal(t, v1alpha1.StateRunning, statusOf(t, answer).State)
	}
}

func TestBadRequestsAreRefused(t *testing.T) {
	good := string(rehearsal.New("team", "my-flame", nil).Request())
	for name, body := range map[string]string{
		"empty":             ``,
		"null":              `null`,
		"no JSON":           `{`,
		"an array":          `[]`,
		"trailing data":     good + `{}`,
		"no parent":         `{"children":{}}`,
		"another kind":      strings.Replace(good, `"kind":"FlameCluster"`, `"kind":"RayCluster"`, 1),
		"another group":     strings.Replace(good, `"apiVersion":"flame.xflops.io/v1alpha1","kind":"FlameCluster","metadata"`, `"apiVersion":"example.com/v1","kind":"FlameCluster","metadata"`, 1),
		"children a list":   `{"parent":{"apiVersion":"flame.xflops.io/v1alpha1","kind":"FlameCluster","metadata":{"name":"a","namespace":"b"}},"children":[]}`,
		"no name":           `{"parent":{"apiVersion":"flame.xflops.io/v1alpha1","kind":"FlameCluster","metadata":{"namespace":"b"}}}`,
		"no namespace":      `{"parent":{"apiVersion":"flame.xflops.io/v1alpha1","kind":"FlameCluster","metadata":{"name":"a"}}}`,
		"metadata a string": `{"parent":{"apiVersion":"flame.xflops.io/v1alpha1","kind":"FlameCluster","metadata":"a"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := hook.DecodeRequest([]byte(body))
			var refusal *hook.Error
			require.ErrorAs(t, err, &refusal)
			assert.Equal(t, http.StatusBadRequest, refusal.Status)
			assert.Less(t, len(refusal.Message), 200)
		})
	}
}
