package hook

import (
	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/canonical"
)

// Response is the answer to a sync or finalize call.
type Response struct {
	// Status replaces the parent's status as a whole.
	Status *v1alpha1.FlameClusterStatus
	// Children are all objects that should exist, as canonical JSON. An object
	// that is left out is deleted.
	Children []canonical.Object
	// ResyncAfterSeconds asks for another call after that time; 0 does not.
	ResyncAfterSeconds float64
	// Finalized says that the parent may go. Only the answer to finalize may set it.
	Finalized bool
}

// CustomizeResponse is the answer to a customize call: which objects that are no
// children the sync request should carry.
type CustomizeResponse struct {
	RelatedResources []RelatedResourceRule `json:"relatedResources"`
}

// RelatedResourceRule selects related objects of one kind.
type RelatedResourceRule struct {
	APIVersion    string         `json:"apiVersion"`
	Resource      string         `json:"resource"`
	Namespace     string         `json:"namespace"`
	LabelSelector *LabelSelector `json:"labelSelector"`
}

// LabelSelector selects by exact labels.
type LabelSelector struct {
	MatchLabels map[string]string `json:"matchLabels"`
}
