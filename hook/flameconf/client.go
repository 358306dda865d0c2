package flameconf

import (
	"github.com/xflops/flame-operator/api/v1alpha1"
)

// clientTree is flame.yaml (sdk/rust/src/apis/ctx.rs:59) with one context, named
// after the FlameCluster. It is meant to be mounted into client pods.
//
// With TLS it names the CA at the path that the daemons' pods use,
// /etc/flame-tls/session-manager/ca.crt and /etc/flame-tls/object-cache/ca.crt:
// the client mounts the Secret's ca.crt there. FLAME_CA_FILE would not help a
// client that has it elsewhere, since it only fills in what the file leaves out.
func clientTree(name, namespace string, spec *v1alpha1.FlameClusterSpec) map[string]any {
	cluster := map[string]any{"endpoint": SessionManagerEndpoint(name, namespace, spec)}
	if spec.SessionManagerTLS() != nil {
		cluster["tls"] = map[string]any{"ca_file": caFile(v1alpha1.ComponentSessionManager)}
	}
	context := map[string]any{"name": name, "cluster": cluster}
	if endpoint := ObjectCacheEndpoint(name, namespace, spec); endpoint != "" {
		cache := map[string]any{"endpoint": endpoint}
		if spec.ObjectCacheTLS() != nil {
			cache["tls"] = map[string]any{"ca_file": caFile(v1alpha1.ComponentObjectCache)}
		}
		context["cache"] = cache
	}
	return map[string]any{"current-context": name, "contexts": []any{context}}
}
