package resources

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// The object cache loads every stored object before it listens: it gets ten minutes
// until it is restarted, and its Deployment a little longer until it counts as stuck.
const (
	objectCacheStartupPeriodSeconds    int32 = 5
	objectCacheStartupFailureThreshold int32 = 120
	objectCacheProgressDeadlineSeconds int32 = 720
)

// objectCacheDeployment is recreated: two caches on one volume would not know of each
// other's objects.
func objectCacheDeployment(c Cluster) (*appsv1.Deployment, error) {
	d, err := newDeployment(c, ObjectCacheName(c.Name), objectCacheDaemon(c))
	if err != nil {
		return nil, err
	}
	d.Spec.Replicas = replicas(c, *c.Spec.ObjectCache.Replicas)
	d.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
	d.Spec.ProgressDeadlineSeconds = new(objectCacheProgressDeadlineSeconds)
	return d, nil
}

func objectCacheDaemon(c Cluster) daemon {
	cache := &c.Spec.ObjectCache
	d := newDaemon(c, v1alpha1.ComponentObjectCache, &cache.ComponentSpec)
	d.readOnlyRoot = true
	port := cachePort(c.Spec)
	d.ports = []corev1.ContainerPort{containerPort(portCache, port)}
	// There is no liveness probe: a cache that is killed while it writes an object may
	// never start again.
	d.startup = &corev1.Probe{
		ProbeHandler:     tcpProbe(port),
		PeriodSeconds:    objectCacheStartupPeriodSeconds,
		TimeoutSeconds:   3,
		FailureThreshold: objectCacheStartupFailureThreshold,
	}
	d.readiness = &corev1.Probe{
		ProbeHandler:     tcpProbe(port),
		PeriodSeconds:    5,
		TimeoutSeconds:   3,
		FailureThreshold: 3,
	}
	d.addVolume(volumeObjects, *cache.VolumeSource.DeepCopy(), subPathAt(objectsDir, "cache"))
	d.addVolume(volumeLogs, limitedEmptyDir(logsSizeLimit), mountAt(logsDir))
	d.addTLS(volumeObjectCacheTLS, objectCacheTLSDir, c.Spec.ObjectCacheTLS(), serverTLSKeys)
	return d
}
