package hook

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/hook/internal/jsonread"
	"github.com/xflops/flame-operator/hook/observed"
)

// loose are the parts of a child's spec that do harm when somebody adds to them: the
// child then does no longer what it is for, or the API server takes no change of it any
// more, since two things stand where one may.
type loose struct {
	// selector, minAvailable and rollingUpdate are JSON, "" where there is none.
	selector, minAvailable, rollingUpdate string
	selectorName                          string
	ports                                 []port
	paused                                bool
}

// port is a port of a Service. Dynamic apply tells ports apart by their numbers alone,
// and the API server refuses two of one name.
type port struct {
	name, protocol string
	number         int32
}

// String is the number, and the protocol unless it is TCP.
func (p port) String() string {
	if p.protocol == "" || p.protocol == string(corev1.ProtocolTCP) {
		return strconv.Itoa(int(p.number))
	}
	return fmt.Sprintf("%d/%s", p.number, p.protocol)
}

// readLoose reads the spec of an object of that kind. What is of a wrong type counts as
// absent.
func readLoose(kind, spec string) loose {
	var l loose
	r := jsonread.New(spec)
	for name := range r.Members() {
		value := rawOrAbsent(r)
		switch name {
		case selectorOf[kind]:
			l.selectorName, l.selector = name, value
		case "ports":
			l.ports = readPorts(value)
		case "minAvailable":
			l.minAvailable = value
		case "strategy":
			l.rollingUpdate = memberOf(value, "rollingUpdate")
		case "paused":
			jsonread.New(value).Bool(&l.paused)
		}
	}
	return l
}

// selectorOf is the member that selects pods, by kind. That of a Deployment can't be
// changed.
var selectorOf = map[string]string{"Service": "selector", "PodDisruptionBudget": "selector", "NetworkPolicy": "podSelector"}

func readPorts(list string) []port {
	var ports []port
	r := jsonread.New(list)
	for range r.Elements() {
		var p port
		for name := range r.Members() {
			switch name {
			case "name":
				r.String(&p.name)
			case "protocol":
				r.String(&p.protocol)
			case "port":
				r.Int32(&p.number)
			}
		}
		if p.number > 0 {
			ports = append(ports, p)
		}
	}
	return ports
}

// rawOrAbsent reads a value. A null counts as absent, which is "".
func rawOrAbsent(r *jsonread.Reader) string {
	if r.Null() {
		return ""
	}
	return r.Raw()
}

// memberOf returns a member of a JSON object, or "" if there is none of that name.
func memberOf(object, name string) string {
	var text string
	r := jsonread.New(object)
	for n := range r.Members() {
		if n == name {
			text = rawOrAbsent(r)
		}
	}
	return text
}

// looseDeployment is readLoose for a Deployment that has been read.
func looseDeployment(d *observed.Deployment) loose {
	return loose{paused: d.Spec.Paused, rollingUpdate: memberOf(d.Spec.Strategy(), "rollingUpdate")}
}

// strays lists what l has beyond what is wanted, where nothing that is wanted takes its
// place. byNumber says that ports are merged by their numbers alone, as dynamic apply
// does: one of another protocol is then in the way.
func (l *loose) strays(wanted *loose, byNumber bool) []string {
	var paths []string
	spec := field.NewPath("spec")
	if l.selector != wanted.selector && wanted.selectorName != "" {
		paths = extraMembers(spec.Child(wanted.selectorName), jsonTree(l.selector), jsonTree(wanted.selector))
	}
	for _, p := range l.ports {
		if wanted.displacedBy(p) >= 0 || wanted.isOther(p) && (byNumber || wanted.isNamed(p)) {
			paths = append(paths, spec.Child("ports").Key(p.String()).String())
		}
	}
	if l.minAvailable != "" && wanted.minAvailable == "" {
		paths = append(paths, spec.Child("minAvailable").String())
	}
	if l.rollingUpdate != "" && wanted.rollingUpdate == "" {
		paths = append(paths, spec.Child("strategy", "rollingUpdate").String())
	}
	if l.paused && !wanted.paused {
		paths = append(paths, spec.Child("paused").String())
	}
	return paths
}

// displacedBy returns the index of the port that can't stand next to another one, or -1.
// A port has no name only where it is the only one.
func (l *loose) displacedBy(other port) int {
	if slices.ContainsFunc(l.ports, func(p port) bool { return p.number == other.number }) {
		return -1
	}
	return slices.IndexFunc(l.ports, func(p port) bool { return p.name == other.name || other.name == "" })
}

// isOther says whether there is a port of that number for another protocol.
func (l *loose) isOther(p port) bool {
	return slices.ContainsFunc(l.ports, func(own port) bool { return p.number == own.number && p.String() != own.String() })
}

func (l *loose) isNamed(p port) bool {
	return slices.ContainsFunc(l.ports, func(own port) bool { return p.name == own.name })
}

func jsonTree(text string) any {
	var tree any
	if json.Unmarshal([]byte(text), &tree) != nil {
		return nil
	}
	return tree
}

// extraMembers lists the members of objects that have no counterpart.
func extraMembers(path *field.Path, tree, counterpart any) []string {
	members, ok := tree.(map[string]any)
	if !ok {
		return nil
	}
	wanted, _ := counterpart.(map[string]any)
	var paths []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if other, there := wanted[name]; there {
			paths = append(paths, extraMembers(path.Key(name), members[name], other)...)
		} else {
			paths = append(paths, path.Key(name).String())
		}
	}
	return paths
}
