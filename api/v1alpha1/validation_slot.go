package v1alpha1

import (
	"math"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateSlot follows what Flame accepts in resreq: whole, unsigned numbers. A
// session whose request is all zero never gets an executor.
func validateSlot(slot *Slot, path *field.Path) field.ErrorList {
	if slot == nil {
		return nil
	}
	path = path.Child("slot")
	if *slot == (Slot{}) {
		return field.ErrorList{field.Required(path, "give cpu, memory or gpu, or leave slot out")}
	}
	errs := validateWhole(slot.CPU, 0, `whole CPUs, such as "2": Flame knows no fractions`, path, "cpu")
	errs = append(errs, validateWhole(slot.Memory, 0, `whole bytes, such as "4Gi"`, path, "memory")...)
	errs = append(errs, validateWhole(slot.GPU, 0, `whole devices, such as "1"`, path, "gpu")...)
	if slot.GPU != nil && slot.GPU.CmpInt64(math.MaxInt32) > 0 {
		errs = append(errs, field.Invalid(path.Child("gpu"), slot.GPU.String(), atMost(int32(math.MaxInt32))))
	}
	if isZero(slot.CPU) && isZero(slot.Memory) && isZero(slot.GPU) {
		errs = append(errs, field.Invalid(path, field.OmitValueType{},
			"must ask for something: a session that asks for nothing gets no executor; give cpu, memory or gpu, or leave slot out"))
	}
	return errs
}

// validateWhole checks an optional quantity. what ends the sentence "must be ...".
func validateWhole(quantity *resource.Quantity, lowest int64, what string, path *field.Path, name string) field.ErrorList {
	switch {
	case quantity == nil:
		return nil
	case quantity.CmpInt64(lowest) < 0:
		return field.ErrorList{field.Invalid(path.Child(name), quantity.String(), atLeast(lowest))}
	case !whole(*quantity):
		return field.ErrorList{field.Invalid(path.Child(name), quantity.String(), "must be "+what)}
	}
	return nil
}

func isZero(quantity *resource.Quantity) bool { return quantity == nil || quantity.IsZero() }
