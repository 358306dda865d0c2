package hook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "sigs.k8s.io/json"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// FuzzStatus holds what is read of a status against the decoder of the API server.
func FuzzStatus(f *testing.F) {
	recorded, err := filepath.Glob("../test/golden/requests/*.json")
	require.NoError(f, err)
	require.NotEmpty(f, recorded)
	for _, file := range recorded {
		body, err := os.ReadFile(file)
		require.NoError(f, err)
		var request struct {
			Parent struct{ Status json.RawMessage }
		}
		require.NoError(f, json.Unmarshal(body, &request))
		f.Add([]byte(request.Parent.Status))
	}
	for _, status := range []string{
		``, `null`, `{}`, `[]`, `{"conditions":null,"warnings":null,"sessionManager":null}`, `{"warnings":["\u00e4",null],"conditions":[null,{}]}`,
		`{"executorManager":{"desired":3,"ready":1,"updated":2,"endpoint":"e"},"objectCache":{}}`, `{"State":"Running","state":"Failed"}`,
	} {
		f.Add([]byte(status))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := readStatus(string(text))
		var want v1alpha1.FlameClusterStatus
		if duplicates, err := kjson.UnmarshalStrict(text, &want, kjson.DisallowDuplicateFields); err != nil || len(duplicates) > 0 {
			return
		}
		wantText, err := json.Marshal(want)
		require.NoError(t, err)
		gotText, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, string(wantText), string(gotText))
	})
}

// What another version wrote in another shape must not hide the rest.
func TestAStatusOfAnotherVersionIsReadMemberByMember(t *testing.T) {
	got := readStatus(`{
		"state": 7, "replicas": "three", "lastGoodGeneration": 4, "sessionManager": "ready", "executorManager": {"desired": 2},
		"conditions": [{"type": "Ready", "status": "True"}], "warnings": {"a": "b"}, "unknown": [1], "message": "hello"}`)
	assert.Equal(t, v1alpha1.FlameClusterStatus{
		LastGoodGeneration: 4,
		ExecutorManager:    &v1alpha1.ComponentStatus{Desired: 2},
		Conditions:         []metav1.Condition{{Type: "Ready", Status: metav1.ConditionTrue}},
		Message:            "hello",
	}, got)
	got = readStatus(`{"conditions": [{"type": "Ready", "status": "True"}, {"type": 7}], "lastGoodGeneration": 4}`)
	assert.Equal(t, v1alpha1.FlameClusterStatus{LastGoodGeneration: 4}, got, "half a list of conditions says something that nobody wrote")
}
