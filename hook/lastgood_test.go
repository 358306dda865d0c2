package hook_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/internal/rehearsal"
	"github.com/xflops/flame-operator/internal/specvalues"
)

// badEdits are edits of a running cluster that must change nothing that runs.
var badEdits = map[string]struct {
	spec   any
	reason string
}{
	"spec is a string":            {"x", v1alpha1.ReasonInvalidSpec},
	"spec is a list":              {[]any{1}, v1alpha1.ReasonInvalidSpec},
	"negative replicas":           {spec(`{replicas: -1}`), v1alpha1.ReasonInvalidSpec},
	"replicas as text":            {spec(`{replicas: many}`), v1alpha1.ReasonInvalidSpec},
	"unknown policy":              {spec(`{sessionManager: {policy: zzz}}`), v1alpha1.ReasonInvalidSpec},
	"fractional slot":             {spec(`{sessionManager: {slot: {cpu: 500m}}}`), v1alpha1.ReasonInvalidSpec},
	"empty slot":                  {spec(`{sessionManager: {slot: {cpu: "0", memory: "0"}}}`), v1alpha1.ReasonInvalidSpec},
	"old slot, untranslatable":    {spec(`{sessionManager: {slot: "cpu=lots"}}`), v1alpha1.ReasonInvalidSpec},
	"storage outside the volume":  {spec(`{sessionManager: {storage: {type: filesystem, path: /tmp/x}}}`), v1alpha1.ReasonInvalidSpec},
	"a password in old storage":   {spec(`{sessionManager: {storage: "postgres://u:hunter2@db/flame"}}`), v1alpha1.ReasonInvalidSpec},
	"path and secretRef":          {spec(`{sessionManager: {storage: {path: /var/lib/flame/session/a, secretRef: {name: a, key: b}}}}`), v1alpha1.ReasonInvalidSpec},
	"retryLimit 0":                {spec(`{sessionManager: {retryLimit: 0}}`), v1alpha1.ReasonInvalidSpec},
	"a reserved port":             {spec(`{sessionManager: {service: {port: 80}}}`), v1alpha1.ReasonInvalidSpec},
	"requests above limits":       {spec(`{executorManager: {resources: {requests: {cpu: "2"}, limits: {cpu: "1"}}}}`), v1alpha1.ReasonInvalidSpec},
	"a quantity that is none":     {spec(`{executorManager: {resources: {limits: {cpu: abc}}}}`), v1alpha1.ReasonInvalidSpec},
	"RUST_LOG in env":             {spec(`{executorManager: {env: [{name: RUST_LOG, value: debug}]}}`), v1alpha1.ReasonInvalidSpec},
	"two volume sources":          {spec(`{objectCache: {volumeSource: {emptyDir: {}, hostPath: {path: /x}}}}`), v1alpha1.ReasonInvalidSpec},
	"one claim for two executors": {spec(`{replicas: 2, executorManager: {volumeSource: {persistentVolumeClaim: {claimName: a}}}}`), v1alpha1.ReasonInvalidSpec},
	"cache TLS alone":             {spec(`{tls: {objectCache: {secretName: a}}}`), v1alpha1.ReasonInvalidSpec},
	"unknown podTemplate field":   {spec(`{executorManager: {podTemplate: {spec: {nodeSelectr: {a: b}}}}}`), v1alpha1.ReasonInvalidSpec},
	"podTemplate of wrong type":   {spec(`{executorManager: {podTemplate: {spec: 7}}}`), v1alpha1.ReasonInvalidSpec},
	"a protected label":           {spec(`{executorManager: {podTemplate: {metadata: {labels: {flame.xflops.io/cluster: other}}}}}`), v1alpha1.ReasonInvalidSpec},
	"protected extraConfig":       {spec(`{extraConfig: {cluster: {endpoint: "http://x"}}}`), v1alpha1.ReasonInvalidSpec},
	"an old version":              {spec(`{version: 0.5.0}`), v1alpha1.ReasonUnsupportedByVersion},
	"shim docker":                 {spec(`{executorManager: {shim: docker}}`), v1alpha1.ReasonUnsupportedByVersion},
	"storage postgres":            {spec(`{sessionManager: {storage: {type: postgres, secretRef: {name: a, key: b}}}}`), v1alpha1.ReasonUnsupportedByVersion},
}

