package canonical

import (
	"errors"
	"fmt"
	"slices"

	"github.com/xflops/flame-operator/hook/internal/jsonread"
)

// Check refuses children that would make Metacontroller do harm: crash on a null,
// delete or forget objects, abort the whole sync. It goes by what was read of the very
// text that is sent, and trusts nothing else. Its errors name the object and contain no
// values from it.
func Check(namespace string, children []Object) error {
	if children == nil {
		return errors.New("the answer has no children: everything that exists would be deleted")
	}
	seen := make(map[identity]bool, len(children))
	for i := range children {
		child := &children[i]
		if child.text == "" {
			return fmt.Errorf("children[%d] is null", i)
		}
		id := child.sent.identity
		if err := child.sent.check(namespace); err != nil {
			return fmt.Errorf("children[%d] (%s): %w", i, id, err)
		}
		if seen[id] {
			return fmt.Errorf("children[%d] (%s) is there twice", i, id)
		}
		seen[id] = true
	}
	return nil
}

type identity struct{ apiVersion, kind, name string }

func (id identity) String() string { return id.apiVersion + " " + id.kind + " " + id.name }

// sent is what the guard reads of a child.
type sent struct {
	identity
	namespace string
	// harm is the first thing in the text that must not be there.
	harm error
}

func readSent(text string) sent {
	var s sent
	r := jsonread.New(text)
	s.read(r)
	if err := r.End(); err != nil {
		s.harm = err
	}
	return s
}

func (s *sent) check(namespace string) error {
	switch {
	case s.harm != nil:
		return s.harm
	case !isChildKind(s.apiVersion, s.kind):
		return errors.New("the CompositeController does not list this kind")
	case s.name == "":
		return errors.New("it has no name")
	case s.namespace != namespace:
		return errors.New("its namespace is not the FlameCluster's")
	}
	return nil
}

func (s *sent) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "apiVersion":
			r.String(&s.apiVersion)
		case "kind":
			r.String(&s.kind)
		case "metadata":
			s.readMetadata(r)
		default:
			s.refuseNull(r, "."+name)
		}
	}
}

// foreign are members of the metadata that belong to the API server or to Metacontroller.
var foreign = []string{"generateName", "ownerReferences", "uid", "resourceVersion", "managedFields"}

func (s *sent) readMetadata(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "name":
			r.String(&s.name)
		case "namespace":
			r.String(&s.namespace)
		case "labels":
			s.readTexts(r, name, "controller-uid")
		case "annotations":
			s.readTexts(r, name, "metacontroller.k8s.io/last-applied-configuration")
		default:
			if slices.Contains(foreign, name) {
				s.refuse(fmt.Errorf("metadata.%s belongs to the API server or to Metacontroller", name))
			}
			s.refuseNull(r, ".metadata."+name)
		}
	}
}

// readTexts reads labels or annotations. One key is Metacontroller's own.
func (s *sent) readTexts(r *jsonread.Reader, member, reserved string) {
	if r.Kind() != jsonread.Object {
		s.refuse(fmt.Errorf("metadata.%s is not a map", member))
		return
	}
	for key := range r.Members() {
		if r.Kind() != jsonread.String {
			s.refuse(fmt.Errorf("metadata.%s[%s] is not a string", member, key))
		}
		if key == reserved {
			s.refuse(fmt.Errorf("the key %s in metadata.%s belongs to Metacontroller", key, member))
		}
	}
}

func (s *sent) refuse(harm error) {
	if s.harm == nil {
		s.harm = harm
	}
}

func (s *sent) refuseNull(r *jsonread.Reader, at string) {
	if path, found := findNull(r); found {
		s.refuse(fmt.Errorf("%s%s is null", at, path))
	}
}

// findNull reads a value and returns the path of the first null in it.
func findNull(r *jsonread.Reader) (path string, found bool) {
	switch r.Kind() {
	case jsonread.Null:
		found = r.Null()
	case jsonread.Object:
		for name := range r.Members() {
			if inner, isNull := findNull(r); isNull && !found {
				path, found = "."+name+inner, true
			}
		}
	case jsonread.List:
		for i := range r.Elements() {
			if inner, isNull := findNull(r); isNull && !found {
				path, found = fmt.Sprintf("[%d]%s", i, inner), true
			}
		}
	default:
		r.Skip()
	}
	return path, found
}
