package v1alpha1

import (
	"regexp"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// hugeExponent matches quantities that quantityText refuses for their exponent.
var hugeExponent = regexp.MustCompile(`^[+-]?[0-9.]+[eE][+-]?[0-9]{3,}$`)

// podTemplateQuantities are the fields of a pod template that are quantities or maps
// of quantities.
var podTemplateQuantities = map[string]bool{
	"capacity": true, "divisor": true, "limits": true, "overhead": true, "requests": true, "sizeLimit": true,
}

// boundedQuantities looks for quantities without end in a pod template, before
// anything compares them. The template's own types are checked elsewhere.
func (w *typeWalk) boundedQuantities(value any, path *field.Path, isQuantity bool) bool {
	bounded := true
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			bounded = w.boundedQuantities(value[key], path.Child(secrecy.Shown(key)), isQuantity || podTemplateQuantities[key]) && bounded
		}
	case []any:
		for i, item := range value {
			bounded = w.boundedQuantities(item, path.Index(i), isQuantity) && bounded
		}
	case string:
		if isQuantity && (len(value) > MaxQuantityLength || hugeExponent.MatchString(value)) {
			w.errs = append(w.errs, field.Invalid(path, secrecy.Shown(value), `must be a quantity such as "2", "500m" or "4Gi"`))
			return false
		}
	}
	return bounded
}
