package server_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/hook/server"
)

const marker = "s3cr3t-m4rk3r"

// markEverything puts the marker into every string of a request but those that say
// which object it is about.
func markEverything(t *testing.T, body string) string {
	t.Helper()
	var tree map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &tree))
	parent := tree["parent"].(map[string]any)
	env := []any{map[string]any{"name": marker, "value": marker}}
	volume := map[string]any{"csi": map[string]any{"driver": marker, "volumeAttributes": map[string]any{"password": marker}}}
	template := map[string]any{
		"metadata": map[string]any{"annotations": map[string]any{"note": marker}, "labels": map[string]any{"note": marker}},
		"spec": map[string]any{
			marker:       marker,
			"containers": []any{map[string]any{"name": marker, "image": marker, "command": []any{marker}, "args": []any{marker}, "env": env}},
			"volumes":    []any{volume},
		},
	}
	component := map[string]any{
		"image": marker, "imagePullPolicy": marker, "logLevel": marker, "env": env, "podTemplate": template, "volumeSource": volume,
		"resources": map[string]any{"limits": map[string]any{"cpu": marker, marker: marker}},
		"service":   map[string]any{"type": marker, "annotations": map[string]any{"note": marker}, "labels": map[string]any{"note": marker}},
		"policy":    marker, "slot": marker, "shim": marker, "scheduleInterval": marker,
		"storage": "postgres://user:" + marker + "@db/flame", "networkInterface": marker, "eviction": map[string]any{"policy": marker, "maxMemory": marker},
	}
	parent["spec"] = map[string]any{
		"version": marker, "restartedAt": marker, "serviceAccountName": marker, "podSecurity": marker,
		"imagePullSecrets": []any{map[string]any{"name": marker}},
		"sessionManager":   component, "executorManager": component, "objectCache": component,
		"tls":           map[string]any{"sessionManager": map[string]any{"secretName": marker}, "objectCache": map[string]any{"secretName": marker}},
		"networkPolicy": map[string]any{"clients": []any{map[string]any{"podSelector": map[string]any{"matchLabels": map[string]any{marker: marker}}, "ipBlock": map[string]any{"cidr": marker}}}},
		"extraConfig":   map[string]any{marker: marker},
		"unknown":       marker,
	}
	parent["status"] = map[string]any{"state": marker, "message": marker, "warnings": []any{marker}}
	parent["metadata"].(map[string]any)["annotations"] = map[string]any{"note": marker}
	tree["controller"] = map[string]any{"spec": marker}
	tree["children"] = map[string]any{"ConfigMap.v1": map[string]any{"team-a-other": map[string]any{
		"metadata": map[string]any{"name": "team-a-other", "namespace": "default", "annotations": map[string]any{"a": marker}},
		"data":     map[string]any{"key": marker},
	}}}
	tree["related"] = map[string]any{"Pod.v1": map[string]any{"p": map[string]any{"metadata": map[string]any{"name": marker}, "status": map[string]any{"message": marker}}}}
	marked, err := json.Marshal(tree)
	require.NoError(t, err)
	return string(marked)
}

// Log, metrics and refusals never repeat what a request says, in whatever way the
// call goes wrong.
func TestNothingLeaks(t *testing.T) {
	faults := map[string]func() (*hook.Response, error){
		"error":   func() (*hook.Response, error) { return nil, errors.New(marker) },
		"wrapped": func() (*hook.Response, error) { return nil, fmt.Errorf("%s: %w", marker, errors.New(marker)) },
		"panic":   func() (*hook.Response, error) { panic(marker) },
		"map":     func() (*hook.Response, error) { panic(map[string]string{marker: marker}) },
		"fault":   func() (*hook.Response, error) { panic(errors.New(marker)) },
	}
	faulty := start(t, server.Config{
		TokenFile: writeFile(t, "tokens", marker),
		Hooks: syncing(func(r *hook.Request) (*hook.Response, error) {
			return faults[r.Parent.Metadata.Name]()
		}),
	})
	sound := start(t, server.Config{TokenFile: writeFile(t, "tokens", marker)})
	bearer := "Bearer " + marker
	header := []string{"Authorization", bearer, "Cookie", marker, "If-None-Match", marker, "X-Trace", marker}

	for name := range faults {
		for _, body := range []string{syncBody(name), markEverything(t, syncBody(name))} {
			answer := post(t, faulty.url+"/sync?token="+marker, body, header...)
			assert.Equal(t, http.StatusInternalServerError, answer.code)
			assert.NotContains(t, answer.body, marker)
		}
	}
	good := markEverything(t, syncBody("team-a"))
	bodies := map[string]string{
		"cut":         good[:len(good)-2],
		"trailing":    good + marker,
		"text":        marker,
		"wrong type":  strings.Replace(good, `"children":{`, `"children":"`+marker+`","x":{`, 1),
		"wrong kind":  strings.Replace(good, "FlameCluster", marker, 1),
		"wrong group": strings.Replace(good, "flame.xflops.io/", marker+"/", 1),
		"string":      `"` + marker + `"`,
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			answer := post(t, sound.url+"/sync", body, header...)
			assert.Equal(t, http.StatusBadRequest, answer.code)
			assert.NotContains(t, answer.body, marker)
			stranger := post(t, sound.url+"/sync", body, "Authorization", "Basic "+marker)
			assert.Equal(t, http.StatusUnauthorized, stranger.code)
			assert.NotContains(t, stranger.body, marker)
		})
	}
	for _, path := range []string{"/sync", "/finalize", "/customize"} {
		post(t, sound.url+path, good, header...)
		post(t, sound.url+"/"+marker+path, good, header...)
		send(t, newClient(t), request(t, "GET", sound.url+path+"?"+marker, nil, header...))
		post(t, sound.url+path, good, "Authorization", bearer, "Content-Encoding", marker)
	}
	for name, s := range map[string]*service{"faulty": faulty, "sound": sound} {
		assert.NotContains(t, s.log.String(), marker, name)
		assert.NotContains(t, get(t, s.adminURL+"/metrics").body, marker, name)
		assert.NotEmpty(t, s.log.lines(t, "call"), name)
	}
}

// A name that is none can't be a FlameCluster's, so that it is not worth a log line.
func TestOddNamesAreNotLogged(t *testing.T) {
	s := start(t, server.Config{Hooks: running(t)})
	post(t, s.url+"/sync", syncBody("S3CR3T\nname"))
	assert.NotContains(t, s.log.String(), "S3CR3T")
	assert.Contains(t, s.log.String(), "(not a name)")
}

// A connection string with a password reached old objects as plain text.
func TestAnOldStorageStringIsNotRepeated(t *testing.T) {
	s := start(t, server.Config{})
	body := strings.Replace(syncBody("team-a"), `"spec":{}`, `"spec":{"sessionManager":{"storage":"postgres://flame:`+marker+`@db/flame"}}`, 1)
	answer := post(t, s.url+"/sync", body)
	assert.NotContains(t, answer.body, marker)
	assert.NotContains(t, s.log.String(), marker)
}
