package flameconf

import (
	"strconv"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// SessionManagerEndpoint is where clients and executors of the FlameCluster
// reach the session manager: https with TLS, http without, always with the port
// in it, since Flame replaces a port that is its scheme's default by 8080.
//
// The host is <name>-session-manager.<namespace>.svc. With the namespace in it
// one name is right for executors, for clients in other namespaces and for the
// certificate; without the cluster's domain it is right in every cluster,
// whatever that domain is.
func SessionManagerEndpoint(name, namespace string, spec *v1alpha1.FlameClusterSpec) string {
	scheme := "http"
	if spec.SessionManagerTLS() != nil {
		scheme = "https"
	}
	return endpoint(scheme, name, v1alpha1.ComponentSessionManager, namespace, spec.SessionManager.Service.Port, v1alpha1.DefaultSessionManagerPort)
}

// ObjectCacheEndpoint is where clients and tasks reach the object cache: grpcs
// with TLS, grpc without. It is empty when the cache is disabled.
func ObjectCacheEndpoint(name, namespace string, spec *v1alpha1.FlameClusterSpec) string {
	if !spec.CacheEnabled() {
		return ""
	}
	scheme := "grpc"
	if spec.ObjectCacheTLS() != nil {
		scheme = "grpcs"
	}
	return endpoint(scheme, name, v1alpha1.ComponentObjectCache, namespace, spec.ObjectCache.Service.Port, v1alpha1.DefaultObjectCachePort)
}

func endpoint(scheme, name string, component v1alpha1.Component, namespace string, port *int32, defaultPort int32) string {
	if port != nil {
		defaultPort = *port
	}
	return scheme + "://" + name + "-" + string(component) + "." + namespace + ".svc:" + strconv.Itoa(int(defaultPort))
}