func TestABadEditChangesNothingThatRuns(t *testing.T) {
	for name, bad := range badEdits {
		t.Run(name, func(t *testing.T) {
			c := rehearsal.New("team", "my-flame", spec(`{replicas: 3, sessionManager: {policy: fair}}`))
			_, answer := settle(t, c)
			before := children(t, answer)

			c.Edit(bad.spec)
			answer = sync(t, c, noon)
			assert.Equal(t, before, children(t, answer))
			status := statusOf(t, answer)
			stalled, reason, message := condition(status, v1alpha1.ConditionStalled)
			assert.Equal(t, "True", stalled)
			assert.Equal(t, bad.reason, reason, message)
			assert.Contains(t, message, "spec")
			assert.NotContains(t, string(answer), "hunter2")
			ready, _, _ := condition(status, v1alpha1.ConditionReady)
			assert.Equal(t, "True", ready, "Ready goes on describing what runs")
			assert.EqualValues(t, 1, status.LastGoodGeneration)

			again := sync(t, c, noon)
			assert.Equal(t, string(answer), string(again), "and it stays so")

			c.Edit(spec(`{replicas: 4, sessionManager: {policy: fair}}`))
			_, answer = settle(t, c)
			status = statusOf(t, answer)
			assert.Equal(t, v1alpha1.StateRunning, status.State)
			assert.EqualValues(t, 4, status.ReadyReplicas)
			stalled, _, _ = condition(status, v1alpha1.ConditionStalled)
			assert.Empty(t, stalled)
		})
	}
}

// What the record keeps is all that children are made of, whatever the spec says.
func TestGoingByTheRecordChangesNothing(t *testing.T) {
	for name, given := range goodSpecs(t) {
		t.Run(name, func(t *testing.T) {
			c := rehearsal.New("team", "my-flame", given)
			_, answer := settle(t, c)
			before := children(t, answer)
			c.Annotate(v1alpha1.AnnotationPaused, "true")
			assert.Equal(t, before, children(t, sync(t, c, noon)), "paused")
			c.Annotate(v1alpha1.AnnotationPaused, "false")
			c.Edit(spec(`{version: none}`))
			assert.Equal(t, before, children(t, sync(t, c, noon)), "a bad edit")
		})
	}
}

// What the record doesn't say, the number of executors, must not be guessed: a suspended
// cluster has none, and still has its PodDisruptionBudget.
func TestABadEditChangesNothingOfASuspendedCluster(t *testing.T) {
	const suspended = `{replicas: 3, suspend: true, executorManager: {podDisruptionBudget: {}}}`
	c := rehearsal.New("team", "my-flame", spec(`{replicas: 3, executorManager: {podDisruptionBudget: {}}}`))
	settle(t, c)
	c.Edit(spec(suspended))
	_, answer := settle(t, c)
	before := children(t, answer)
	require.Contains(t, before, "PodDisruptionBudget my-flame-executor-manager")

	c.Edit(spec(`{replicas: 3, suspend: true, sessionManager: {policy: zzz}}`))
	answer = sync(t, c, noon)
	assert.Equal(t, before, children(t, answer))
	assert.Equal(t, v1alpha1.StateSuspended, statusOf(t, answer).State)

	c.Edit(spec(suspended))
	c.Annotate(v1alpha1.AnnotationPaused, "true")
	assert.Equal(t, before, children(t, sync(t, c, noon)), "pausing changes nothing either")
}

