package v1alpha1

import corev1 "k8s.io/api/core/v1"

// CacheEnabled says whether the cluster has an object cache. It has one unless the spec
// says otherwise.
func (s *FlameClusterSpec) CacheEnabled() bool {
	return s.ObjectCache.Enabled == nil || *s.ObjectCache.Enabled
}

// SessionManagerTLS is where the session manager's certificate comes from, nil without
// TLS.
func (s *FlameClusterSpec) SessionManagerTLS() *TLSSecret {
	if s.TLS == nil {
		return nil
	}
	return s.TLS.SessionManager
}

// ObjectCacheTLS is where the object cache's certificate comes from, nil without TLS.
func (s *FlameClusterSpec) ObjectCacheTLS() *TLSSecret {
	if s.TLS == nil {
		return nil
	}
	return s.TLS.ObjectCache
}

// External says whether the daemon is to be reached from outside of the Kubernetes
// cluster.
func (s *ServiceSpec) External() bool {
	return s.Type == corev1.ServiceTypeNodePort || s.Type == corev1.ServiceTypeLoadBalancer
}
