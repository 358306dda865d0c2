package standin

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDecodeAnswer(t *testing.T) {
	tests := []struct {
		name, content string
		loose, strict bool
	}{
		{"an answer", `{"status":{"a":1},"children":[{"apiVersion":"v1","kind":"ConfigMap"}],"resyncAfterSeconds":1.5}`, true, true},
		{"nothing that is known", `{}`, true, true},
		{"null", `null`, true, true},
		{"empty", ``, false, false},
		{"something after it", `{} {}`, false, false},
		{"an unknown field", `{"error":"x"}`, true, false},
		{"another case", `{"Status":{}}`, true, false},
		{"the same field twice", `{"status":{"a":1,"a":2}}`, true, false},
		{"children as a map", `{"children":{}}`, false, false},
		{"time as text", `{"resyncAfterSeconds":"10s"}`, false, false},
		{"a child without a kind", `{"children":[{"apiVersion":"v1"}]}`, false, false},
		{"a child that is null", `{"children":[null]}`, false, false},
		{"unknown fields in a child", `{"children":[{"apiVersion":"v1","kind":"ConfigMap","error":1}]}`, true, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.loose, decodeAnswer([]byte(test.content), false, &syncAnswer{}) == nil, "loose")
			assert.Equal(t, test.strict, decodeAnswer([]byte(test.content), true, &syncAnswer{}) == nil, "strict")
		})
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"7": 7 * time.Second, "": 0, "7.5": 0, "soon": 0, now.Add(90 * time.Second).Format(time.RFC1123): 90 * time.Second,
	} {
		assert.Equal(t, want, retryAfter(value, now), value)
	}
}

// Only 200 is success, and only 429 is a wait.
func TestCallStatus(t *testing.T) {
	for _, code := range []int{200, 201, 202, 204, 304, 400, 404, 412, 429, 500, 503} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3")
			w.WriteHeader(code)
			if code == http.StatusOK {
				_, _ = w.Write([]byte(`{"children":[]}`))
			}
		}))
		h := &hook{endpoint: &endpoint{client: http.DefaultClient}}
		h.Webhook.URL = server.URL
		err := call(t.Context(), h, map[string]any{}, &syncAnswer{})
		server.Close()
		var later *tooManyRequests
		switch code {
		case http.StatusOK:
			require.NoError(t, err)
		case http.StatusTooManyRequests:
			require.ErrorAs(t, err, &later)
			assert.Equal(t, 3*time.Second, later.after)
		default:
			require.Error(t, err)
			assert.NotErrorAs(t, err, &later)
		}
	}
}

// The keys of objects differ between the versions, and version 1 sees only the
// parent's namespace.
func TestWire(t *testing.T) {
	objects := objectMap{}
	for _, text := range []string{
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"here"}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b","namespace":"there"}}`,
		`{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}}`,
		`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","namespace":"here"}}`,
	} {
		objects.insert(object(t, text))
	}
	keys := func(v2 bool) map[string][]string {
		found := map[string][]string{}
		for kind, group := range objects.wire(v2, "here") {
			found[kind] = []string{}
			for key := range group {
				found[kind] = append(found[kind], key)
			}
		}
		return found
	}
	v1, v2 := keys(false), keys(true)
	assert.Equal(t, map[string][]string{"Pod.v1": {"a"}, "Node.v1": {}, "Deployment.apps/v1": {"d"}}, v1)
	assert.ElementsMatch(t, []string{"here/a", "there/b"}, v2["Pod.v1"])
	assert.Equal(t, []string{"n"}, v2["Node.v1"])
	assert.Equal(t, []string{"here/d"}, v2["Deployment.apps/v1"])
}