// The executors that a good spec asked for come up, though their Deployment does not
// tell their number yet.
func TestABadEditDoesNotTakeExecutorsAwayThatAreComing(t *testing.T) {
	bad := spec(`{replicas: 9, sessionManager: {policy: zzz}}`)
	c := rehearsal.New("team", "my-flame", spec(`{replicas: 3}`))
	sync(t, c, noon)
	c.Edit(bad)
	_, answer := settle(t, c)
	replicas, _ := executorsIn(t, answer)
	assert.EqualValues(t, 3, replicas, "a cluster that comes up")

	c.Edit(spec(`{replicas: 3, suspend: true}`))
	settle(t, c)
	c.Edit(spec(`{replicas: 3}`))
	replicas, _ = executorsIn(t, sync(t, c, noon))
	require.Zero(t, replicas, "they wait for the session manager")
	c.Edit(bad)
	_, answer = settle(t, c)
	replicas, _ = executorsIn(t, answer)
	assert.EqualValues(t, 3, replicas, "a cluster that resumes")

	c.Edit(spec(`{replicas: 0}`))
	settle(t, c)
	c.Edit(bad)
	_, answer = settle(t, c)
	replicas, _ = executorsIn(t, answer)
	assert.Zero(t, replicas, "none were wanted")
}

// Every value of every field that breaks a rule, each on a cluster that runs.
func TestNoBadValueOfAnyFieldChangesWhatRuns(t *testing.T) {
	for _, values := range specvalues.Fields {
		t.Run(values.Field, func(t *testing.T) {
			c := rehearsal.New("team", "my-flame", spec(`{replicas: 3}`))
			_, answer := settle(t, c)
			before := children(t, answer)
			refused := 0
			for _, value := range values.Bad {
				edit := nested(values.Field, value)
				require.True(t, json.Valid(edit), value)
				if judgement := hook.Judge("my-flame", edit); len(judgement.Errors) == 0 {
					continue // an old string form, or "" for what is not set: only the CRD refuses these
				}
				refused++
				c.Edit(edit)
				answer = sync(t, c, noon)
				require.Equal(t, before, children(t, answer), value)
				status := statusOf(t, answer)
				stalled, _, message := condition(status, v1alpha1.ConditionStalled)
				require.Equal(t, "True", stalled, value)
				require.Contains(t, message, "spec."+strings.Split(values.Field, ".")[0], value)
				ready, _, _ := condition(status, v1alpha1.ConditionReady)
				require.Equal(t, "True", ready, "Ready goes on describing what runs")
			}
			require.NotZero(t, refused)
			c.Edit(spec(`{replicas: 3}`))
			_, answer = settle(t, c)
			assert.Equal(t, v1alpha1.StateRunning, statusOf(t, answer).State)
		})
	}
}

func TestABadFirstSpecHasNoChildrenAndSaysSo(t *testing.T) {
	for name, bad := range badEdits {
		t.Run(name, func(t *testing.T) {
			c := rehearsal.New("team", "my-flame", bad.spec)
			answer := sync(t, c, noon)
			assert.Empty(t, children(t, answer))
			status := statusOf(t, answer)
			stalled, reason, _ := condition(status, v1alpha1.ConditionStalled)
			assert.Equal(t, "True", stalled)
			assert.Equal(t, bad.reason, reason)
			ready, _, _ := condition(status, v1alpha1.ConditionReady)
			assert.NotEqual(t, "True", ready)

			c.Edit(spec(`{}`))
			_, answer = settle(t, c)
			assert.Equal(t, v1alpha1.StateRunning, statusOf(t, answer).State)
		})
	}
}

func refusal(t *testing.T, c *rehearsal.Cluster) *hook.Error {
	t.Helper()
	_, err := answerOrRefusal(t, c.Request(), noon)
	var refused *hook.Error
	require.ErrorAs(t, err, &refused)
	return refused
}

