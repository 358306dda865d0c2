package v1alpha1

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// typeWalk compares decoded JSON with the Go type that it is meant for. It exists
// because encoding/json stops at the first error and gives no path for the errors
// of custom unmarshallers (Quantity, Duration).
type typeWalk struct {
	strict bool // unknown fields are errors
	errs   field.ErrorList
}

var (
	quantityType     = reflect.TypeFor[resource.Quantity]()
	durationType     = reflect.TypeFor[metav1.Duration]()
	intOrStringType  = reflect.TypeFor[intstr.IntOrString]()
	rawExtensionType = reflect.TypeFor[runtime.RawExtension]()
	specTypes        = map[reflect.Type]bool{
		reflect.TypeFor[FlameClusterSpec]():    true,
		reflect.TypeFor[SessionManagerSpec]():  true,
		reflect.TypeFor[ExecutorManagerSpec](): true,
		reflect.TypeFor[ObjectCacheSpec]():     true,
	}
)

// structure checks an object against a struct. In the spec and in the components
// it drops the fields that have errors: the rest is then checked as if they were
// not there, and no rule sees half a block. Elsewhere it reports false.
func (w *typeWalk) structure(object map[string]any, t reflect.Type, path *field.Path) bool {
	fields := jsonFields(t)
	valid := true
	for _, name := range sortedKeys(object) {
		goType, known := fields.types[name]
		if !known {
			if w.strict {
				w.errs = append(w.errs, unknownField(path, name, sortedKeys(fields.types)))
			}
			continue
		}
		value := object[name]
		if value == nil {
			delete(object, name)
			continue
		}
		clean, ok := w.value(value, goType, path.Child(name))
		if ok && name == "podTemplate" {
			ok = w.boundedQuantities(value, podTemplateType, path.Child(name))
		}
		switch {
		case ok:
			object[name] = clean
		case specTypes[t]:
			delete(object, name)
		default:
			valid = false
		}
	}
	for _, name := range fields.required {
		if _, given := object[name]; !given {
			w.errs = append(w.errs, field.Required(path.Child(name), ""))
			valid = false
		}
	}
	return valid
}

// value checks one JSON value other than null, and returns it in the
// form that the decoder takes (an integer that was written 1.0 becomes 1).
func (w *typeWalk) value(value any, t reflect.Type, path *field.Path) (any, bool) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case quantityType:
		return w.quantity(value, path)
	case durationType:
		return w.duration(value, path)
	case intOrStringType:
		return w.intOrString(value, path)
	case rawExtensionType:
		if _, ok := value.(map[string]any); !ok {
			return w.fail(path, value, "an object")
		}
		return value, w.representable(value, path)
	}
	switch t.Kind() {
	case reflect.Struct:
		object, ok := value.(map[string]any)
		if !ok {
			return w.fail(path, value, "an object")
		}
		return object, w.structure(object, t, path)
	case reflect.Map:
		return w.mapping(value, t.Elem(), path)
	case reflect.Slice:
		return w.list(value, t.Elem(), path)
	case reflect.String:
		if _, ok := value.(string); !ok {
			return w.fail(path, value, "a string"+quoteHint(value))
		}
		return value, true
	case reflect.Bool:
		if _, ok := value.(bool); !ok {
			return w.fail(path, value, "true or false")
		}
		return value, true
	}
	return w.integer(value, t, path)
}

func (w *typeWalk) mapping(value any, element reflect.Type, path *field.Path) (any, bool) {
	object, ok := value.(map[string]any)
	if !ok {
		return w.fail(path, value, "an object")
	}
	valid := true
	for _, key := range sortedKeys(object) {
		if object[key] == nil {
			delete(object, key)
			continue
		}
		clean, ok := w.value(object[key], element, path.Key(secrecy.Shown(key)))
		object[key], valid = clean, valid && ok
	}
	return object, valid
}

func (w *typeWalk) list(value any, element reflect.Type, path *field.Path) (any, bool) {
	items, ok := value.([]any)
	if !ok {
		return w.fail(path, value, "a list")
	}
	valid := true
	for i, item := range items {
		if item == nil {
			w.errs = append(w.errs, field.Invalid(path.Index(i), field.OmitValueType{}, "must not be null: give a value, or leave the entry out"))
			valid = false
			continue
		}
		clean, ok := w.value(item, element, path.Index(i))
		items[i], valid = clean, valid && ok
	}
	return items, valid
}

