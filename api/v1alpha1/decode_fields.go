package v1alpha1

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// structFields are the fields of a struct by their JSON names, those of embedded
// structs without a name included (Kubernetes types tag them "" or ",inline").
type structFields struct {
	types map[string]reflect.Type
	// required are the fields that must be given, sorted. As in Kubernetes, those are
	// all whose tag does not say that they may be left out.
	required []string
}

// knownFields remembers jsonFields by type: the same few dozen structs are in every
// spec, and reflection takes longer than everything else in decoding one.
var knownFields sync.Map

func jsonFields(t reflect.Type) *structFields {
	if known, found := knownFields.Load(t); found {
		return known.(*structFields)
	}
	fields := &structFields{types: map[string]reflect.Type{}}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name != "" && name != "-":
			fields.types[name] = f.Type
			if !strings.Contains(options, "omit") {
				fields.required = append(fields.required, name)
			}
		case f.Anonymous && name == "":
			embedded := jsonFields(f.Type)
			maps.Copy(fields.types, embedded.types)
			fields.required = append(fields.required, embedded.required...)
		}
	}
	slices.Sort(fields.required)
	knownFields.Store(t, fields)
	return fields
}
