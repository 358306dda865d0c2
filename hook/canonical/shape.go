package canonical

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// shape is how values of a type are written.
type shape struct {
	// special types are left to encoding/json.
	special bool
	// fields of a struct, sorted by name.
	fields []field
}

type field struct {
	name string
	// quoted is the name as it is written, with the colon.
	quoted string
	index  []int
	// simple fields are of the most usual kinds, or pointers to such.
	simple bool
	// omitEmpty and omitZero are the options of the field's tag.
	omitEmpty, omitZero bool
}

// zeroer is what encoding/json asks before it leaves out a field with omitzero.
type zeroer interface{ IsZero() bool }

// absent says whether encoding/json leaves the field out.
func (f *field) absent(v reflect.Value) bool {
	if f.omitEmpty {
		switch v.Kind() {
		case reflect.Map, reflect.Slice, reflect.Array, reflect.String:
			if v.Len() == 0 {
				return true
			}
		case reflect.Struct:
		default:
			if v.IsZero() {
				return true
			}
		}
	}
	if !f.omitZero {
		return false
	}
	if v.CanAddr() {
		if z, ok := v.Addr().Interface().(zeroer); ok {
			return z.IsZero()
		}
	}
	return v.IsZero()
}

// shapes remembers the shape of each type: there are some hundred, and looking at the
// tags takes longer than writing the value.
var shapes sync.Map // of reflect.Type to *shape

func shapeOf(t reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape) //nolint:forcetypeassert // nothing else is stored
	}
	s := newShape(t)
	shapes.Store(t, s)
	return s
}

// writesItself says whether encoding/json lets the type write itself.
func writesItself(t reflect.Type) bool {
	for _, own := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		if t.Implements(own) || reflect.PointerTo(t).Implements(own) {
			return true
		}
	}
	return t == reflect.TypeFor[json.Number]()
}

func isSimple(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	_, simple := appendSimple(nil, reflect.Zero(t))
	return simple && !writesItself(t)
}

func newShape(t reflect.Type) *shape {
	if writesItself(t) {
		return &shape{special: true}
	}
	switch t.Kind() {
	case reflect.Struct:
		return structShape(t)
	case reflect.Map:
		key := t.Key()
		return &shape{special: key.Kind() != reflect.String || shapeOf(key).special}
	case reflect.Slice:
		// encoding/json writes bytes in base64.
		return &shape{special: t.Elem().Kind() == reflect.Uint8}
	}
	return &shape{}
}

func structShape(t reflect.Type) *shape {
	s := &shape{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Tag.Get("json") == "-", !f.IsExported() && !f.Anonymous:
			continue
		case f.Anonymous && name == "":
			// Its fields count as fields of the struct around it.
			inner := shapeOf(f.Type)
			if f.Type.Kind() != reflect.Struct || inner.special {
				return &shape{special: true}
			}
			for _, promoted := range inner.fields {
				promoted.index = slices.Concat(f.Index, promoted.index)
				s.fields = append(s.fields, promoted)
			}
			continue
		case name == "":
			name = f.Name
		}
		given := strings.Split(options, ",")
		if slices.Contains(given, "string") {
			return &shape{special: true}
		}
		s.fields = append(s.fields, field{
			name: name, quoted: string(appendText(nil, name)) + ":", index: f.Index, simple: isSimple(f.Type),
			omitEmpty: slices.Contains(given, "omitempty"), omitZero: slices.Contains(given, "omitzero"),
		})
	}
	slices.SortFunc(s.fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(s.fields); i++ {
		if s.fields[i-1].name == s.fields[i].name {
			// Which field wins is for encoding/json to say.
			return &shape{special: true}
		}
	}
	return s
}
