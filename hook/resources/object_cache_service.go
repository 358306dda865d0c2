package resources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

func objectCacheService(c Cluster) *corev1.Service {
	s := newService(c, ObjectCacheName(c.Name), v1alpha1.ComponentObjectCache, corev1.ServiceTypeClusterIP,
		servicePort(portCache, cachePort(c.Spec), c.Spec.ObjectCacheTLS() != nil))
	decorate(s, &c.Spec.ObjectCache.Service)
	return s
}
