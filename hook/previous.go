package hook

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/internal/jsonread"
)

// readStatus reads the status of a FlameCluster. Another version may have written it:
// a member of a shape that can't be read counts as absent.
func readStatus(text string) v1alpha1.FlameClusterStatus {
	var s v1alpha1.FlameClusterStatus
	r := jsonread.New(text)
	for name := range r.Members() {
		member, with := jsonread.New(r.Raw()), s
		if readStatusMember(member, name, &with); member.End() == nil {
			s = with
		}
	}
	return s
}

func readStatusMember(r *jsonread.Reader, name string, s *v1alpha1.FlameClusterStatus) {
	switch name {
	case "observedGeneration":
		r.Int64(&s.ObservedGeneration)
	case "state":
		jsonread.Text(r, &s.State)
	case "message":
		r.String(&s.Message)
	case "replicas":
		r.Int32(&s.Replicas)
	case "readyReplicas":
		r.Int32(&s.ReadyReplicas)
	case "selector":
		r.String(&s.Selector)
	case "endpoint":
		r.String(&s.Endpoint)
	case "cacheEndpoint":
		r.String(&s.CacheEndpoint)
	case "sessionManager":
		s.SessionManager = readComponentStatus(r)
	case "executorManager":
		s.ExecutorManager = readComponentStatus(r)
	case "objectCache":
		s.ObjectCache = readComponentStatus(r)
	case "lastGoodGeneration":
		r.Int64(&s.LastGoodGeneration)
	case "conditions":
		s.Conditions = nil
		for range r.Elements() {
			s.Conditions = append(s.Conditions, readCondition(r))
		}
	case "warnings":
		s.Warnings = nil
		for range r.Elements() {
			var warning string
			r.String(&warning)
			s.Warnings = append(s.Warnings, warning)
		}
	}
}

func readComponentStatus(r *jsonread.Reader) *v1alpha1.ComponentStatus {
	if r.Null() {
		return nil
	}
	var s v1alpha1.ComponentStatus
	for name := range r.Members() {
		switch name {
		case "desired":
			r.Int32(&s.Desired)
		case "ready":
			r.Int32(&s.Ready)
		case "updated":
			r.Int32(&s.Updated)
		case "endpoint":
			r.String(&s.Endpoint)
		}
	}
	return &s
}

func readCondition(r *jsonread.Reader) (c metav1.Condition) {
	for name := range r.Members() {
		switch name {
		case "type":
			r.String(&c.Type)
		case "status":
			jsonread.Text(r, &c.Status)
		case "observedGeneration":
			r.Int64(&c.ObservedGeneration)
		case "lastTransitionTime":
			r.Time(&c.LastTransitionTime)
		case "reason":
			r.String(&c.Reason)
		case "message":
			r.String(&c.Message)
		}
	}
	return c
}
