package v1alpha1

import "sort"

// Warnings is advice about a spec whose defaults are set: what will work, but
// probably not as meant. Sorted, and the same for the same spec.
func Warnings(spec *FlameClusterSpec) []string {
	var warnings []string
	sort.Strings(warnings)
	return warnings
}
