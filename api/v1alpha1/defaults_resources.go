package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// defaultMaxMemory is Flame's own default for cache.eviction.max_memory, 1G, which
// Flame reads as 1 GiB.
func defaultMaxMemory() resource.Quantity { return resource.MustParse("1Gi") }

func setSessionManagerResources(resources *corev1.ResourceRequirements) {
	setResourceDefault(resources, corev1.ResourceCPU, resource.MustParse("250m"), nil)
	limit := resource.MustParse("1Gi")
	setResourceDefault(resources, corev1.ResourceMemory, resource.MustParse("512Mi"), &limit)
	fillRequests(resources)
}

// setExecutorManagerResources always ends with a CPU and a memory limit: Flame's
// executor advertises the whole node without them.
func setExecutorManagerResources(resources *corev1.ResourceRequirements) {
	cpu, memory := resource.MustParse("1"), resource.MustParse("2Gi")
	setResourceDefault(resources, corev1.ResourceCPU, cpu, &cpu)
	setResourceDefault(resources, corev1.ResourceMemory, memory, &memory)
	fillRequests(resources)
}

// setObjectCacheResources gives the cache twice the memory of its objects: it
// loads everything that is stored before it evicts, and needs room to work.
func setObjectCacheResources(resources *corev1.ResourceRequirements, maxMemory resource.Quantity) {
	setResourceDefault(resources, corev1.ResourceCPU, resource.MustParse("250m"), nil)
	memory := maxMemory.DeepCopy()
	memory.Add(maxMemory)
	setResourceDefault(resources, corev1.ResourceMemory, memory, &memory)
	fillRequests(resources)
}

// setResourceDefault fills in the request and the limit of one resource. A limit
// alone becomes the request too, as in Kubernetes; a request above the default
// limit raises that limit.
func setResourceDefault(resources *corev1.ResourceRequirements, name corev1.ResourceName, request resource.Quantity, limit *resource.Quantity) {
	given, hasRequest := resources.Requests[name]
	_, hasLimit := resources.Limits[name]
	if hasLimit {
		return
	}
	if !hasRequest {
		given = request
		resources.Requests = withQuantity(resources.Requests, name, request)
	}
	if limit == nil {
		return
	}
	if given.Cmp(*limit) > 0 {
		limit = &given
	}
	resources.Limits = withQuantity(resources.Limits, name, *limit)
}

// fillRequests gives every resource that has a limit a request, as the API server
// would: what is sent must be what is stored.
func fillRequests(resources *corev1.ResourceRequirements) {
	for name, limit := range resources.Limits {
		if _, found := resources.Requests[name]; !found {
			resources.Requests = withQuantity(resources.Requests, name, limit)
		}
	}
}

func withQuantity(list corev1.ResourceList, name corev1.ResourceName, quantity resource.Quantity) corev1.ResourceList {
	if list == nil {
		list = corev1.ResourceList{}
	}
	list[name] = quantity.DeepCopy()
	return list
}
