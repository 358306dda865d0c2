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
	return r.decode(func(string) bool { return true }, func(p *Pod) bool {
		return p.Metadata.Labels[v1alpha1.LabelCluster] == cluster
	})
}

// PodsOf decodes the pods of one component of the named cluster, sorted by name.
// Others are told apart by their key as far as possible, which is far cheaper than
// decoding them.
func (r *Related) PodsOf(cluster string, component v1alpha1.Component) []Pod {
	prefix := podNamePrefix(cluster, component)
	return r.decode(func(key string) bool { return strings.Contains(key, prefix) }, func(p *Pod) bool {
		return p.Metadata.Labels[v1alpha1.LabelCluster] == cluster &&
			p.Metadata.Labels[v1alpha1.LabelComponent] == string(component)
	})
}

// podNamePrefix is what all pod names of a component begin with. Kubernetes cuts
// the base of a generated name at 58 characters.
func podNamePrefix(cluster string, component v1alpha1.Component) string {
	const longestBase = 58
	prefix := cluster + "-" + string(component)
	return prefix[:min(len(prefix), longestBase)]
}

func (r *Related) decode(keyMatches func(string) bool, podMatches func(*Pod) bool) []Pod {
	if !r.PodsVisible() {
		return nil
	}
	var keyed map[string]json.RawMessage
	if json.Unmarshal(r.pods, &keyed) != nil {
		return nil
	}
	pods := make([]Pod, 0, len(keyed))
	for key, raw := range keyed {
		var p Pod
		if keyMatches(key) && json.Unmarshal(raw, &p) == nil && podMatches(&p) {
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
