package server_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook/server"
)

func TestBadBodiesGetAShortRefusal(t *testing.T) {
	s := start(t, server.Config{})
	good := syncBody("team-a")
	tests := map[string]string{
		"empty":                  "",
		"blank":                  " \n\t",
		"null":                   "null",
		"true":                   "true",
		"number":                 "1e999",
		"string":                 `"sync"`,
		"list":                   "[" + good + "]",
		"empty object":           "{}",
		"cut":                    good[:len(good)-1],
		"trailing object":        good + good,
		"trailing text":          good + "x",
		"byte order mark":        "\ufeff" + good,
		"not JSON":               "kind: FlameCluster",
		"binary":                 "\x00\x01\xff",
		"null parent":            `{"parent":null,"children":{}}`,
		"list as parent":         `{"parent":[],"children":{}}`,
		"wrong kind":             strings.Replace(good, "FlameCluster", "Deployment", 1),
		"wrong group":            strings.Replace(good, "flame.xflops.io", "example.com", 1),
		"wrong version":          strings.Replace(good, "v1alpha1", "v9", 1),
		"no name":                strings.Replace(good, "team-a", "", 1),
		"name of a wrong type":   strings.Replace(good, `"team-a"`, `{"a":1}`, 1),
		"children of wrong type": strings.Replace(good, `"children":{}`, `"children":[]`, 1),
		"child of wrong type":    strings.Replace(good, `"children":{}`, `"children":{"ConfigMap.v1":{"a":7}}`, 1),
		"deep lists":             `{"parent":` + strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000) + "}",
		"deep objects":           strings.Repeat(`{"parent":`, 1_000_000),
		"deep children":          strings.Replace(good, `"children":{}`, `"children":`+strings.Repeat(`{"a":`, 200_000)+"1"+strings.Repeat("}", 200_000), 1),
	}
	for name, body := range tests {
		for _, path := range []string{"/sync", "/finalize", "/customize"} {
			t.Run(name+path, func(t *testing.T) {
				answer := post(t, s.url+path, body)
				assert.Equal(t, http.StatusBadRequest, answer.code)
				answer.refusal(t)
				assert.Equal(t, answer.body, post(t, s.url+path, body).body, "Events about the same refusal have to be equal")
			})
		}
	}
	assert.Equal(t, http.StatusOK, post(t, s.url+"/sync", good).code, "the service goes on")
	assert.Equal(t, "0", s.metric(t, "flame_hook_panics_total"))
}

func TestBodyLimit(t *testing.T) {
	const limit = 100_000
	s := start(t, server.Config{MaxBodyBytes: limit, Hooks: running(t)})
	tests := map[string]struct {
		size int
		code int
	}{
		"far below":      {500, 200},
		"first chunk":    {64 << 10, 200},
		"at the limit":   {limit, 200},
		"one byte more":  {limit + 1, 413},
		"twice":          {2 * limit, 413},
		"a hundred-fold": {100 * limit, 413},
	}
	for name, test := range tests {
		body := syncBodyOfSize(t, test.size)
		t.Run(name+", announced", func(t *testing.T) {
			assert.Equal(t, test.code, post(t, s.url+"/sync", body).code)
		})
		t.Run(name+", chunked", func(t *testing.T) {
			chunked := request(t, http.MethodPost, s.url+"/sync", io.MultiReader(strings.NewReader(body)))
			require.Equal(t, int64(0), chunked.ContentLength)
			answer, err := try(newClient(t), chunked)
			if test.size > 2*limit && err != nil {
				return // the rest is not waited for
			}
			require.NoError(t, err)
			assert.Equal(t, test.code, answer.code)
			if test.code == http.StatusRequestEntityTooLarge {
				assert.Equal(t, "the body is larger than 100000 bytes", answer.refusal(t))
			}
		})
	}
	assert.Equal(t, "0", s.metric(t, "flame_hook_in_flight_bytes"))
}

func TestCompressedBodiesAreRefused(t *testing.T) {
	s := start(t, server.Config{Hooks: running(t)})
	var compressed bytes.Buffer
	writer := gzip.NewWriter(&compressed)
	_, err := writer.Write([]byte(syncBody("team-a")))
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	answer := post(t, s.url+"/sync", compressed.String(), "Content-Encoding", "gzip")
	assert.Equal(t, http.StatusUnsupportedMediaType, answer.code)
	assert.Equal(t, "identity", answer.header.Get("Accept-Encoding"))
	answer.refusal(t)
	assert.Equal(t, http.StatusOK, post(t, s.url+"/sync", syncBody("team-a"), "Content-Encoding", "identity").code)
}