func TestReplicasOfABadSpecAreTheObservedOnes(t *testing.T) {
	c := rehearsal.New("team", "my-flame", spec(`{replicas: 3}`))
	settle(t, c)
	c.Edit(spec(`{replicas: 6}`))
	settle(t, c)
	c.Edit(spec(`{replicas: 9, sessionManager: {policy: zzz}}`))
	replicas, _ := executorsIn(t, sync(t, c, noon))
	assert.EqualValues(t, 6, replicas)
}

func TestALaggingCacheIsNeverRendered(t *testing.T) {
	c := rehearsal.New("team", "my-flame", spec(`{sessionManager: {policy: fair}}`))
	settle(t, c)
	record := c.Child("ConfigMap", "my-flame-last-good")
	stale := map[string]any{}
	for key, value := range record["data"].(map[string]any) {
		stale[key] = value
	}

	c.Edit(spec(`{sessionManager: {policy: priority}}`))
	settle(t, c)
	c.Edit(spec(`{sessionManager: {policy: zzz}}`))
	c.Child("ConfigMap", "my-flame-last-good")["data"] = stale
	refused := refusal(t, c)
	assert.Equal(t, http.StatusTooManyRequests, refused.Status)
	assert.GreaterOrEqual(t, refused.RetryAfterSeconds, 1)

	c.Delete("ConfigMap", "my-flame-last-good")
	refused = refusal(t, c)
	assert.Equal(t, http.StatusTooManyRequests, refused.Status, "not observed yet is older than what the status says, too")
	assert.Contains(t, refused.Message, "repair the spec", "it may have been deleted, and then waiting does not help")
}

func TestWithoutAnyRecordNothingIsTouched(t *testing.T) {
	c := rehearsal.New("team", "my-flame", nil)
	settle(t, c)
	c.Edit(spec(`{sessionManager: {policy: zzz}}`))
	c.Delete("ConfigMap", "my-flame-last-good")
	delete(c.Status(), "lastGoodGeneration")
	assert.Equal(t, http.StatusInternalServerError, refusal(t, c).Status)
}

func TestARecordThatNoLongerPassesIsNotRendered(t *testing.T) {
	c := rehearsal.New("team", "my-flame", nil)
	settle(t, c)
	c.Child("ConfigMap", "my-flame-last-good")["data"].(map[string]any)["spec"] = `{"sessionManager":{"retryLimit":0},"version":"0.6.0"}`

	c.Edit(spec(`{sessionManager: {policy: zzz}}`))
	assert.Equal(t, http.StatusInternalServerError, refusal(t, c).Status)

	c.Edit(spec(`{sessionManager: {retryLimit: 0}}`))
	answer := sync(t, c, noon)
	assert.NotEmpty(t, children(t, answer), "only our rules tightened: the cluster goes on as it was")
	status := statusOf(t, answer)
	stalled, _, _ := condition(status, v1alpha1.ConditionStalled)
	assert.Empty(t, stalled)
	assert.Contains(t, status.Warnings[0], "retryLimit")
}

func TestPausedKeepsEverythingAsItIs(t *testing.T) {
	c := rehearsal.New("team", "my-flame", spec(`{replicas: 2}`))
	_, answer := settle(t, c)
	before := children(t, answer)

	c.Annotate(v1alpha1.AnnotationPaused, "true")
	c.Edit(spec(`{replicas: 5, sessionManager: {policy: fair}}`))
	answer = sync(t, c, noon)
	assert.Equal(t, before, children(t, answer))
	paused, _, _ := condition(statusOf(t, answer), v1alpha1.ConditionPaused)
	assert.Equal(t, "True", paused)

	c.Annotate(v1alpha1.AnnotationPaused, "false")
	_, answer = settle(t, c)
	assert.NotEqual(t, before, children(t, answer))
	replicas, _ := executorsIn(t, answer)
	assert.EqualValues(t, 5, replicas)
}

