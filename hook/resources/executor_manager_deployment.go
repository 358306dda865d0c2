package resources

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// executorMinReadySeconds keeps a rollout from counting executors that start and exit:
// one that can't connect, or does not like its configuration, exits at once.
const executorMinReadySeconds int32 = 5

// executorManagerDeployment rolls a quarter of the executors at a time. Executors listen
// on nothing, so they have no probes.
func executorManagerDeployment(c Cluster) (*appsv1.Deployment, error) {
	d, err := newDeployment(c, ExecutorManagerName(c.Name), executorManagerDaemon(c))
	if err != nil {
		return nil, err
	}
	d.Spec.Replicas = replicas(c, c.Executors.Replicas)
	d.Spec.Paused = c.Executors.Paused
	d.Spec.MinReadySeconds = executorMinReadySeconds
	d.Spec.ProgressDeadlineSeconds = new(progressDeadlineSeconds)
	rolling := &appsv1.RollingUpdateDeployment{
		MaxUnavailable: new(intstr.FromString("25%")),
		MaxSurge:       new(intstr.FromString("25%")),
	}
	if visibleDevices(&d.Spec.Template) > 0 {
		// A surge would wait for GPUs that the old executors hold.
		rolling.MaxSurge = new(intstr.FromInt32(0))
	}
	d.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType, RollingUpdate: rolling}
	return d, nil
}

func executorManagerDaemon(c Cluster) daemon {
	manager := &c.Spec.ExecutorManager
	d := newDaemon(c, v1alpha1.ComponentExecutorManager, &manager.ComponentSpec)
	d.workingDir = workDir
	d.preStop = leaveHook(c)
	// The user has no entry in the image's passwd, so HOME would be "/".
	d.env = []corev1.EnvVar{{Name: envHome, Value: homeDir}}
	if state := c.Executors.SessionManagerState; state != "" {
		d.annotations[v1alpha1.AnnotationSessionManagerState] = state
	}
	d.addVolume(volumeWork, *manager.VolumeSource.DeepCopy(),
		subPathAt(workDir, "work"),
		subPathAt(dataDir, "data"))
	d.addVolume(volumeLogs, limitedEmptyDir(logsSizeLimit), mountAt(logsDir))
	d.addVolume(volumeTmp, emptyDir(), mountAt(tmpDir))
	d.addVolume(volumeRun, emptyDir(), mountAt(runDir))
	d.addVolume(volumeHome, emptyDir(), mountAt(homeDir))
	d.addTLS(volumeSessionManagerTLS, sessionManagerTLSDir, c.Spec.SessionManagerTLS(), clientTLSKeys)
	if c.Spec.CacheEnabled() {
		d.addTLS(volumeObjectCacheTLS, objectCacheTLSDir, c.Spec.ObjectCacheTLS(), clientTLSKeys)
	}
	return d
}
