package server_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook/server"
)

func TestHooksAnswer(t *testing.T) {
	s := start(t, server.Config{})
	for _, path := range []string{"/sync", "/finalize", "/sync?v=1.2.3", "/finalize?v=1.2.3&x=%zz"} {
		t.Run(path, func(t *testing.T) {
			answer := post(t, s.url+path, syncBody("team-a"))
			require.Equal(t, http.StatusOK, answer.code, answer.body)
			assert.Equal(t, "application/json", answer.header.Get("Content-Type"))
			var body map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(answer.body), &body))
			assert.Contains(t, body, "status")
			assert.Contains(t, body, "children")
		})
	}
	for _, path := range []string{"/customize", "/customize?v=1.2.3"} {
		t.Run(path, func(t *testing.T) {
			answer := post(t, s.url+path, syncBody("team-a"))
			require.Equal(t, http.StatusOK, answer.code, answer.body)
			var body map[string][]map[string]any
			require.NoError(t, json.Unmarshal([]byte(answer.body), &body))
			require.Len(t, body["relatedResources"], 1)
			assert.Equal(t, "default", body["relatedResources"][0]["namespace"])
		})
	}
}

// Metacontroller follows redirects with a GET without a body, so every path but the
// exact ones has to be refused.
func TestOtherPathsAndMethodsAreRefused(t *testing.T) {
	s := start(t, server.Config{Hooks: running(t)})
	tests := []struct {
		method, path string
		code         int
		allow        string
	}{
		{http.MethodPost, "/", 404, ""},
		{http.MethodPost, "/sync/", 404, ""},
		{http.MethodPost, "//sync", 404, ""},
		{http.MethodPost, "/Sync", 404, ""},
		{http.MethodPost, "/x/../sync", 404, ""},
		{http.MethodPost, "/hooks/sync", 404, ""},
		{http.MethodGet, "/metrics", 404, ""},
		{http.MethodGet, "/debug/pprof/", 404, ""},
		{http.MethodGet, "/readyz/", 404, ""},
		{http.MethodGet, "/sync", 405, "POST"},
		{http.MethodHead, "/sync", 405, "POST"},
		{http.MethodPut, "/finalize", 405, "POST"},
		{http.MethodDelete, "/customize", 405, "POST"},
		{http.MethodOptions, "/sync", 405, "POST"},
		{http.MethodPost, "/healthz", 405, "GET, HEAD"},
		{http.MethodPost, "/readyz", 405, "GET, HEAD"},
	}
	for _, test := range tests {
		t.Run(test.method+" "+test.path, func(t *testing.T) {
			r := request(t, test.method, s.url, strings.NewReader(syncBody("team-a")))
			r.URL.Path = test.path
			answer := send(t, newClient(t), r)
			assert.Equal(t, test.code, answer.code)
			assert.Equal(t, test.allow, answer.header.Get("Allow"))
			assert.Empty(t, answer.header.Get("Location"))
			if test.method != http.MethodHead {
				answer.refusal(t)
			}
		})
	}
}

func TestHealthIsOnBothPorts(t *testing.T) {
	s := start(t, server.Config{})
	for _, url := range []string{s.url, s.adminURL} {
		for _, path := range []string{"/healthz", "/readyz", "/readyz?verbose"} {
			answer := get(t, url+path)
			assert.Equal(t, http.StatusOK, answer.code, url+path)
			assert.Equal(t, "ok\n", answer.body)
			head := send(t, newClient(t), request(t, http.MethodHead, url+path, nil))
			assert.Equal(t, http.StatusOK, head.code, url+path)
		}
	}
}

func TestHooksAreNotOnTheAdminPort(t *testing.T) {
	s := start(t, server.Config{})
	assert.Equal(t, http.StatusNotFound, post(t, s.adminURL+"/sync", syncBody("team-a")).code)
}

func TestProfilesAreServedOnRequestOnly(t *testing.T) {
	without := start(t, server.Config{})
	assert.Equal(t, http.StatusNotFound, get(t, without.adminURL+"/debug/pprof/").code)
	with := start(t, server.Config{PProf: true})
	assert.Equal(t, http.StatusOK, get(t, with.adminURL+"/debug/pprof/").code)
	assert.Contains(t, get(t, with.adminURL+"/debug/pprof/goroutine?debug=1").body, "goroutine profile")
	assert.Equal(t, http.StatusOK, get(t, with.adminURL+"/debug/pprof/profile?seconds=1").code)
}

func TestWrongConfigIsNoticedAtOnce(t *testing.T) {
	files := writeCertificates(t, newAuthority(t, "ca"), "flame-hook.flame-system")
	empty := writeFile(t, "empty", "# no token\n\n")
	tests := map[string]struct {
		config server.Config
		want   string
	}{
		"certificate without key":   {server.Config{TLSCertFile: files.cert}, "both"},
		"key without certificate":   {server.Config{TLSKeyFile: files.key}, "both"},
		"client CA without TLS":     {server.Config{ClientCAFile: files.ca}, "need TLS"},
		"no such certificate":       {server.Config{TLSCertFile: "absent.crt", TLSKeyFile: files.key}, "TLS certificate"},
		"key of another":            {server.Config{TLSCertFile: files.ca, TLSKeyFile: files.key}, "TLS certificate"},
		"client CA without content": {server.Config{TLSCertFile: files.cert, TLSKeyFile: files.key, ClientCAFile: empty}, "no certificate"},
		"no such token file":        {server.Config{TokenFile: "absent.tokens"}, "token file"},
		"token file without token":  {server.Config{TokenFile: empty}, "no token"},
		"token with a space":        {server.Config{TokenFile: writeFile(t, "spaces", "good\nnot good\n")}, "line 2"},
		"negative limit":            {server.Config{MaxBodyBytes: -1}, "negative"},
		"negative drain delay":      {server.Config{DrainDelay: -1}, "negative"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := server.New(test.config)
			require.Error(t, err)
			assert.Contains(t, err.Error(), test.want)
			assert.NotContains(t, err.Error(), "not good")
		})
	}
}

func TestRunSaysWhichPortIsTaken(t *testing.T) {
	taken := start(t, server.Config{})
	for name, config := range map[string]server.Config{
		"hook port":  {Listen: taken.Addr(), AdminListen: "127.0.0.1:0"},
		"admin port": {Listen: "127.0.0.1:0", AdminListen: taken.AdminAddr()},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := server.New(config)
			require.NoError(t, err)
			require.ErrorContains(t, s.Run(t.Context()), name)
		})
	}
}
