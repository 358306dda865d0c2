// Package nearest finds the name that somebody meant who wrote one that does not exist.
package nearest

import "strings"

// mostEdits is how many letters of a name may be wrong: one that is missing, one too
// many, or two that are swapped.
const mostEdits = 2

// Name returns the known name that was probably meant: the one with the fewest letters
// to change, and the first of several. Fewer may be wrong in short names. Case, hyphens
// and underscores make no difference. It returns "" when nothing is near.
func Name(name string, known []string) string {
	wanted := Folded(name)
	best, bestDistance := "", min(mostEdits, (len(wanted)+1)/3)+1
	for _, candidate := range known {
		if distance := editDistance(wanted, Folded(candidate)); distance < bestDistance {
			best, bestDistance = candidate, distance
		}
	}
	return best
}

var separators = strings.NewReplacer("_", "", "-", "")

// Folded makes camelCase, kebab-case and snake_case alike.
func Folded(name string) string { return strings.ToLower(separators.Replace(name)) }

// editDistance is the number of bytes to insert, delete or replace (the Levenshtein
// distance). Where the lengths alone are too far apart it is the longer one: a name may
// be as long as a request.
func editDistance(a, b string) int {
	if difference := len(a) - len(b); difference > mostEdits || difference < -mostEdits {
		return max(len(a), len(b))
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
