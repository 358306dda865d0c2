package conformance

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/flameconf"
	"github.com/xflops/flame-operator/internal/specvalues"
)

// exception is a class of specs that Go refuses and the definition accepts, or the
// other way round.
type exception struct {
	field  string // regular expression for the field of the error
	detail string // regular expression for the error's text
	reason string
	only   func(spec map[string]any) bool // the specs it is for; nil for all
	seen   bool
}

// onlyGo are rules that the definition does not have.
func onlyGo() []*exception {
	const above = "CEL may not read slot or storage above their leaves: an old object whose slot or storage is a string could never be written again"
	return []*exception{
		{field: `sessionManager\.slot$`, detail: "ask for something", reason: above},
		{field: `sessionManager\.storage\.path$`, detail: "for type sqlite", reason: above},
		{field: `sessionManager\.storage\.(path|secretRef)$`, detail: "has no meaning", reason: above},
		{field: `sessionManager\.logLevel$`, detail: "connection string", reason: above},
		{field: `sessionManager\.scheduleInterval$`, detail: "whole milliseconds", reason: "CEL can't take a duration's fraction of a millisecond within the cost budget"},
		{field: `networkPolicy\.clients\[\d+\]\.ipBlock`, detail: "must be a (block|part)", reason: "CEL knows blocks of addresses since Kubernetes 1.31 only"},
		{field: `networkPolicy\.clients\[\d+\]\.(pod|namespace)Selector`, detail: "Invalid value: \".*\": (prefix|name|a valid label|not a valid|must be)|Required value: must be specified|Forbidden", reason: "the API server checks selectors of built-in types in Go only"},
	}
}

// onlyDefinition are rules that Go does not have.
func onlyDefinition() []*exception {
	return []*exception{
		{field: `(podSecurity|policy|type|shim|imagePullPolicy)$`, detail: `Unsupported value: ""`, reason: "an empty enum is the same as none in Go"},
		{field: `sessionManager\.(slot|storage)$`, detail: `type object: "string"`, reason: "Go reads the strings of old objects"},
		{field: ``, detail: `"spec.sessionManager.storage" must not validate the schema`, reason: "not: {required: ...} is about objects, and refuses every string", only: func(spec map[string]any) bool {
			manager, _ := spec["sessionManager"].(map[string]any)
			_, isString := manager["storage"].(string)
			return isString
		}},
	}
}

func TestVerdictsAgree(t *testing.T) {
	judges := newJudges(t)
	random := rand.New(rand.NewPCG(1, 2))

	t.Run("one field", func(t *testing.T) {
		for _, f := range specvalues.Fields {
			for _, value := range append(append([]string{`null`}, f.Good...), f.Bad...) {
				judges.compare(t, "flame", specOf(t, map[string]string{f.Field: value}))
			}
		}
		for _, name := range append(specvalues.ClusterNames.Good, specvalues.ClusterNames.Bad...) {
			judges.compare(t, name, map[string]any{})
		}
	})
	t.Run("many fields", func(t *testing.T) {
		for range 2500 {
			chosen := map[string]string{}
			share := random.Float64() * 0.6
			for _, f := range specvalues.Fields {
				if random.Float64() < share {
					chosen[f.Field] = pick(random, f)
				}
			}
			name := specvalues.ClusterNames.Good[random.IntN(len(specvalues.ClusterNames.Good))]
			if random.IntN(50) == 0 {
				name = specvalues.ClusterNames.Bad[random.IntN(len(specvalues.ClusterNames.Bad))]
			}
			judges.compare(t, name, specOf(t, chosen))
		}
	})
	t.Run("wrong types", func(t *testing.T) {
		for range 2500 {
			chosen := map[string]string{}
			for _, f := range specvalues.Fields {
				if random.IntN(10) == 0 {
					chosen[f.Field] = f.Good[random.IntN(len(f.Good))]
				}
			}
			spec := specOf(t, chosen)
			replaceOne(random, spec)
			judges.compare(t, "flame", spec)
		}
	})
	judges.allExceptionsSeen(t)
}

func TestFieldsAreJudgedAsListed(t *testing.T) {
	judges := newJudges(t)
	for _, f := range specvalues.Fields {
		for _, value := range f.Good {
			errs := judges.server.Create(objectOf("flame", specOf(t, map[string]string{f.Field: value})))
			if f.Field == "objectCache.service.type" && value != `"ClusterIP"` {
				require.NotEmpty(t, errs)
				continue
			}
			require.Empty(t, errs, "%s: %s", f.Field, value)
		}
		for _, value := range f.Bad {
			server := judges.server.Create(objectOf("flame", specOf(t, map[string]string{f.Field: value})))
			here := goVerdict(t, "flame", specOf(t, map[string]string{f.Field: value}))
			require.NotEmpty(t, append(server, here...), "%s: %s", f.Field, value)
		}
	}
}

type judges struct {
	server         *APIServer
	onlyGo         []*exception
	onlyDefinition []*exception
}

