package hook

import (
	"encoding/json"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// CustomizeResponse is the answer to a customize call: which objects that are no
// children the sync request should carry.
type CustomizeResponse struct {
	RelatedResources []RelatedResourceRule `json:"relatedResources"`
}

// RelatedResourceRule selects related objects of one kind in one namespace. Both
// are always set: without a namespace hook v2 would send all namespaces' objects.
type RelatedResourceRule struct {
	APIVersion    string        `json:"apiVersion"`
	Resource      string        `json:"resource"`
	Namespace     string        `json:"namespace"`
	LabelSelector LabelSelector `json:"labelSelector"`
}

// LabelSelector selects objects by exact labels.
type LabelSelector struct {
	MatchLabels map[string]string `json:"matchLabels"`
}

// Encode returns the body of the answer.
func (r *CustomizeResponse) Encode() ([]byte, error) { return json.Marshal(r) }

// Customize asks for the pods of the cluster: pods belong to Deployments, so they
// are no children, but only they tell why a Deployment is not ready. Metacontroller
// caches the answer by UID and generation, so it depends on name and namespace only.
func Customize(r *Request) (*CustomizeResponse, error) {
	return &CustomizeResponse{RelatedResources: []RelatedResourceRule{{
		APIVersion: "v1",
		Resource:   "pods",
		Namespace:  r.Parent.Metadata.Namespace,
		LabelSelector: LabelSelector{MatchLabels: map[string]string{
			v1alpha1.LabelCluster: r.Parent.Metadata.Name,
		}},
	}}}, nil
}
