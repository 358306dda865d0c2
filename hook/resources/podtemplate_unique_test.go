package resources

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
)

// Each minor version of Kubernetes may bring lists to a pod that a strategic merge
// merges by a key: two entries with one key would silently become one.
func TestNoListThatIsMergedByAKeyHasAKeyTwice(t *testing.T) {
	tried := 0
	eachMergedList(reflect.TypeFor[corev1.PodSpec](), "spec", func(path string, element reflect.Type, key string) {
		if path == "spec.topologySpreadConstraints" {
			return // taken from the user as a whole
		}
		tried++
		raw, err := json.Marshal(nested(path, []any{entry(element, key, "one"), entry(element, key, "two")}))
		require.NoError(t, err)
		spec := decodeSpec(t, "{}")
		setTemplate(spec, "executorManager", raw)
		errs, _ := CheckPodTemplates("demo", spec)
		assert.NotEmpty(t, errs, "%s", raw)
	})
	assert.Greater(t, tried, 10)
}

// eachMergedList finds the lists that are merged by a key, in the pod and in its
// containers, with the paths of their fields.
func eachMergedList(t reflect.Type, path string, visit func(path string, element reflect.Type, key string)) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		key := f.Tag.Get("patchMergeKey")
		if key == "" {
			continue
		}
		visit(path+"."+name, f.Type.Elem(), key)
		if f.Type.Elem() == reflect.TypeFor[corev1.Container]() {
			eachMergedList(f.Type.Elem(), path+"."+name, visit)
		}
	}
}

// entry is a value of the type with nothing but its key, which is always the same, and
// a name where it has one.
func entry(t reflect.Type, key, name string) map[string]any {
	e := map[string]any{}
	if _, named := fieldType(t, "name"); named {
		e["name"] = name
	}
	e[key] = "a"
	if keyType, _ := fieldType(t, key); keyType.Kind() == reflect.Int32 {
		e[key] = 1
	}
	return e
}

// nested is a pod template with the value at a path. What is in the path of a list of
// containers is put into one of them.
func nested(path string, value any) map[string]any {
	first, rest, more := strings.Cut(path, ".")
	if !more {
		return map[string]any{first: value}
	}
	inner := nested(rest, value)
	if strings.HasSuffix(strings.ToLower(first), "containers") {
		inner["name"] = "x"
		return map[string]any{first: []any{inner}}
	}
	return map[string]any{first: inner}
}
