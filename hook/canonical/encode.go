package canonical

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// appendValue appends v as canonical JSON: what encoding/json writes, but with sorted
// members, and without null members and empty lists. The API server does not store
// these, so Metacontroller's comparison would see a change, at every sync. Empty maps
// stay: `emptyDir: {}` and `podSelector: {}` mean something.
func appendValue(text []byte, v reflect.Value) ([]byte, error) {
	if !v.IsValid() {
		return append(text, "null"...), nil
	}
	if v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return append(text, "null"...), nil
		}
		return appendValue(text, v.Elem())
	}
	shape := shapeOf(v.Type())
	switch {
	case shape.special:
		return appendSpecial(text, v)
	case v.Kind() == reflect.Struct:
		return appendStruct(text, v, shape.fields)
	}
	switch v.Kind() {
	case reflect.Map:
		return appendMap(text, v)
	case reflect.Slice, reflect.Array:
		return appendList(text, v)
	}
	if text, ok := appendSimple(text, v); ok {
		return text, nil
	}
	return appendSpecial(text, v)
}

// appendSimple appends a value of the most usual kinds, and says whether it is one.
func appendSimple(text []byte, v reflect.Value) ([]byte, bool) {
	switch v.Kind() {
	case reflect.String:
		return appendText(text, v.String()), true
	case reflect.Bool:
		return strconv.AppendBool(text, v.Bool()), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(text, v.Int(), 10), true
	}
	return text, false
}

func appendStruct(text []byte, v reflect.Value, fields []field) ([]byte, error) {
	text = append(text, '{')
	start := len(text)
	var err error
	for i := range fields {
		if text, err = fields[i].append(text, start, v); err != nil {
			return nil, err
		}
	}
	return append(text, '}'), nil
}

// append appends the field of a struct as a member of the object whose members begin
// at start.
func (f *field) append(text []byte, start int, of reflect.Value) ([]byte, error) {
	v := of.FieldByIndex(f.index)
	if f.absent(v) {
		return text, nil
	}
	if !f.simple {
		return appendMember(text, start, f.name, v)
	}
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return text, nil
		}
		v = v.Elem()
	}
	text, _ = appendSimple(append(comma(text, start), f.quoted...), v)
	return text, nil
}

func appendMap(text []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(text, "null"...), nil
	}
	text = append(text, '{')
	start := len(text)
	switch m := v.Interface().(type) {
	case map[string]string:
		names := sortedNames(m, make([]string, 0, usualMapSize))
		for _, name := range names {
			text = appendText(appendName(text, start, name), m[name])
		}
		return append(text, '}'), nil
	case corev1.ResourceList:
		names := sortedNames(m, make([]corev1.ResourceName, 0, usualMapSize))
		for _, name := range names {
			quantity := m[name]
			text = appendText(appendName(text, start, string(name)), quantity.String())
		}
		return append(text, '}'), nil
	}
	names := v.MapKeys()
	slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	var err error
	for _, name := range names {
		if text, err = appendMember(text, start, name.String(), v.MapIndex(name)); err != nil {
			return nil, err
		}
	}
	return append(text, '}'), nil
}

// usualMapSize is the number of labels or resources up to which sorting them takes no
// memory.
const usualMapSize = 16

func sortedNames[K ~string, V any](m map[K]V, names []K) []K {
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func appendList(text []byte, v reflect.Value) ([]byte, error) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		return append(text, "null"...), nil
	}
	text = append(text, '[')
	var err error
	for i := range v.Len() {
		if i > 0 {
			text = append(text, ',')
		}
		if text, err = appendValue(text, v.Index(i)); err != nil {
			return nil, err
		}
	}
	return append(text, ']'), nil
}

// appendMember appends a member of the object whose members begin at start, unless
// the value is null or an empty list.
func appendMember(text []byte, start int, name string, v reflect.Value) ([]byte, error) {
	before := len(text)
	text = appendName(text, start, name)
	value := len(text)
	text, err := appendValue(text, v)
	if err != nil {
		return nil, err
	}
	switch string(text[value:]) {
	case "null", "[]":
		return text[:before], nil
	}
	return text, nil
}

func appendName(text []byte, start int, name string) []byte {
	return append(appendText(comma(text, start), name), ':')
}

// comma separates a member from those that began at start.
func comma(text []byte, start int) []byte {
	if len(text) > start {
		text = append(text, ',')
	}
	return text
}

// appendSpecial is for types that encoding/json has to write: those with a
// MarshalJSON of their own and rare kinds. What comes out is made canonical.
func appendSpecial(text []byte, v reflect.Value) ([]byte, error) {
	isPatch := v.Type() == reflect.TypeFor[runtime.RawExtension]()
	if v.CanAddr() {
		v = v.Addr()
	}
	written, err := json.Marshal(v.Interface())
	if err != nil {
		return nil, err
	}
	if isPatch {
		// Null and an empty list mean something there.
		return appendSorted(text, written)
	}
	return appendCanonical(text, written)
}