func (w *typeWalk) integer(value any, t reflect.Type, path *field.Path) (any, bool) {
	number, ok := wholeNumber(value)
	if !ok {
		return w.fail(path, value, "a whole number")
	}
	if reflect.Zero(t).CanInt() && reflect.Zero(t).OverflowInt(number) {
		w.errs = append(w.errs, field.Invalid(path, number, fmt.Sprintf("must fit %d bits", t.Bits())))
		return nil, false
	}
	return number, true
}

func (w *typeWalk) quantity(value any, path *field.Path) (any, bool) {
	const example = `a quantity such as "2", "500m" or "4Gi"`
	text, isString := value.(string)
	if !isString {
		number, ok := wholeNumber(value)
		if !ok {
			return w.fail(path, value, example+quoteHint(value))
		}
		return number, true
	}
	if len(text) > MaxQuantityLength {
		w.errs = append(w.errs, field.TooLong(path, "", MaxQuantityLength))
		return nil, false
	}
	if _, err := resource.ParseQuantity(text); err != nil || !quantityText.MatchString(text) {
		w.errs = append(w.errs, field.Invalid(path, secrecy.Shown(text), "must be "+example))
		return nil, false
	}
	return text, true
}

// quantityText is the form of a quantity, in the CRD too. Kubernetes' own has no
// bound on the exponent, and comparing 1e999999999 with anything takes for ever.
var quantityText = regexp.MustCompile(`^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?$`)

func (w *typeWalk) duration(value any, path *field.Path) (any, bool) {
	const example = `a duration with a unit, such as "500ms" or "1s"`
	text, ok := value.(string)
	if !ok {
		return w.fail(path, value, example)
	}
	if len(text) > maxDurationLength {
		w.errs = append(w.errs, field.TooLong(path, "", maxDurationLength))
		return nil, false
	}
	quoted, err := json.Marshal(text)
	if err == nil {
		err = new(metav1.Duration).UnmarshalJSON(quoted)
	}
	if err != nil {
		w.errs = append(w.errs, field.Invalid(path, secrecy.Shown(text), "must be "+example))
		return nil, false
	}
	return text, true
}

func (w *typeWalk) intOrString(value any, path *field.Path) (any, bool) {
	if _, ok := value.(string); ok {
		return value, true
	}
	number, ok := wholeNumber(value)
	if !ok {
		return w.fail(path, value, "a whole number or a string")
	}
	if number < math.MinInt32 || number > math.MaxInt32 {
		w.errs = append(w.errs, field.Invalid(path, number, "must fit 32 bits"))
		return nil, false
	}
	return number, true
}

func (w *typeWalk) fail(path *field.Path, value any, wanted string) (any, bool) {
	w.errs = append(w.errs, typeError(path, value, wanted))
	return nil, false
}

// typeError says what was wanted and what kind of value came, never the value.
func typeError(path *field.Path, value any, wanted string) *field.Error {
	return field.TypeInvalid(path, field.OmitValueType{}, "must be "+wanted+", not "+jsonKind(value))
}

func jsonKind(value any) string {
	switch value.(type) {
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case nil:
		return "null"
	}
	return "a number"
}

// quoteHint helps with YAML's most common trap.
func quoteHint(value any) string {
	switch value.(type) {
	case json.Number, bool:
		return " (put it in quotes)"
	}
	return ""
}

// wholeNumber takes an integer, and a number with a point or an exponent that has no
// fraction, as the API server does.
func wholeNumber(value any) (int64, bool) {
	number, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	if integer, err := number.Int64(); err == nil {
		return integer, true
	}
	const exact = 1 << 53
	float, err := number.Float64()
	if err != nil || float != math.Trunc(float) || math.Abs(float) > exact {
		return 0, false
	}
	return int64(float), true
}

// representable looks for numbers that no reader of free-form JSON can hold.
func (w *typeWalk) representable(value any, path *field.Path) bool {
	ok := true
	switch value := value.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			ok = w.representable(value[key], path.Child(secrecy.Shown(key))) && ok
		}
	case []any:
		for i, item := range value {
			ok = w.representable(item, path.Index(i)) && ok
		}
	case json.Number:
		if _, err := value.Float64(); err != nil {
			w.errs = append(w.errs, field.Invalid(path, field.OmitValueType{}, "must be a number that 64 bits hold"))
			return false
		}
	}
	return ok
}

func sortedKeys[K ~string, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