func TestSQLiteDoesNotSurviveAnotherVersion(t *testing.T) {
	c := rehearsal.New("team", "my-flame", spec(`{version: 0.6.0, sessionManager: {storage: {type: sqlite}}}`))
	_, answer := settle(t, c)
	before := children(t, answer)
	c.Edit(spec(`{version: 0.6.1, sessionManager: {storage: {type: sqlite}}}`))
	answer = sync(t, c, noon)
	assert.Equal(t, before, children(t, answer))
	_, _, message := condition(statusOf(t, answer), v1alpha1.ConditionStalled)
	assert.Contains(t, message, v1alpha1.AnnotationAllowStateLoss)

	c.Annotate(v1alpha1.AnnotationAllowStateLoss, "true")
	_, answer = settle(t, c)
	assert.Equal(t, v1alpha1.StateRunning, statusOf(t, answer).State)
	assert.NotEqual(t, before, children(t, answer))
}

// An older record is no reason to forget what must not change: the answer waits until
// the cache has the newest one.
func TestSQLiteIsKeptFromAnotherVersionWhileTheCacheLags(t *testing.T) {
	c := rehearsal.New("team", "my-flame", spec(`{version: 0.6.0, sessionManager: {storage: {type: sqlite}}}`))
	settle(t, c)
	record := c.Child("ConfigMap", "my-flame-last-good")
	old, err := json.Marshal(record["data"])
	require.NoError(t, err)
	c.Edit(spec(`{version: 0.6.0, sessionManager: {policy: fair, storage: {type: sqlite}}}`))
	settle(t, c)

	c.Edit(spec(`{version: 0.6.1, sessionManager: {policy: fair, storage: {type: sqlite}}}`))
	var data map[string]any
	require.NoError(t, json.Unmarshal(old, &data))
	c.Child("ConfigMap", "my-flame-last-good")["data"] = data
	assert.Equal(t, http.StatusTooManyRequests, refusal(t, c).Status)

	c.Edit(spec(`{version: 0.6.0, sessionManager: {policy: priority, storage: {type: sqlite}}}`))
	_, answer := settle(t, c)
	assert.Equal(t, v1alpha1.StateRunning, statusOf(t, answer).State, "other good specs do not wait")
}

func TestTheRecordIsTheSpecWithoutReplicas(t *testing.T) {
	c := rehearsal.New("team", "my-flame", spec(`{replicas: 3, sessionManager: {policy: fair}}`))
	settle(t, c)
	record := c.Child("ConfigMap", "my-flame-last-good")["data"]
	want := map[string]any{"generation": "1", "spec": `{"sessionManager":{"policy":"fair"},"version":"0.6.0"}`}
	assert.Equal(t, want, record)

	c.Edit(spec(`{replicas: 4, version: v0.6.0, sessionManager: {policy: fair}}`))
	settle(t, c)
	assert.Equal(t, want, c.Child("ConfigMap", "my-flame-last-good")["data"], "scaling does not touch it")
}

func TestNoOldStringIsRecorded(t *testing.T) {
	c := rehearsal.New("team", "my-flame", spec(`{sessionManager: {slot: "cpu=1,mem=1g", storage: "fs:///a:hunter2@b/c"}, objectCache: {storage: "redis://u:hunter2@h"}}`))
	_, answer := settle(t, c)
	assert.Equal(t, v1alpha1.StateRunning, statusOf(t, answer).State)
	assert.NotContains(t, string(answer), "hunter2")
}

func TestASpecThatIsTooLargeIsRefused(t *testing.T) {
	large := map[string]any{"extraConfig": map[string]any{"cluster": map[string]any{"note": strings.Repeat("x", 200<<10)}}}
	c := rehearsal.New("team", "my-flame", nil)
	_, answer := settle(t, c)
	before := children(t, answer)
	c.Edit(large)
	answer = sync(t, c, noon)
	assert.Equal(t, before, children(t, answer))
	_, _, message := condition(statusOf(t, answer), v1alpha1.ConditionStalled)
	assert.Contains(t, message, "spec: Too long")
}
