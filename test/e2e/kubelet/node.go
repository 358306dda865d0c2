package kubelet

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const nodeName = "node-0"

// capacity is what one pod may ask for. Pods do not take it from each other.
var capacity = corev1.ResourceList{
	"cpu": resource.MustParse("64"), "memory": resource.MustParse("256Gi"), "ephemeral-storage": resource.MustParse("1Ti"),
	"pods": resource.MustParse("10000"), "nvidia.com/gpu": resource.MustParse("8"),
}

func node() *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: nodeName, Labels: map[string]string{
			corev1.LabelHostname: nodeName, corev1.LabelOSStable: "linux", corev1.LabelTopologyZone: "zone-0",
			// The one that examples/zones.yaml selects.
			"example.com/lifecycle": "on-demand",
		}},
		Status: corev1.NodeStatus{Capacity: capacity, Allocatable: capacity},
	}
}

// unschedulable says, in a scheduler's words, why the node can't take the pod, or
// returns "".
func unschedulable(pod *corev1.Pod, claimExists func(name string) bool) string {
	for key, value := range pod.Spec.NodeSelector {
		if node().Labels[key] != value {
			return "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector."
		}
	}
	for _, v := range pod.Spec.Volumes {
		if v.PersistentVolumeClaim != nil && !claimExists(v.PersistentVolumeClaim.ClaimName) {
			return fmt.Sprintf("0/1 nodes are available: persistentvolumeclaim %q not found.", v.PersistentVolumeClaim.ClaimName)
		}
	}
	asked := corev1.ResourceList{}
	for _, c := range pod.Spec.Containers {
		for name, quantity := range c.Resources.Requests {
			sum := asked[name]
			sum.Add(quantity)
			asked[name] = sum
		}
	}
	for name, quantity := range asked {
		if has := capacity[name]; quantity.Cmp(has) > 0 {
			return fmt.Sprintf("0/1 nodes are available: 1 Insufficient %s.", name)
		}
	}
	return ""
}
