package pages

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// What is another one each time that a command is run.
var varying = []struct {
	pattern *regexp.Regexp
	word    string
}{
	{regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`), "TIME"},
	{regexp.MustCompile(`-[a-z0-9]{6,10}-[a-z0-9]{5}\b`), "-POD"},
	{regexp.MustCompile(`\b\d+(s|m|m\d+s)\b`), "AGE"},
}

func normalized(line string) string {
	for _, v := range varying {
		line = v.pattern.ReplaceAllString(line, v.word)
	}
	return strings.Join(strings.Fields(line), " ")
}

// Matches says in which way output is not what a page shows. Ages, times, addresses
// and the ends of pods' names are different each time. Tables have the same columns and
// rows. Of all else the page may show less than is printed, but what it shows is there, in
// whatever order: the API server lists some errors in another one each time.
func Matches(shown, printed string) error {
	want, got := tables(shown), tables(printed)
	if len(want) != len(got) {
		return fmt.Errorf("%d tables are shown, %d are printed", len(want), len(got))
	}
	for i := range want {
		if err := want[i].matches(got[i]); err != nil {
			return err
		}
	}
	if len(want) > 0 {
		return nil
	}
	rest := strings.Split(printed, "\n")
	for line := range strings.Lines(shown) {
		line = normalized(line)
		at := slices.IndexFunc(rest, func(printed string) bool { return normalized(printed) == line })
		if at < 0 {
			return fmt.Errorf("not printed, or not as often: %s", line)
		}
		rest = slices.Delete(rest, at, at+1)
	}
	return nil
}

// table is what `kubectl get` prints of objects of one kind.
type table struct {
	columns []string
	rows    [][]string
}

var column = regexp.MustCompile(`\S+(?: \S+)*`)

func tables(text string) []table {
	var found []table
	var starts []int
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		switch {
		case strings.HasPrefix(line, "NAME "):
			starts = nil
			for _, at := range column.FindAllStringIndex(line, -1) {
				starts = append(starts, at[0])
			}
			found = append(found, table{columns: column.FindAllString(line, -1)})
		case line == "":
			starts = nil
		case starts != nil:
			last := &found[len(found)-1]
			last.rows = append(last.rows, cells(line, starts))
		}
	}
	return found
}

// cells cuts a row where the columns begin.
func cells(line string, starts []int) []string {
	row := make([]string, len(starts))
	for i, start := range starts {
		end := len(line)
		if i+1 < len(starts) {
			end = min(end, starts[i+1])
		}
		if start < end {
			row[i] = strings.TrimSpace(line[start:end])
		}
	}
	return row
}

// passing are states that last for seconds, so that nobody sees them for certain.
var passing = []string{"Pending", "Updating"}

func (want table) matches(got table) error {
	if !slices.Equal(want.columns, got.columns) {
		return fmt.Errorf("columns %v are shown, %v are printed", want.columns, got.columns)
	}
	if len(want.rows) != len(got.rows) {
		return fmt.Errorf("%d rows are shown, %d are printed", len(want.rows), len(got.rows))
	}
	for i, row := range want.rows {
		fleeting := slices.ContainsFunc(row, func(cell string) bool { return slices.Contains(passing, cell) })
		for j, name := range want.columns {
			switch {
			case name == "AGE" || name == "CLUSTER-IP", fleeting && name != "NAME":
			case normalized(row[j]) != normalized(got.rows[i][j]):
				return fmt.Errorf("%s is %q in the page, %q is printed", name, row[j], got.rows[i][j])
			}
		}
	}
	return nil
}

var failure = regexp.MustCompile(`^(Error|error|The \w+ "[^"]*" is invalid)`)

// IsFailure says that output is what kubectl prints of a command that fails.
func IsFailure(output string) bool { return failure.MatchString(output) }
