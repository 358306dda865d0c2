package v1alpha1

import (
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// MaxQuantityLength bounds the text of a quantity, in characters, here and in the
// CRD: the API server's cost estimate for rules over quantities needs a bound.
const MaxQuantityLength = 32

// Validate checks the decoded spec of the FlameCluster called name before
// defaults are set: all rules that hold for every Flame version. It returns every
// error at once, sorted by field.
func Validate(name string, spec *FlameClusterSpec) field.ErrorList {
	return nil
}

// ValidateUpdate checks what can't change from one spec to the next. Both have
// their defaults set. annotations are those of the FlameCluster.
func ValidateUpdate(old, updated *FlameClusterSpec, annotations map[string]string) field.ErrorList {
	return nil
}

func insideSessionDirectory(file string) bool {
	file = path.Clean(file)
	return file == SessionDirectory || strings.HasPrefix(file, SessionDirectory+"/")
}
