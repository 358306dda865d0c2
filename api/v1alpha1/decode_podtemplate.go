package v1alpha1

import (
	"reflect"
	"regexp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// hugeExponent matches quantities that quantityText refuses for their exponent.
var hugeExponent = regexp.MustCompile(`^[+-]?[0-9.]+[eE][+-]?[0-9]{3,}$`)

var podTemplateType = reflect.TypeFor[corev1.PodTemplateSpec]()

// boundedQuantities looks for quantities without end in a pod template, before
// anything compares them. That everything has its type is checked elsewhere.
func (w *typeWalk) boundedQuantities(value any, t reflect.Type, path *field.Path) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	bounded := true
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			switch t.Kind() {
			case reflect.Struct:
				if fieldType, known := jsonFields(t).types[key]; known {
					bounded = w.boundedQuantities(value[key], fieldType, path.Child(key)) && bounded
				}
			case reflect.Map:
				bounded = w.boundedQuantities(value[key], t.Elem(), path.Key(secrecy.Shown(key))) && bounded
			}
		}
	case []any:
		if t.Kind() != reflect.Slice {
			return true
		}
		for i, item := range value {
			bounded = w.boundedQuantities(item, t.Elem(), path.Index(i)) && bounded
		}
	case string:
		if t == quantityType && (len(value) > MaxQuantityLength || hugeExponent.MatchString(value)) {
			w.errs = append(w.errs, field.Invalid(path, secrecy.Shown(value), `must be a quantity such as "2", "500m" or "4Gi"`))
			return false
		}
	}
	return bounded
}
