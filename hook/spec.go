package hook

import (
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/canonical"
	"github.com/xflops/flame-operator/hook/flameconf"
	"github.com/xflops/flame-operator/hook/resources"
)

// maxSpecBytes bounds a spec. It is kept in a ConfigMap, and Metacontroller keeps
// that ConfigMap once more in an annotation, of which Kubernetes allows 256 KiB.
const maxSpecBytes = 96 << 10

// Judgement is what this version of flame-hook thinks of one spec.
type Judgement struct {
	// Spec has all defaults filled in. It is nil when the spec can't be decoded as a
	// whole.
	Spec *v1alpha1.FlameClusterSpec
	// Errors say, with field paths, why the spec is refused.
	Errors field.ErrorList
	// Warnings are advice, in a stable order.
	Warnings []string

	// record is the spec as it is kept: canonical JSON without replicas.
	record string
}

// Judge decodes a spec and checks it against every rule that needs no other object.
// A nil, null or empty spec is fine: everything has a default.
func Judge(name string, raw json.RawMessage) Judgement {
	return judgeDecoded(name, v1alpha1.DecodeSpec, raw)
}

// JudgeStrictly is Judge for a file that a person wrote: an unknown field is an
// error there, while the API server drops it.
func JudgeStrictly(name string, raw json.RawMessage) Judgement {
	return judgeDecoded(name, v1alpha1.DecodeSpecStrict, raw)
}

type specDecoder func([]byte) (*v1alpha1.FlameClusterSpec, []string, field.ErrorList)

func judgeDecoded(name string, decode specDecoder, raw json.RawMessage) Judgement {
	spec, warnings, errs := decode(raw)
	j := Judgement{Warnings: warnings, Errors: errs}
	j.Errors = append(j.Errors, v1alpha1.Validate(name, spec)...)
	given := spec.DeepCopy()
	v1alpha1.SetDefaults(spec)
	if len(errs) == 0 {
		j.record, errs = recordOf(given, spec.Version)
		j.Errors = append(j.Errors, errs...)
		j.Spec, errs = specOf(j.record, spec.Replicas)
		j.Errors = append(j.Errors, errs...)
	}
	unsupported, advice := flameconf.Check(spec)
	j.Errors = append(j.Errors, ofOtherFields(unsupported, j.Errors)...)
	j.Warnings = append(j.Warnings, advice...)
	templates, advice := resources.CheckPodTemplates(name, spec)
	j.Errors = append(j.Errors, templates...)
	j.Warnings = append(j.Warnings, advice...)
	j.Warnings = append(j.Warnings, v1alpha1.Warnings(spec)...)
	return j
}

// ofOtherFields leaves out what was refused already: a version that can't be read has
// one thing to say.
func ofOtherFields(errs, refused field.ErrorList) field.ErrorList {
	return slices.DeleteFunc(errs, func(err *field.Error) bool {
		return slices.ContainsFunc(refused, func(earlier *field.Error) bool { return earlier.Field == err.Field })
	})
}

// specOf is what a record stands for, with defaults. What runs is always made from it,
// however the spec was written, so that going back to the record changes nothing.
func specOf(record string, replicas *int32) (*v1alpha1.FlameClusterSpec, field.ErrorList) {
	spec, _, errs := v1alpha1.DecodeSpec([]byte(record))
	spec.Replicas = replicas
	v1alpha1.SetDefaults(spec)
	return spec, errs
}

// Reason is the reason of the Stalled condition for these errors.
func (j *Judgement) Reason() string {
	for _, err := range j.Errors {
		if !flameconf.IsUnsupportedByVersion(err) {
			return v1alpha1.ReasonInvalidSpec
		}
	}
	return v1alpha1.ReasonUnsupportedByVersion
}

// recordOf returns the spec as it is kept in the last-good ConfigMap: as it was
// given, but with the version that it stands for, so that a flame-hook with another
// default version notices the change. Replicas are left out, so that scaling touches
// one object only, and so is the cache's deprecated storage, which means nothing and
// may hold anything.
func recordOf(given *v1alpha1.FlameClusterSpec, version string) (string, field.ErrorList) {
	given.Version = version
	given.ObjectCache.Storage = ""
	given.Replicas = nil
	given.ExecutorManager.Replicas = nil
	path := field.NewPath("spec")
	raw, err := canonical.JSON(given)
	switch {
	case err != nil:
		return "", field.ErrorList{field.Invalid(path, field.OmitValueType{}, "can't be written as JSON")}
	case len(raw) > maxSpecBytes:
		return string(raw), field.ErrorList{field.TooLong(path, field.OmitValueType{}, maxSpecBytes)}
	}
	return string(raw), nil
}
