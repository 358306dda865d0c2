package v1alpha1

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// No input panics, in any step that a spec goes through; the same input gives the
// same answer; what is valid has defaults that are valid and final.
func FuzzDecodeSpec(f *testing.F) {
	f.Add([]byte(`{"sessionManager":{"slot":"cpu=1,mem=1g","storage":"sqlite://flame.db"},"executorManager":{"replicas":3},"objectCache":{"storage":"/data"}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		spec, warnings, errs := DecodeSpec(raw)
		if spec == nil {
			t.Fatal("no spec")
		}
		again, warningsAgain, errsAgain := DecodeSpec(raw)
		if !reflect.DeepEqual(texts(errs), texts(errsAgain)) || !reflect.DeepEqual(warnings, warningsAgain) {
			t.Fatal("two runs differ")
		}
		errs = append(errs, Validate("flame", spec)...)
		SetDefaults(spec)
		SetDefaults(again)
		ValidateUpdate(again, spec, nil)
		Warnings(spec)
		DecodeSpecStrict(raw)
		if len(errs) > 0 {
			return
		}
		if errs := Validate("flame", spec); len(errs) > 0 {
			t.Fatalf("defaults of a valid spec are not: %v", errs.ToAggregate())
		}
		stored, err := json.Marshal(spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, errs := DecodeSpecStrict(stored); len(errs) > 0 {
			t.Fatalf("a decoded spec can't be decoded again: %v", errs.ToAggregate())
		}
	})
}

// A string of the first release becomes something legal inside the volume, or is
// refused; no message repeats what stands before or after an @.
func FuzzLegacyStrings(f *testing.F) {
	for _, text := range []string{"cpu=1,mem=1g", "sqlite://flame.db", "fs:///var/lib/flame/session", "none", "postgres://u:p@h/d", "/data"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := field.NewPath("x")
		if slot, err := TranslateLegacySlot(text, path); err == nil && len(slot) == 0 {
			t.Fatal("an empty slot")
		}
		storage, note, err := TranslateLegacyStorage(text, path)
		if strings.Contains(note, "@") || err != nil && strings.Contains(err.Error(), "@") {
			t.Fatalf("%q is repeated: %q, %v", text, note, err)
		}
		if err != nil {
			return
		}
		if directory, found := storage["path"].(string); found && !insideSessionDirectory(directory) {
			t.Fatalf("%q leaves the volume: %q", text, directory)
		}
	})
}
