package observed

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/hook/internal/jsonread"
)

// Deployment is the view of a Deployment.
type Deployment struct {
	Metadata Meta             `json:"metadata"`
	Spec     DeploymentSpec   `json:"spec"`
	Status   DeploymentStatus `json:"status"`
}

func (d *Deployment) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "metadata":
			d.Metadata.read(r)
		case "spec":
			d.Spec.read(r)
		case "status":
			d.Status.read(r)
		}
	}
}

func (d *Deployment) meta() *Meta { return &d.Metadata }

// DeploymentSpec is the view of a Deployment's spec.
type DeploymentSpec struct {
	Replicas *int32                `json:"replicas"`
	Paused   bool                  `json:"paused"`
	Selector *metav1.LabelSelector `json:"selector"`
	Template PodTemplate           `json:"template"`

	strategy string
}

// Strategy is the strategy as it was sent, in JSON, or "" if there is none.
func (s *DeploymentSpec) Strategy() string { return s.strategy }

func (s *DeploymentSpec) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "replicas":
			s.Replicas = nil
			if !r.Null() {
				s.Replicas = new(int32)
				r.Int32(s.Replicas)
			}
		case "paused":
			r.Bool(&s.Paused)
		case "selector":
			s.Selector = nil
			if !r.Null() {
				s.Selector = &metav1.LabelSelector{}
				readSelector(r, s.Selector)
			}
		case "strategy":
			s.strategy = r.Raw()
		case "template":
			s.Template.read(r)
		}
	}
}

func readSelector(r *jsonread.Reader, s *metav1.LabelSelector) {
	for name := range r.Members() {
		switch name {
		case "matchLabels":
			r.Strings(&s.MatchLabels)
		case "matchExpressions":
			for range r.Elements() {
				var requirement metav1.LabelSelectorRequirement
				readRequirement(r, &requirement)
				s.MatchExpressions = append(s.MatchExpressions, requirement)
			}
		}
	}
}

func readRequirement(r *jsonread.Reader, q *metav1.LabelSelectorRequirement) {
	for name := range r.Members() {
		switch name {
		case "key":
			r.String(&q.Key)
		case "operator":
			jsonread.Text(r, &q.Operator)
		case "values":
			for range r.Elements() {
				var value string
				r.String(&value)
				q.Values = append(q.Values, value)
			}
		}
	}
}

// PodTemplate is the view of a pod template.
type PodTemplate struct {
	Metadata struct {
		// Annotations are only those of this API.
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
}

func (t *PodTemplate) read(r *jsonread.Reader) {
	for name := range r.Members() {
		if name != "metadata" {
			continue
		}
		for name := range r.Members() {
			if name == "annotations" {
				r.StringsOf(&t.Metadata.Annotations, isOurs, nil)
			}
		}
	}
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

func (s *DeploymentStatus) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "observedGeneration":
			r.Int64(&s.ObservedGeneration)
		case "replicas":
			r.Int32(&s.Replicas)
		case "updatedReplicas":
			r.Int32(&s.UpdatedReplicas)
		case "readyReplicas":
			r.Int32(&s.ReadyReplicas)
		case "availableReplicas":
			r.Int32(&s.AvailableReplicas)
		case "unavailableReplicas":
			r.Int32(&s.UnavailableReplicas)
		case "conditions":
			s.Conditions = readList[DeploymentCondition](r)
		}
	}
}

// DeploymentCondition is the view of a condition in a Deployment's status.
type DeploymentCondition struct {
	Type               string                 `json:"type"`
	Status             corev1.ConditionStatus `json:"status"`
	LastTransitionTime metav1.Time            `json:"lastTransitionTime"`
	Reason             string                 `json:"reason"`
	Message            string                 `json:"message"`
}

func (c *DeploymentCondition) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "type":
			r.String(&c.Type)
		case "status":
			jsonread.Text(r, &c.Status)
		case "lastTransitionTime":
			r.Time(&c.LastTransitionTime)
		case "reason":
			r.String(&c.Reason)
		case "message":
			r.String(&c.Message)
		}
	}
}
