package v1alpha1

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"

	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// DecodeSpec reads the spec of a FlameCluster as it is stored. Nothing, null and
// {} give an empty spec. Unknown fields are ignored, as the API server prunes
// them. The string forms of the API's first release are translated and reported as
// warnings. Every value of the wrong type is an error with its field path; the
// block that it stands in is left out of spec, so that Validate still finds
// everything else. It never panics, and no message repeats a text that may carry
// credentials.
func DecodeSpec(raw []byte) (spec *FlameClusterSpec, warnings []string, errs field.ErrorList) {
	return decodeSpec(raw, false)
}

// DecodeSpecStrict is DecodeSpec for files that people write: a field that does
// not exist is an error that names the nearest one that does, and so is a field
// that is given twice.
func DecodeSpecStrict(raw []byte) (spec *FlameClusterSpec, warnings []string, errs field.ErrorList) {
	return decodeSpec(raw, true)
}

func decodeSpec(raw []byte, strict bool) (*FlameClusterSpec, []string, field.ErrorList) {
	spec, path := &FlameClusterSpec{}, specPath
	if len(bytes.TrimSpace(raw)) == 0 {
		return spec, nil, nil
	}
	tree, err := jsonTree(raw)
	if err != nil {
		return spec, nil, field.ErrorList{field.Invalid(path, field.OmitValueType{}, "must be valid JSON")}
	}
	var errs field.ErrorList
	if strict {
		errs = duplicateFields(raw, path)
	}
	if tree == nil {
		return spec, nil, errs
	}
	object, isObject := tree.(map[string]any)
	if !isObject {
		return spec, nil, append(errs, typeError(path, tree, "an object"))
	}
	warnings, legacyErrs := translateLegacy(object, path)
	errs = append(errs, legacyErrs...)
	walk := typeWalk{strict: strict}
	walk.structure(object, reflect.TypeFor[FlameClusterSpec](), path)
	errs = append(errs, walk.errs...)
	clean, err := json.Marshal(object)
	if err == nil {
		err = kjson.UnmarshalCaseSensitivePreserveInts(clean, spec)
	}
	if err != nil {
		return &FlameClusterSpec{}, warnings, append(errs, field.Invalid(path, field.OmitValueType{}, "does not fit the type FlameClusterSpec"))
	}
	return spec, warnings, errs
}

// jsonTree decodes one JSON value with its numbers as they are written: one that no
// type holds is then an error of its field, not of the whole spec.
func jsonTree(raw []byte) (tree any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	return tree, nil
}

func duplicateFields(raw []byte, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	duplicates, err := kjson.UnmarshalStrict(raw, new(any))
	if err != nil {
		return nil
	}
	for _, duplicate := range duplicates {
		at := path
		var fieldError kjson.FieldError
		if errors.As(duplicate, &fieldError) {
			at = path.Child(secrecy.Shown(fieldError.FieldPath()))
		}
		errs = append(errs, field.Forbidden(at, "is given twice"))
	}
	return errs
}
