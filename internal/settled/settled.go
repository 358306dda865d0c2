// Package settled makes requests for benchmarks. A recorded request tells what an
// older version of the hook wanted; a settled one has what this version wants, so
// that it is answered as almost every request is: nothing is to be changed.
package settled

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/xflops/flame-operator/hook"
)

type object = map[string]any

// Cluster says what a settled request is about.
type Cluster struct {
	// Pods is the number of pods that are visible: those of the session manager and of
	// the cache, and executors. With 0 the request has no place for pods at all, as
	// without the customize hook.
	Pods int
	// Executors is their number where no pods are visible, and 1 if unset.
	Executors int
	// Stuck executors of the newest template are not ready, as their recorded pod is.
	Stuck bool
}

// Request returns a settled request as compact JSON, as Metacontroller sends it.
func Request(recorded []byte, c Cluster) ([]byte, error) {
	var request object
	if err := json.Unmarshal(recorded, &request); err != nil {
		return nil, err
	}
	executors := max(c.Executors, 1)
	if c.Pods == 0 {
		delete(at(request, "related"), "Pod.v1")
	} else {
		var err error
		if executors, err = setPods(at(request, "related", "Pod.v1"), c); err != nil {
			return nil, err
		}
	}
	at(request, "parent", "spec")["replicas"] = executors
	// Executors follow the session manager, and the status follows both. Each answer
	// comes when all grace times since the one before are over.
	for round := range 4 {
		if err := settle(request, start.AddDate(0, 0, round), executors, c); err != nil {
			return nil, err
		}
	}
	return json.Marshal(request)
}

// start is later than everything that is recorded.
var start = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)

// Time is when a settled request comes.
var Time = start.AddDate(0, 0, 7)

// setPods replaces the recorded executors' pods by copies of one of them.
func setPods(group object, c Cluster) (executors int, err error) {
	var prefix string
	var executor []byte
	for _, key := range slices.Sorted(maps.Keys(group)) {
		if !strings.Contains(key, "-executor-manager-") {
			continue
		}
		if isReady(group[key]) != c.Stuck {
			prefix = key[:strings.LastIndex(key, "-")+1]
			if executor, err = json.Marshal(group[key]); err != nil {
				return 0, err
			}
		}
		delete(group, key)
	}
	if executor == nil {
		return 0, errors.New("no such pod of an executor is recorded")
	}
	for ; len(group) < c.Pods; executors++ {
		var pod object
		if err := json.Unmarshal(executor, &pod); err != nil {
			return 0, err
		}
		key := fmt.Sprintf("%s%05d", prefix, executors)
		at(pod, "metadata")["name"] = key[strings.Index(key, "/")+1:]
		group[key] = pod
	}
	return executors, nil
}

func isReady(pod any) bool {
	tree, _ := pod.(object)
	conditions, _ := at(tree, "status")["conditions"].([]any)
	return slices.ContainsFunc(conditions, func(c any) bool {
		condition, _ := c.(object)
		return condition["type"] == "Ready" && condition["status"] == "True"
	})
}

// settle lets the hook answer, and applies the answer to the request.
func settle(request object, now time.Time, executors int, c Cluster) error {
	answer, err := answerTo(request, now)
	if err != nil {
		return err
	}
	at(request, "parent")["status"] = answer.Status
	for _, child := range answer.Children {
		existing := observed(request, child)
		if existing == nil {
			return fmt.Errorf("%v %v is not in the recorded request", child["kind"], at(child, "metadata")["name"])
		}
		overlay(existing, child)
	}
	setStatus(request, executors, c.Stuck)
	return nil
}

// observed is the child as the request has it, or nil.
func observed(request, child object) object {
	group := fmt.Sprintf("%v.%v", child["kind"], child["apiVersion"])
	for _, existing := range at(request, "children", group) {
		if existing, _ := existing.(object); at(existing, "metadata")["name"] == at(child, "metadata")["name"] {
			return existing
		}
	}
	return nil
}

func answerTo(request object, now time.Time) (answer struct {
	Status   object   `json:"status"`
	Children []object `json:"children"`
}, err error) {
	body, err := json.Marshal(request)
	if err != nil {
		return answer, err
	}
	decoded, err := hook.DecodeRequest(body)
	if err != nil {
		return answer, err
	}
	response, err := hook.Sync(decoded, now)
	if err != nil {
		return answer, err
	}
	encoded, err := response.Encode()
	if err != nil {
		return answer, err
	}
	return answer, json.Unmarshal(encoded, &answer)
}

// overlay puts what is wanted over what exists, as Metacontroller does. Lists are
// replaced as a whole: nothing in them matters to the hook.
func overlay(existing, wanted object) {
	for name, value := range wanted {
		inner, isObject := value.(object)
		old, wasObject := existing[name].(object)
		if isObject && wasObject {
			overlay(old, inner)
			continue
		}
		existing[name] = value
	}
}

func setStatus(request object, executors int, stuck bool) {
	for key, deployment := range at(request, "children", "Deployment.apps/v1") {
		deployment, _ := deployment.(object)
		if !strings.HasSuffix(key, "-executor-manager") {
			continue
		}
		s := at(deployment, "status")
		s["replicas"], s["updatedReplicas"] = executors, executors
		s["readyReplicas"], s["availableReplicas"] = executors, executors
		if stuck {
			s["readyReplicas"], s["availableReplicas"], s["unavailableReplicas"] = 0, 0, executors
		}
	}
}

// at is the object at a path, made where it is missing.
func at(from object, path ...string) object {
	for _, name := range path {
		inner, ok := from[name].(object)
		if !ok {
			inner = object{}
			from[name] = inner
		}
		from = inner
	}
	return from
}
