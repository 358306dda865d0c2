package resources

import (
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// networkPolicy is nil unless enabled. It lets executors and clients reach the frontend
// and the cache, executors alone the backend, and nobody anything else. The cache hands
// out the addresses of its pods, so it is the pods' port that counts. Its lists have no
// keys for Metacontroller, so every default is spelled out.
func networkPolicy(c Cluster) *networkingv1.NetworkPolicy {
	policy := c.Spec.NetworkPolicy
	if policy == nil || !policy.Enabled {
		return nil
	}
	executors := networkingv1.NetworkPolicyPeer{PodSelector: &metav1.LabelSelector{
		MatchLabels: Selector(c.Name, v1alpha1.ComponentExecutorManager),
	}}
	everybody := []networkingv1.NetworkPolicyPeer{executors}
	for i := range policy.Clients {
		everybody = append(everybody, *policy.Clients[i].DeepCopy())
	}
	open := []networkingv1.NetworkPolicyPort{policyPort(frontendPort(c.Spec))}
	if c.Spec.CacheEnabled() {
		port := policyPort(cachePort(c.Spec))
		if cachePort(c.Spec) == backendPort(c.Spec) {
			// The number would open the backend to clients; the name is the cache's alone.
			port.Port = new(intstr.FromString(portCache))
		}
		open = append(open, port)
	}
	return &networkingv1.NetworkPolicy{
		TypeMeta:   metav1.TypeMeta{APIVersion: "networking.k8s.io/v1", Kind: "NetworkPolicy"},
		ObjectMeta: c.clusterObjectMeta(NetworkPolicyName(c.Name)),
		Spec: networkingv1.NetworkPolicySpec{
			PodSelector: metav1.LabelSelector{MatchLabels: map[string]string{v1alpha1.LabelCluster: c.Name}},
			PolicyTypes: []networkingv1.PolicyType{networkingv1.PolicyTypeIngress},
			Ingress: []networkingv1.NetworkPolicyIngressRule{
				{From: everybody, Ports: open},
				{
					From:  []networkingv1.NetworkPolicyPeer{executors},
					Ports: []networkingv1.NetworkPolicyPort{policyPort(backendPort(c.Spec))},
				},
			},
		},
	}
}

func policyPort(port int32) networkingv1.NetworkPolicyPort {
	return networkingv1.NetworkPolicyPort{Protocol: new(corev1.ProtocolTCP), Port: new(intstr.FromInt32(port))}
}
