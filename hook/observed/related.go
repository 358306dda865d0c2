package observed

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/internal/jsonread"
)

// Related are the related objects of a request. Pods are decoded only when
// somebody asks for them, since there can be a thousand.
type Related struct {
	// pods are the texts of the pods, by the key that Metacontroller gives them. It is
	// nil when the request has no place for pods.
	pods map[string]string
}

// Read reads the `related` of a request without decoding the objects.
func (r *Related) Read(from *jsonread.Reader) {
	*r = Related{}
	for kind := range from.Members() {
		if kind == "Pod.v1" {
			r.pods = readTexts(from)
		}
	}
}

// UnmarshalJSON is Read for encoding/json.
func (r *Related) UnmarshalJSON(data []byte) error {
	from := jsonread.New(string(data))
	r.Read(from)
	return from.End()
}

func readTexts(from *jsonread.Reader) map[string]string {
	if from.Null() {
		return nil
	}
	texts := map[string]string{}
	for key := range from.Members() {
		texts[key] = from.Raw()
	}
	return texts
}

// PodsVisible says whether the request carries pods at all, be it none of them.
// It does where the customize hook is installed.
func (r *Related) PodsVisible() bool { return r.pods != nil }

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
	var pods []Pod
	for key, text := range r.pods {
		if !keyMatches(key) {
			continue
		}
		var p Pod
		from := jsonread.New(text)
		if p.read(from); from.End() == nil && podMatches(&p) {
			pods = append(pods, p)
		}
	}
	slices.SortFunc(pods, func(a, b Pod) int {
		return cmp.Or(strings.Compare(a.Metadata.Name, b.Metadata.Name), strings.Compare(a.Metadata.Namespace, b.Metadata.Namespace))
	})
	return pods
}

// NewRelated returns related objects made of pods, for tests and examples.
func NewRelated(pods map[string]any) (Related, error) {
	text, err := json.Marshal(pods)
	if err != nil {
		return Related{}, err
	}
	return Related{pods: readTexts(jsonread.New(string(text)))}, nil
}