func newJudges(t *testing.T) *judges {
	t.Helper()
	server, err := NewAPIServer(definition)
	require.NoError(t, err)
	return &judges{server: server, onlyGo: onlyGo(), onlyDefinition: onlyDefinition()}
}

// compare holds the two verdicts together, leaving out the errors of exceptions.
func (j *judges) compare(t *testing.T, name string, spec map[string]any) {
	t.Helper()
	text, err := json.Marshal(spec)
	require.NoError(t, err)
	here := without(j.onlyGo, spec, goVerdict(t, name, spec))
	server := j.server.Create(objectOf(name, spec))
	if blocked(server) {
		// The rules were not run after an error of the schema. Where all of those are
		// exceptions, the definition has said nothing.
		server = without(j.onlyDefinition, spec, server)
		if len(server) == 1 && strings.Contains(server[0].Detail, "some validation rules were not checked") {
			return
		}
	}
	server = without(j.onlyDefinition, spec, server)
	if (len(here) == 0) != (len(server) == 0) {
		t.Errorf("metadata.name %s, spec %s\n  definition %s\n  Go         %s", name, text, Verdict(server), Verdict(here))
	}
}

func (j *judges) allExceptionsSeen(t *testing.T) {
	t.Helper()
	for _, e := range append(j.onlyGo, j.onlyDefinition...) {
		if !e.seen {
			t.Errorf("no spec needs the exception for %s %q: %s", e.field, e.detail, e.reason)
		}
	}
}

func without(exceptions []*exception, spec map[string]any, errs field.ErrorList) field.ErrorList {
	var rest field.ErrorList
	for _, err := range errs {
		excepted := false
		for _, e := range exceptions {
			if (e.only == nil || e.only(spec)) && regexp.MustCompile(e.field).MatchString(err.Field) && regexp.MustCompile(e.detail).MatchString(err.Error()) {
				e.seen, excepted = true, true
			}
		}
		if !excepted {
			rest = append(rest, err)
		}
	}
	return rest
}

func blocked(errs field.ErrorList) bool {
	for _, err := range errs {
		if strings.Contains(err.Detail, "some validation rules were not checked") {
			return true
		}
	}
	return false
}

// goVerdict is what the hook says about the API's own rules. The oldest version is
// package flameconf's to know; what a version can do is no matter of the definition.
func goVerdict(t *testing.T, name string, spec map[string]any) field.ErrorList {
	t.Helper()
	text, err := json.Marshal(spec)
	require.NoError(t, err)
	decoded, _, errs := v1alpha1.DecodeSpec(text)
	errs = append(errs, v1alpha1.Validate(name, decoded)...)
	v1alpha1.SetDefaults(decoded)
	unsupported, _ := flameconf.Check(decoded)
	for _, err := range unsupported {
		if err.Field == "spec.version" {
			errs = append(errs, err)
		}
	}
	return errs
}

func objectOf(name string, spec map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": v1alpha1.GroupVersion.String(),
		"kind":       "FlameCluster",
		"metadata":   map[string]any{"name": name, "namespace": "default"},
		"spec":       spec,
	}
}

// specOf builds a spec from the values of fields.
func specOf(t *testing.T, values map[string]string) map[string]any {
	t.Helper()
	spec := map[string]any{}
	for name, text := range values {
		var value any
		require.NoError(t, kjson.UnmarshalCaseSensitivePreserveInts([]byte(text), &value), "%s: %s", name, text)
		parent, segments := spec, strings.Split(name, ".")
		for _, segment := range segments[:len(segments)-1] {
			if parent[segment] == nil {
				parent[segment] = map[string]any{}
			}
			parent = parent[segment].(map[string]any)
		}
		parent[segments[len(segments)-1]] = value
	}
	return spec
}

// pick prefers good values, so that half of the specs are good.
func pick(random *rand.Rand, f specvalues.Values) string {
	if random.IntN(25) == 0 {
		return f.Bad[random.IntN(len(f.Bad))]
	}
	return f.Good[random.IntN(len(f.Good))]
}

// replaceOne puts a value of a random type in a random place.
func replaceOne(random *rand.Rand, node any) {
	replacements := []any{nil, "text", "", int64(7), 1.5, true, []any{}, map[string]any{}, []any{"a"}, map[string]any{"a": "b"}, map[string]any{"a": int64(1)}, []any{nil}}
	value := replacements[random.IntN(len(replacements))]
	switch node := node.(type) {
	case map[string]any:
		key := anyKey(random, node)
		if child := node[key]; isContainer(child) && random.IntN(4) > 0 {
			replaceOne(random, child)
		} else if key != "" {
			node[key] = value
		}
	case []any:
		if len(node) > 0 {
			i := random.IntN(len(node))
			if isContainer(node[i]) && random.IntN(4) > 0 {
				replaceOne(random, node[i])
			} else {
				node[i] = value
			}
		}
	}
}

func isContainer(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

func anyKey(random *rand.Rand, object map[string]any) string {
	if len(object) == 0 {
		return ""
	}
	keys := make([]string, 0, len(object))
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys[random.IntN(len(keys))]
}
