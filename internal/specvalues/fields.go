package specvalues

import (
	"reflect"
	"strings"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// Paths are the paths of all fields of the spec, with dots, down to types that are not
// the API's own. Tests that have a row for every field find out by them when a new one
// has none.
func Paths() []string { return paths(reflect.TypeFor[v1alpha1.FlameClusterSpec](), "") }

func paths(t reflect.Type, path string) []string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t.PkgPath() != reflect.TypeFor[v1alpha1.FlameClusterSpec]().PkgPath() {
		return []string{strings.TrimPrefix(path, ".")}
	}
	var all []string
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" {
			name = "." + name
		}
		all = append(all, paths(f.Type, path+name)...)
	}
	return all
}
