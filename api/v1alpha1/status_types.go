package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// FlameClusterStatus is what was last seen of a Flame cluster. Everything in it
// comes from observed objects.
type FlameClusterStatus struct {
	// ObservedGeneration is the generation of the spec that this status is about.
	//
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// State is one word for people, derived from the conditions: Pending, Running,
	// Updating, Degraded, Failed or Suspended. Tools should read the conditions.
	//
	// +optional
	State ClusterState `json:"state,omitempty"`

	// Message is one sentence that explains the state.
	//
	// +optional
	Message string `json:"message,omitempty"`

	// Replicas is the number of executor managers that exist.
	//
	// +optional
	Replicas int32 `json:"replicas"`

	// ReadyReplicas is the number of executor managers that are ready.
	//
	// +optional
	ReadyReplicas int32 `json:"readyReplicas"`

	// Selector selects the executor managers' pods, for HPA.
	//
	// +optional
	Selector string `json:"selector,omitempty"`

	// Endpoint is where clients reach the session manager.
	//
	// +optional
	Endpoint string `json:"endpoint,omitempty"`

	// CacheEndpoint is where clients reach the object cache.
	//
	// +optional
	CacheEndpoint string `json:"cacheEndpoint,omitempty"`

	// SessionManager counts the session manager's pods.
	//
	// +optional
	SessionManager *ComponentStatus `json:"sessionManager,omitempty"`

	// ExecutorManager counts the executor managers' pods.
	//
	// +optional
	ExecutorManager *ComponentStatus `json:"executorManager,omitempty"`

	// ObjectCache counts the object cache's pods. Absent when there is no cache.
	//
	// +optional
	ObjectCache *ComponentStatus `json:"objectCache,omitempty"`

	// LastGoodGeneration is the generation of the last spec that was accepted. While
	// a later one is invalid, that spec is what runs.
	//
	// +optional
	LastGoodGeneration int64 `json:"lastGoodGeneration,omitempty"`

	// Conditions in a stable order. Ready is always there; Reconciling and Stalled
	// only while they are true, and never together.
	//
	// +listType=map
	// +listMapKey=type
	// +optional
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// Warnings are advice and deprecated fields in use, at most 10.
	//
	// +listType=atomic
	// +optional
	Warnings []string `json:"warnings,omitempty"`
}

// ComponentStatus counts the pods of one component.
type ComponentStatus struct {
	// Desired is the number of pods that are wanted.
	Desired int32 `json:"desired"`
	// Ready is the number of ready pods, of any revision.
	Ready int32 `json:"ready"`
	// Updated is the number of pods of the wanted revision.
	Updated int32 `json:"updated"`
	// Endpoint is where the component is reached; executor managers have none.
	//
	// +optional
	Endpoint string `json:"endpoint,omitempty"`
}

// ClusterState is one word for the state of a Flame cluster.
//
// +kubebuilder:validation:Enum=Pending;Running;Updating;Degraded;Failed;Suspended
type ClusterState string

const (
	// StatePending means that the cluster was never ready yet.
	StatePending ClusterState = "Pending"
	// StateRunning means that everything that is wanted is ready.
	StateRunning ClusterState = "Running"
	// StateUpdating means that a change of the spec is on its way.
	StateUpdating ClusterState = "Updating"
	// StateDegraded means that the session manager works, something else does not.
	StateDegraded ClusterState = "Degraded"
	// StateFailed means that somebody has to act, and the session manager is not ready.
	StateFailed ClusterState = "Failed"
	// StateSuspended means that spec.suspend is set and all workloads are at 0.
	StateSuspended ClusterState = "Suspended"
)
