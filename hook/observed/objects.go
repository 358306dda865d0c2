package observed

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// Meta is what is read of an object's metadata.
type Meta struct {
	Name              string            `json:"name"`
	Namespace         string            `json:"namespace"`
	UID               string            `json:"uid"`
	Generation        int64             `json:"generation"`
	CreationTimestamp metav1.Time       `json:"creationTimestamp"`
	DeletionTimestamp *metav1.Time      `json:"deletionTimestamp"`
	Labels            map[string]string `json:"labels"`
	Annotations       map[string]string `json:"annotations"`
}

// Hash is the hash with which the object was last sent, or "" if it never was.
func (m *Meta) Hash() string { return m.Annotations[v1alpha1.AnnotationHash] }

// Object is the view of a child of which only the metadata matters.
type Object struct {
	Metadata Meta `json:"metadata"`
}

// ConfigMap is the view of a ConfigMap.
type ConfigMap struct {
	Metadata Meta              `json:"metadata"`
	Data     map[string]string `json:"data"`
}

// Deployment is the view of a Deployment.
type Deployment struct {
	Metadata Meta             `json:"metadata"`
	Spec     DeploymentSpec   `json:"spec"`
	Status   DeploymentStatus `json:"status"`
}

// DeploymentSpec is the view of a Deployment's spec.
type DeploymentSpec struct {
	Replicas *int32                `json:"replicas"`
	Paused   bool                  `json:"paused"`
	Selector *metav1.LabelSelector `json:"selector"`
	Template struct {
		Metadata struct {
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
	} `json:"template"`
}

// DeploymentStatus is the view of a Deployment's status.
type DeploymentStatus struct {
	ObservedGeneration  int64                 `json:"observedGeneration"`
	Replicas            int32                 `json:"replicas"`
	UpdatedReplicas     int32                 `json:"updatedReplicas"`
	ReadyReplicas       int32                 `json:"readyReplicas"`
	AvailableReplicas   int32                 `json:"availableReplicas"`
	UnavailableReplicas int32                 `json:"unavailableReplicas"`
	Conditions          []DeploymentCondition `json:"conditions"`
}

// DeploymentCondition is the view of a condition in a Deployment's status.
type DeploymentCondition struct {
	Type               string                 `json:"type"`
	Status             corev1.ConditionStatus `json:"status"`
	LastTransitionTime metav1.Time            `json:"lastTransitionTime"`
	Reason             string                 `json:"reason"`
	Message            string                 `json:"message"`
}

// Pod is the view of a pod of one of the daemons.
type Pod struct {
	Metadata Meta      `json:"metadata"`
	Status   PodStatus `json:"status"`
}

// PodStatus is the view of a pod's status.
type PodStatus struct {
	Phase                 corev1.PodPhase   `json:"phase"`
	Reason                string            `json:"reason"`
	Message               string            `json:"message"`
	Conditions            []PodCondition    `json:"conditions"`
	InitContainerStatuses []ContainerStatus `json:"initContainerStatuses"`
	ContainerStatuses     []ContainerStatus `json:"containerStatuses"`
}

// PodCondition is the view of a condition in a pod's status.
type PodCondition struct {
	Type    corev1.PodConditionType `json:"type"`
	Status  corev1.ConditionStatus  `json:"status"`
	Reason  string                  `json:"reason"`
	Message string                  `json:"message"`
}

// ContainerStatus is the view of one container's status.
type ContainerStatus struct {
	Name         string         `json:"name"`
	Ready        bool           `json:"ready"`
	RestartCount int32          `json:"restartCount"`
	State        ContainerState `json:"state"`
	LastState    ContainerState `json:"lastState"`
}

// ContainerState is the view of a container's state; at most one member is set.
type ContainerState struct {
	Waiting    *ContainerWaiting    `json:"waiting"`
	Running    *struct{}            `json:"running"`
	Terminated *ContainerTerminated `json:"terminated"`
}

// ContainerWaiting says why a container does not run.
type ContainerWaiting struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// ContainerTerminated says how a container ended.
type ContainerTerminated struct {
	ExitCode   int32       `json:"exitCode"`
	Reason     string      `json:"reason"`
	Message    string      `json:"message"`
	FinishedAt metav1.Time `json:"finishedAt"`
}
