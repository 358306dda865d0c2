package server_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook/server"
)

func withState(body, state string) string {
	return strings.Replace(body, `"spec":{}`, `"spec":{},"status":{"state":"`+state+`"}`, 1)
}

func TestEveryCallIsOneLineAtDebug(t *testing.T) {
	s := start(t, server.Config{Hooks: running(t)})
	body := withState(syncBody("team-a"), "Running")
	post(t, s.url+"/sync", body)
	post(t, s.url+"/sync", "null")
	post(t, s.url+"/nothing", "")
	lines := s.log.lines(t, "call")
	require.Len(t, lines, 3)
	assert.Equal(t, "DEBUG", lines[0]["level"])
	assert.Equal(t, "sync", lines[0]["hook"])
	assert.InDelta(t, 200, lines[0]["code"], 0)
	assert.Equal(t, "default", lines[0]["namespace"])
	assert.Equal(t, "team-a", lines[0]["name"])
	assert.InDelta(t, len(body), lines[0]["bodyBytes"], 0)
	assert.Equal(t, "WARN", lines[1]["level"])
	assert.InDelta(t, 400, lines[1]["code"], 0)
	assert.NotEmpty(t, lines[1]["refusal"])
	assert.Equal(t, "DEBUG", lines[2]["level"])
	assert.Empty(t, s.log.lines(t, "state changed"), "it was running before")
}

func TestAChangeOfStateIsOneLineAtInfo(t *testing.T) {
	logged := &logBuffer{}
	s := start(t, server.Config{Hooks: running(t), Logger: slog.New(slog.NewJSONHandler(logged, nil))})
	post(t, s.url+"/sync", syncBody("new"))
	post(t, s.url+"/sync", withState(syncBody("pending"), "Pending"))
	post(t, s.url+"/sync", withState(syncBody("steady"), "Running"))
	post(t, s.url+"/sync", withState(syncBody("odd"), "what somebody wrote"))
	lines := logged.lines(t, "state changed")
	require.Len(t, lines, 3)
	for i, want := range []struct{ name, from string }{{"new", ""}, {"pending", "Pending"}, {"odd", "(unknown)"}} {
		assert.Equal(t, "INFO", lines[i]["level"])
		assert.Equal(t, want.name, lines[i]["name"])
		assert.Equal(t, want.from, lines[i]["from"])
		assert.Equal(t, "Running", lines[i]["to"])
		assert.Equal(t, "Ready", lines[i]["reason"])
	}
	assert.Empty(t, logged.lines(t, "call"))
}

func TestRemovedTokenIsLoudInTheLog(t *testing.T) {
	s := start(t, server.Config{Hooks: running(t), TokenFile: writeFile(t, "tokens", "good")})
	assert.Equal(t, http.StatusUnauthorized, post(t, s.url+"/sync", "{}").code)
	assert.Equal(t, "WARN", s.log.lines(t, "call")[0]["level"])
}
