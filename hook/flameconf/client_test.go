package flameconf

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Flame's clients look for the context that current-context names.
func TestClientContextIsTheCurrentOne(t *testing.T) {
	client := parsed(t, render(t, specOf(t, `{}`)).Client)
	assert.Equal(t, "blue", client["current-context"])
	contexts := client["contexts"].([]any)
	assert.Len(t, contexts, 1)
	assert.Equal(t, "blue", contexts[0].(map[string]any)["name"])
}

func TestClientWithoutCache(t *testing.T) {
	client := parsed(t, render(t, specOf(t, `{objectCache: {enabled: false}}`)).Client)
	assert.NotContains(t, client["contexts"].([]any)[0], "cache")
}

// A client has the CA only, at the path where the daemons' pods have it.
func TestClientNamesTheCAOnly(t *testing.T) {
	config := render(t, specOf(t, `{tls: {sessionManager: {secretName: sm}, objectCache: {secretName: oc}}}`))
	context := parsed(t, config.Client)["contexts"].([]any)[0].(map[string]any)
	assert.Equal(t, map[string]any{"ca_file": "/etc/flame-tls/session-manager/ca.crt"}, at(context, "cluster", "tls"))
	assert.Equal(t, map[string]any{"ca_file": "/etc/flame-tls/object-cache/ca.crt"}, at(context, "cache", "tls"))
	assert.NotContains(t, config.Client, "tls.key")
}

// What is for the daemons only is no business of clients: their file would change
// with it.
func TestExtraConfigIsNotForClients(t *testing.T) {
	plain := render(t, specOf(t, `{}`)).Client
	assert.Equal(t, plain, render(t, specOf(t, `{extraConfig: {cluster: {pprof: {}}, cache: {pprof: {}}}}`)).Client)
}
