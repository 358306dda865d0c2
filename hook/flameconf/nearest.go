package flameconf

import (
	"maps"
	"slices"

	"github.com/xflops/flame-operator/internal/nearest"
)

// nearestKey is the key that was probably meant by name: a sibling with a similar
// name, or the path of a key elsewhere with the same name but for case and
// underscores. It is empty when there is none.
func nearestKey(siblings key, name string) string {
	if meant := nearest.Name(name, slices.Sorted(maps.Keys(siblings.fields))); meant != "" {
		return meant
	}
	return elsewhere(flameKeys, nearest.Folded(name))
}

// elsewhere is the path of the first key below k whose folded name is wanted.
func elsewhere(k key, wanted string) string {
	names := slices.Sorted(maps.Keys(k.fields))
	for _, name := range names {
		if nearest.Folded(name) == wanted {
			return name
		}
	}
	for _, name := range names {
		if path := elsewhere(k.fields[name], wanted); path != "" {
			return name + "." + path
		}
	}
	return ""
}
