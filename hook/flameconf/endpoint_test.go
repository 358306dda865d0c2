package flameconf

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEndpoints(t *testing.T) {
	for _, test := range []struct {
		name, spec            string
		sessionManager, cache string
	}{
		{
			name:           "default",
			spec:           `{}`,
			sessionManager: "http://blue-session-manager.team.svc:8080",
			cache:          "grpc://blue-object-cache.team.svc:9090",
		}, {
			name:           "ports",
			spec:           `{sessionManager: {service: {port: 9000}}, objectCache: {service: {port: 9500}}}`,
			sessionManager: "http://blue-session-manager.team.svc:9000",
			cache:          "grpc://blue-object-cache.team.svc:9500",
		}, {
			name:           "session manager with TLS",
			spec:           `{tls: {sessionManager: {secretName: sm}}}`,
			sessionManager: "https://blue-session-manager.team.svc:8080",
			cache:          "grpc://blue-object-cache.team.svc:9090",
		}, {
			name:           "all TLS",
			spec:           `{tls: {sessionManager: {secretName: sm}, objectCache: {secretName: oc}}}`,
			sessionManager: "https://blue-session-manager.team.svc:8080",
			cache:          "grpcs://blue-object-cache.team.svc:9090",
		}, {
			name:           "no cache",
			spec:           `{objectCache: {enabled: false}}`,
			sessionManager: "http://blue-session-manager.team.svc:8080",
			cache:          "",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := specOf(t, test.spec)
			assert.Equal(t, test.sessionManager, SessionManagerEndpoint("blue", "team", spec))
			assert.Equal(t, test.cache, ObjectCacheEndpoint("blue", "team", spec))
		})
	}
}

// Clients, executors and the certificate have to agree on one name, and on a
// scheme that fits the presence of the tls block.
func TestEndpointsAgreeInBothFiles(t *testing.T) {
	for _, text := range []string{
		`{}`,
		`{tls: {sessionManager: {secretName: sm}}}`,
		`{tls: {sessionManager: {secretName: sm}, objectCache: {secretName: oc}}, sessionManager: {service: {port: 65534}}}`,
	} {
		spec := specOf(t, text)
		config := render(t, spec)
		cluster, client := parsed(t, config.Cluster), parsed(t, config.Client)
		context := client["contexts"].([]any)[0].(map[string]any)
		assert.Equal(t, SessionManagerEndpoint("blue", "team", spec), at(cluster, "cluster", "endpoint"))
		assert.Equal(t, at(cluster, "cluster", "endpoint"), at(context, "cluster", "endpoint"))
		assert.Equal(t, at(cluster, "cache", "endpoint"), at(context, "cache", "endpoint"))
		assert.Equal(t, spec.SessionManagerTLS() != nil, at(cluster, "cluster", "tls") != nil)
		assert.Equal(t, spec.SessionManagerTLS() != nil, at(context, "cluster", "tls") != nil)
		assert.Equal(t, spec.ObjectCacheTLS() != nil, at(cluster, "cache", "tls") != nil)
		assert.Equal(t, spec.ObjectCacheTLS() != nil, at(context, "cache", "tls") != nil)
	}
}
