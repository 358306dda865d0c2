package observed

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// Related are the related objects of a request. Pods are decoded only when
// somebody asks for them, since there can be a thousand.
type Related struct {
	pods json.RawMessage
}

// UnmarshalJSON reads the `related` of a request without decoding the objects.
func (r *Related) UnmarshalJSON(data []byte) error {
	var groups map[string]json.RawMessage
	if err := json.Unmarshal(data, &groups); err != nil {
		return err
	}
	*r = Related{pods: groups["Pod.v1"]}
	return nil
}

// PodsVisible says whether the request carries pods at all, be it none of them.
// It does where the customize hook is installed.
func (r *Related) PodsVisible() bool { return len(r.pods) > 0 && string(r.pods) != "null" }

// Pods decodes the pods of the named cluster, sorted by name. A pod that can't be
// decoded is left out.
func (r *Related) Pods(cluster string) []Pod {
	if !r.PodsVisible() {
		return nil
	}
	var keyed map[string]json.RawMessage
	if json.Unmarshal(r.pods, &keyed) != nil {
		return nil
	}
	pods := make([]Pod, 0, len(keyed))
	for _, raw := range keyed {
		var p Pod
		if json.Unmarshal(raw, &p) == nil && p.Metadata.Labels[v1alpha1.LabelCluster] == cluster {
			pods = append(pods, p)
		}
	}
	slices.SortFunc(pods, func(a, b Pod) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	return pods
}

// NewRelated returns related objects made of pods, for tests and examples.
func NewRelated(pods map[string]any) (Related, error) {
	raw, err := json.Marshal(pods)
	return Related{pods: raw}, err
}
