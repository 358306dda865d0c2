package v1alpha1

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

func unknownField(path *field.Path, name string, known map[string]jsonField) *field.Error {
	return field.Forbidden(path.Child(name), NoSuchField(name, sortedKeys(known)))
}

// NoSuchField is what to say about an unknown field: with the known one that was
// probably meant, if there is one.
func NoSuchField(name string, known []string) string {
	message := "there is no such field"
	if nearest := nearestName(name, known); nearest != "" {
		message += `; did you mean "` + nearest + `"?`
	}
	return message
}

// nearestName finds the name that was probably meant: the same up to case, or the
// one with the fewest edits, as long as those are no more than a third of it. Of
// several it takes the first. Empty when nothing is near.
func nearestName(name string, known []string) string {
	best, bestDistance := "", len(name)/3+1
	for _, candidate := range known {
		if strings.EqualFold(candidate, name) {
			return candidate
		}
		if distance := editDistance(strings.ToLower(name), strings.ToLower(candidate)); distance < bestDistance {
			best, bestDistance = candidate, distance
		}
	}
	return best
}

// editDistance counts insertions, deletions and replacements of bytes (the
// Levenshtein distance). Long names are no typos and count as far apart.
func editDistance(a, b string) int {
	const longestName = 64
	if len(a) > longestName || len(b) > longestName {
		return longestName
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
