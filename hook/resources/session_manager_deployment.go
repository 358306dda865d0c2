package resources

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// sessionManagerDeployment has one replica and is recreated: two session managers on
// one volume would overwrite each other's state.
func sessionManagerDeployment(c Cluster) (*appsv1.Deployment, error) {
	d, err := newDeployment(c, SessionManagerName(c.Name), sessionManagerDaemon(c))
	if err != nil {
		return nil, err
	}
	d.Spec.Replicas = replicas(c, 1)
	d.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
	// With a bad policy the session manager opens its ports and ends a moment later.
	d.Spec.MinReadySeconds = 3
	d.Spec.ProgressDeadlineSeconds = new(progressDeadlineSeconds)
	return d, nil
}

func sessionManagerDaemon(c Cluster) daemon {
	manager := &c.Spec.SessionManager
	d := newDaemon(c, v1alpha1.ComponentSessionManager, &manager.ComponentSpec)
	d.readOnlyRoot = true
	d.ports = []corev1.ContainerPort{
		containerPort(portFrontend, frontendPort(c.Spec)),
		containerPort(portBackend, backendPort(c.Spec)),
	}
	// The backend is what executors wait for. There is no liveness probe: the process
	// ends by itself when one of its tasks does, and a restart costs every executor its
	// connection.
	d.readiness = &corev1.Probe{
		ProbeHandler:     tcpProbe(backendPort(c.Spec)),
		PeriodSeconds:    5,
		TimeoutSeconds:   3,
		FailureThreshold: 3,
	}
	d.addVolume(volumeState, *manager.VolumeSource.DeepCopy(),
		stateMount(),
		subPathAt(eventsDir, "events"))
	// No sizeLimit: reaching it would evict the pod, and with it its state.
	d.addVolume(volumeLogs, emptyDir(), mountAt(logsDir))
	d.addTLS(volumeSessionManagerTLS, sessionManagerTLSDir, c.Spec.SessionManagerTLS(), serverTLSKeys)
	d.addStorageCredentials(c)
	d.addForgetNodes(c)
	return d
}
