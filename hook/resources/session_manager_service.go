package resources

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// sessionManagerService has both ports: executors look for the backend on the host of
// the endpoint. It is always ClusterIP, since the backend asks nobody who they are.
func sessionManagerService(c Cluster) *corev1.Service {
	tls := c.Spec.SessionManagerTLS() != nil
	s := newService(c, SessionManagerName(c.Name), v1alpha1.ComponentSessionManager, corev1.ServiceTypeClusterIP,
		servicePort(portFrontend, frontendPort(c.Spec), tls),
		servicePort(portBackend, backendPort(c.Spec), tls))
	if !c.Spec.SessionManager.Service.External() {
		decorate(s, &c.Spec.SessionManager.Service)
	}
	return s
}

// sessionManagerExternalService is nil unless the type asked for reaches beyond the
// Kubernetes cluster. It has the frontend only.
func sessionManagerExternalService(c Cluster) *corev1.Service {
	if !c.Spec.SessionManager.Service.External() {
		return nil
	}
	service := &c.Spec.SessionManager.Service
	s := newService(c, ExternalServiceName(c.Name), v1alpha1.ComponentSessionManager, service.Type,
		servicePort(portFrontend, frontendPort(c.Spec), c.Spec.SessionManagerTLS() != nil))
	decorate(s, service)
	return s
}

func newService(c Cluster, name string, component v1alpha1.Component, t corev1.ServiceType, ports ...corev1.ServicePort) *corev1.Service {
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: c.objectMeta(name, component),
		Spec: corev1.ServiceSpec{
			Type:     t,
			Selector: Selector(c.Name, component),
			Ports:    ports,
		},
	}
}

// decorate adds the user's labels and annotations; the labels that select stay.
func decorate(s *corev1.Service, service *v1alpha1.ServiceSpec) {
	maps.Copy(s.Labels, service.Labels)
	maps.Copy(s.Labels, s.Spec.Selector)
	if len(service.Annotations) > 0 {
		s.Annotations = maps.Clone(service.Annotations)
	}
}
