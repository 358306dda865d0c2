package flameconf

import (
	"maps"
	"slices"
	"strings"
)

// nearestKey is the key that was probably meant by name: a sibling with a similar
// name, or the path of a key elsewhere with the same name but for case and
// underscores. It is empty when there is none.
func nearestKey(siblings key, name string) string {
	wanted := folded(name)
	// Two letters may be wrong, fewer in short names.
	best, bestDistance := "", min(2, (len(wanted)+1)/3)+1
	for _, sibling := range slices.Sorted(maps.Keys(siblings.fields)) {
		if d := editDistance(wanted, folded(sibling)); d < bestDistance {
			best, bestDistance = sibling, d
		}
	}
	if best != "" {
		return best
	}
	return elsewhere(flameKeys, wanted)
}

// elsewhere is the path of the first key below k whose folded name is wanted.
func elsewhere(k key, wanted string) string {
	names := slices.Sorted(maps.Keys(k.fields))
	for _, name := range names {
		if folded(name) == wanted {
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

// folded makes camelCase, kebab-case and snake_case alike.
func folded(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// editDistance is the number of bytes to insert, delete or replace. Names of very
// different length are not compared byte by byte: the difference is at least that.
func editDistance(a, b string) int {
	if difference := len(a) - len(b); difference > 3 || difference < -3 {
		return max(len(a), len(b))
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := diagonal
			if a[i-1] != b[j-1] {
				replaced++
			}
			diagonal = row[j]
			row[j] = min(replaced, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
