package resources

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// envVisibleDevices tells Flame how many GPUs the executor has: its own look at the
// driver finds none in most pods.
const envVisibleDevices = "CUDA_VISIBLE_DEVICES"

// maxVisibleDevices is more GPUs than any machine has; it bounds the variable's length.
const maxVisibleDevices = 1024

// visibleDevices is the number of GPUs in the limits of the executor's container:
// resources that end in "/gpu" (nvidia.com/gpu, amd.com/gpu) and NVIDIA's slices of a
// GPU. More than maxVisibleDevices count as that many.
func visibleDevices(template *corev1.PodTemplateSpec) int64 {
	container := daemonContainer(template, v1alpha1.ComponentExecutorManager)
	if container == nil {
		return 0
	}
	var n int64
	for name, quantity := range container.Resources.Limits {
		if isGPU(name) {
			n += min(max(quantity.Value(), 0), maxVisibleDevices)
		}
	}
	return min(n, maxVisibleDevices)
}

func isGPU(name corev1.ResourceName) bool {
	return strings.HasSuffix(string(name), "/gpu") || strings.HasPrefix(string(name), "nvidia.com/mig-")
}

// setVisibleDevices sets the variable to 0,1,...,n-1, or -1 for no GPU at all. A value
// of the user's own is left alone.
func setVisibleDevices(template *corev1.PodTemplateSpec) {
	container := daemonContainer(template, v1alpha1.ComponentExecutorManager)
	if container == nil || hasEnv(container.Env, envVisibleDevices) {
		return
	}
	value := "-1"
	if n := visibleDevices(template); n > 0 {
		devices := make([]string, n)
		for i := range devices {
			devices[i] = strconv.Itoa(i)
		}
		value = strings.Join(devices, ",")
	}
	container.Env = append(container.Env, corev1.EnvVar{Name: envVisibleDevices, Value: value})
}
