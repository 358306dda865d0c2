package server_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook/server"
)

// FuzzSyncBody posts any body to any hook. Metacontroller would delete everything
// on a success without children and crash on a null among them. The corpus in
// testdata has recorded requests.
func FuzzSyncBody(f *testing.F) {
	for _, body := range []string{
		"", "null", "{}", "[]", "1", `"x"`, "{", `{"parent":null}`,
		syncBody("team-a"),
		strings.Replace(syncBody("team-a"), `"spec":{}`, `"spec":null`, 1),
		strings.Replace(syncBody("team-a"), `"children":{}`, `"children":null`, 1),
	} {
		f.Add(byte(0), []byte(body))
	}
	s, err := server.New(server.Config{ETag: true})
	require.NoError(f, err)
	handler := s.Handler()
	f.Fuzz(func(t *testing.T, hook byte, body []byte) {
		path := []string{"/sync", "/finalize", "/customize"}[hook%3]
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, path, strings.NewReader(string(body))))
		checkAnswer(t, path, recorder)
	})
}

func checkAnswer(t *testing.T, path string, recorder *httptest.ResponseRecorder) {
	t.Helper()
	switch recorder.Code {
	case http.StatusOK:
	case http.StatusBadRequest, http.StatusTooManyRequests, http.StatusInternalServerError:
		require.Less(t, recorder.Body.Len(), 600)
		require.NotContains(t, recorder.Body.String(), "internal error", "a panic or a fault")
		require.NotContains(t, recorder.Body.String(), "refused its own answer", "the guard should have nothing to do")
		return
	default:
		require.Fail(t, "unexpected code", "%d", recorder.Code)
	}
	list := "children"
	if path == "/customize" {
		list = "relatedResources"
	}
	var answer map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &answer))
	var elements []*struct {
		APIVersion string `json:"apiVersion"`
	}
	require.NoError(t, json.Unmarshal(answer[list], &elements))
	require.NotNil(t, elements)
	for _, element := range elements {
		require.NotNil(t, element)
		require.NotEmpty(t, element.APIVersion)
	}
	if path != "/customize" {
		require.NotEqual(t, "null", string(answer["status"]))
		require.NotEmpty(t, answer["status"])
	}
}
