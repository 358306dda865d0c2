package v1alpha1

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/nearest"
	"github.com/xflops/flame-operator/internal/secrecy"
)

func unknownField(path *field.Path, name string, known []string) *field.Error {
	return field.Forbidden(path.Child(secrecy.Shown(name)), NoSuchField(name, known))
}

// NoSuchField is what to say about an unknown field: with the known one that was
// probably meant, if there is one.
func NoSuchField(name string, known []string) string {
	message := "there is no such field"
	if meant := nearest.Name(name, known); meant != "" {
		message += `; did you mean "` + meant + `"?`
	}
	return message
}
