package kstatus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/yaml"
)

// situations are FlameClusters as hook/status writes them; its own tests keep these
// files true.
const situations = "../../../hook/status/testdata/situations"

// verdicts is what a tool that waits has to make of each situation: go on waiting
// (InProgress), be content (Current), or give up (Failed).
var verdicts = map[string]status.Status{
	"everything-as-wanted":                                 status.CurrentStatus,
	"as-wanted-without-an-object-cache":                    status.CurrentStatus,
	"as-wanted-with-no-executors-at-all":                   status.CurrentStatus,
	"the-same-with-no-condition-on-the-deployments":        status.CurrentStatus,
	"paused-with-an-edit-that-is-not-applied":              status.CurrentStatus,
	"a-status-that-another-controller-wrote-is-taken-over": status.CurrentStatus,

	"nothing-exists-yet": status.InProgressStatus,
	"the-session-manager-s-pod-starts-for-the-first-time":            status.InProgressStatus,
	"a-service-is-still-missing":                                     status.InProgressStatus,
	"an-edit-reached-no-child-yet-what-was-ready-does-not-count":     status.InProgressStatus,
	"the-deployment-has-the-edit-and-its-controller-has-not-seen-it": status.InProgressStatus,
	"old-pods-are-ready-beside-new-ones":                             status.InProgressStatus,
	"only-a-configmap-is-out-of-date":                                status.InProgressStatus,
	"the-session-manager-is-being-replaced":                          status.InProgressStatus,
	"executors-are-replaced-after-the-session-manager-not-before":    status.InProgressStatus,
	"ready-and-not-available-it-has-to-last":                         status.InProgressStatus,
	"scaling-up-reached-no-child-yet":                                status.InProgressStatus,
	"scaling-up":                                                     status.InProgressStatus,
	"scaling-down-surplus-pods-are-not-ready-yet-to-go":              status.InProgressStatus,
	"an-executor-is-not-ready-without-an-edit":                       status.InProgressStatus,
	"an-executor-was-evicted-its-successor-comes-up-by-itself":       status.InProgressStatus,
	"the-session-manager-is-not-ready-without-an-edit":               status.InProgressStatus,
	"the-session-manager-s-deployment-was-deleted":                   status.InProgressStatus,
	"a-large-image-is-being-pulled-for-an-hour":                      status.InProgressStatus,
	"a-container-crashed-once":                                       status.InProgressStatus,
	"an-image-can-t-be-pulled-just-now":                              status.InProgressStatus,
	"no-node-takes-a-pod-just-now-a-node-may-be-added":               status.InProgressStatus,
	"the-same-while-executors-are-not-ready":                         status.InProgressStatus,
	"pods-go-because-of-suspend":                                     status.InProgressStatus,
	"suspended":                                                      status.InProgressStatus,
	"suspended-from-the-start-executors-were-never-created":          status.InProgressStatus,
	"resuming-executors-wait-for-the-session-manager":                status.InProgressStatus,

	"an-image-can-t-be-pulled":                                  status.FailedStatus,
	"an-image-name-is-invalid":                                  status.FailedStatus,
	"an-init-container-s-image-can-t-be-pulled":                 status.FailedStatus,
	"an-executor-s-image-can-t-be-pulled-the-rest-works":        status.FailedStatus,
	"a-secret-or-its-key-is-not-there":                          status.FailedStatus,
	"the-connection-string-is-refused-before-the-daemon-starts": status.FailedStatus,
	"the-session-manager-ended-with-exit-code-0":                status.FailedStatus,
	"it-did-so-again-and-again":                                 status.FailedStatus,
	"it-is-ready-for-the-moment-before-it-does-so-again":        status.FailedStatus,
	"a-container-is-out-of-memory":                              status.FailedStatus,
	"no-node-takes-a-pod":                                       status.FailedStatus,
	"a-claim-is-not-bound":                                      status.FailedStatus,
	"a-volume-is-not-mounted":                                   status.FailedStatus,
	"a-quota-refuses-pods":                                      status.FailedStatus,
	"a-rollout-makes-no-progress-and-no-pods-are-visible":       status.FailedStatus,
	"a-rollout-makes-no-progress-and-a-pod-tells-why":           status.FailedStatus,
	"an-object-is-refused-or-taken-by-somebody-else":            status.FailedStatus,
	"the-session-manager-s-deployment-is-refused-or-taken":      status.FailedStatus,
	"a-deployment-does-not-take-a-change":                       status.FailedStatus,
	"a-configmap-does-not-take-a-change":                        status.FailedStatus,
	"the-deployment-controller-sleeps":                          status.FailedStatus,
	"an-immutable-field-would-have-to-change":                   status.FailedStatus,
	"the-spec-is-invalid-the-last-good-one-runs":                status.FailedStatus,
	"the-spec-is-invalid-while-the-session-manager-is-down":     status.FailedStatus,
	"the-version-can-t-do-what-the-spec-asks-for":               status.FailedStatus,
	"no-spec-was-ever-valid":                                    status.FailedStatus,

	"being-deleted":                          status.TerminatingStatus,
	"being-deleted-while-something-is-wrong": status.TerminatingStatus,
	"being-finalized":                        status.TerminatingStatus,
}

func read(t *testing.T) map[string]*unstructured.Unstructured {
	t.Helper()
	files, err := os.ReadDir(situations)
	require.NoError(t, err)
	objects := map[string]*unstructured.Unstructured{}
	for _, file := range files {
		raw, err := os.ReadFile(filepath.Join(situations, file.Name()))
		require.NoError(t, err)
		object := &unstructured.Unstructured{}
		encoded, err := yaml.YAMLToJSON(raw)
		require.NoError(t, err)
		require.NoError(t, object.UnmarshalJSON(encoded))
		objects[strings.TrimSuffix(file.Name(), ".yaml")] = object
	}
	return objects
}

func TestVerdicts(t *testing.T) {
	objects := read(t)
	for name := range verdicts {
		assert.Contains(t, objects, name)
	}
	for name, object := range objects {
		t.Run(name, func(t *testing.T) {
			result, err := status.Compute(object)
			require.NoError(t, err)
			require.Contains(t, verdicts, name, "the situation has no verdict")
			assert.Equal(t, verdicts[name], result.Status)
		})
	}
}

// The person who has to act is told what the condition Stalled says.
func TestFailuresCarryTheMessage(t *testing.T) {
	for name, object := range read(t) {
		if verdicts[name] != status.FailedStatus {
			continue
		}
		result, err := status.Compute(object)
		require.NoError(t, err)
		message, _, _ := unstructured.NestedString(object.Object, "status", "message")
		assert.Equal(t, message, result.Message, name)
	}
}

// A status says nothing about an edit that it has not seen.
func TestAnyStatusBeforeAnEdit(t *testing.T) {
	for name, object := range read(t) {
		object.SetGeneration(object.GetGeneration() + 1)
		want := status.InProgressStatus
		if object.GetDeletionTimestamp() != nil {
			want = status.TerminatingStatus
		}
		result, err := status.Compute(object)
		require.NoError(t, err)
		assert.Equal(t, want, result.Status, name)
	}
}
