package resources

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// Names of the ports of Services and containers.
const (
	portFrontend = "frontend"
	portBackend  = "backend"
	portCache    = "cache"
)

func frontendPort(spec *v1alpha1.FlameClusterSpec) int32 { return *spec.SessionManager.Service.Port }

// backendPort is always the next one: executors derive it from the endpoint.
func backendPort(spec *v1alpha1.FlameClusterSpec) int32 { return frontendPort(spec) + 1 }

func cachePort(spec *v1alpha1.FlameClusterSpec) int32 { return *spec.ObjectCache.Service.Port }

// servicePort has the same number on the Service and in the pod, since Flame binds
// the port of the endpoint that it is reached at.
func servicePort(name string, port int32, tls bool) corev1.ServicePort {
	p := corev1.ServicePort{Name: name, Protocol: corev1.ProtocolTCP, Port: port, TargetPort: intstr.FromInt32(port)}
	if !tls {
		// Service meshes read "grpc" as gRPC in clear text, so with TLS nothing is said.
		grpc := "grpc"
		p.AppProtocol = &grpc
	}
	return p
}

func containerPort(name string, port int32) corev1.ContainerPort {
	return corev1.ContainerPort{Name: name, ContainerPort: port, Protocol: corev1.ProtocolTCP}
}

func tcpProbe(port int32) corev1.ProbeHandler {
	return corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(port)}}
}
