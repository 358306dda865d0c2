package resources

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	strictjson "sigs.k8s.io/json"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/internal/secrecy"
)

// decodePodTemplate decodes strictly: a field that a pod template does not have, a field
// that is given twice and a value of a wrong type are errors at their own paths. The
// result is nil with any error.
func decodePodTemplate(raw []byte, at *field.Path) (*corev1.PodTemplateSpec, field.ErrorList) {
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || trimmed[0] != '{' {
		return nil, field.ErrorList{field.TypeInvalid(at, field.OmitValueType{}, "must be an object")}
	}
	var template corev1.PodTemplateSpec
	strict, err := strictjson.UnmarshalStrict(raw, &template)
	if err != nil {
		return nil, typeErrors(raw, at)
	}
	var errs field.ErrorList
	for _, e := range strict {
		path, name := at, ""
		var fieldError strictjson.FieldError
		if errors.As(e, &fieldError) {
			name = fieldError.FieldPath()
			path = at.Child(secrecy.Shown(name))
		}
		detail := "is given twice"
		if !strings.HasPrefix(e.Error(), "duplicate field") {
			detail = unknownField(name)
		}
		errs = append(errs, field.Forbidden(path, detail))
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return &template, nil
}

// unknownField says what was probably meant by a path below a pod template.
func unknownField(path string) string {
	steps := strings.Split(path, ".")
	unknown := steps[len(steps)-1]
	t := reflect.TypeFor[corev1.PodTemplateSpec]()
	for _, step := range steps[:len(steps)-1] {
		name, _, _ := strings.Cut(step, "[")
		next, ok := fieldType(t, name)
		if !ok {
			return v1alpha1.NoSuchField(unknown, nil)
		}
		for t = next; t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice; {
			t = t.Elem()
		}
	}
	return v1alpha1.NoSuchField(unknown, fieldNames(t))
}

// fieldNames are the JSON names of a struct's fields, sorted.
func fieldNames(t reflect.Type) []string {
	if t.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// typeErrors finds the values that can't be decoded. The decoder stops at the first one
// and does not say in which element of a list it is, so each part is tried alone.
func typeErrors(raw []byte, at *field.Path) field.ErrorList {
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return field.ErrorList{field.TypeInvalid(at, field.OmitValueType{}, "is malformed JSON")}
	}
	errs := wrongTypes(tree, reflect.TypeFor[corev1.PodTemplateSpec](), at)
	if len(errs) == 0 {
		errs = field.ErrorList{field.TypeInvalid(at, field.OmitValueType{}, "is no pod template")}
	}
	return errs
}

func wrongTypes(value any, t reflect.Type, at *field.Path) field.ErrorList {
	encoded, err := json.Marshal(value)
	if err != nil {
		return field.ErrorList{field.TypeInvalid(at, field.OmitValueType{}, "has a value of a wrong type")}
	}
	target := reflect.New(t)
	if strictjson.UnmarshalCaseSensitivePreserveInts(encoded, target.Interface()) == nil {
		return nil
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var errs field.ErrorList
	switch value := value.(type) {
	case map[string]any:
		for _, name := range sortedKeys(value) {
			if t.Kind() == reflect.Map {
				errs = append(errs, wrongTypes(value[name], t.Elem(), at.Key(secrecy.Shown(name)))...)
			} else if f, ok := fieldType(t, name); ok {
				errs = append(errs, wrongTypes(value[name], f, at.Child(name))...)
			}
		}
	case []any:
		if t.Kind() == reflect.Slice {
			for i := range value {
				errs = append(errs, wrongTypes(value[i], t.Elem(), at.Index(i))...)
			}
		}
	}
	if len(errs) == 0 {
		return field.ErrorList{field.TypeInvalid(at, field.OmitValueType{}, wantedType(t))}
	}
	return errs
}

// fieldType is the type of a struct's field by its JSON name, embedded structs included.
func fieldType(t reflect.Type, name string) (reflect.Type, bool) {
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	for _, f := range reflect.VisibleFields(t) {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag == name && name != "" && name != "-" {
			return f.Type, true
		}
	}
	return nil, false
}

func wantedType(t reflect.Type) string {
	switch t.String() {
	case "resource.Quantity":
		return `must be a quantity, such as "500m" or "2Gi"`
	case "intstr.IntOrString":
		return "must be a number or a string"
	case "v1.Time":
		return `must be a time, such as "2026-01-02T15:04:05Z"`
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "must be an object"
	case reflect.Slice:
		return "must be a list"
	case reflect.String:
		return "must be a string"
	case reflect.Bool:
		return "must be true or false"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "must be a whole number in range"
	}
	return fmt.Sprintf("must be of type %s", t)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
