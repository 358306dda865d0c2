package resources

import "github.com/xflops/flame-operator/api/v1alpha1"

// Names are made of the FlameCluster's and a suffix and never cut or hashed:
// v1alpha1.MaxNameLength and v1alpha1.MaxExternalNameLength leave room for the longest.

// ConfigName is the name of the ConfigMap with the daemons' configuration.
func ConfigName(cluster string) string { return cluster + "-config" }

// ClientConfigName is the name of the ConfigMap with the configuration for clients.
func ClientConfigName(cluster string) string { return cluster + "-client" }

// LastGoodName is the name of the ConfigMap that records the last valid spec.
func LastGoodName(cluster string) string { return cluster + "-last-good" }

// SessionManagerName is the name of the session manager's Deployment and Service.
func SessionManagerName(cluster string) string {
	return componentName(cluster, v1alpha1.ComponentSessionManager)
}

// ExternalServiceName is the name of the session manager's second Service, which
// exists where the type asked for is not ClusterIP.
func ExternalServiceName(cluster string) string { return SessionManagerName(cluster) + "-external" }

// ExecutorManagerName is the name of the executors' Deployment and PodDisruptionBudget.
func ExecutorManagerName(cluster string) string {
	return componentName(cluster, v1alpha1.ComponentExecutorManager)
}

// ObjectCacheName is the name of the object cache's Deployment and Service.
func ObjectCacheName(cluster string) string {
	return componentName(cluster, v1alpha1.ComponentObjectCache)
}

// NetworkPolicyName is the name of the NetworkPolicy.
func NetworkPolicyName(cluster string) string { return cluster }

func componentName(cluster string, component v1alpha1.Component) string {
	return cluster + "-" + string(component)
}
