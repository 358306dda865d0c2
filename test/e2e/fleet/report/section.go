package report

import (
	"fmt"
	"strings"
)

// Marks around what the bench writes in a page.
const (
	begin = "<!-- begin: written by make bench-fleet -->"
	end   = "<!-- end: written by make bench-fleet -->"
)

// Replace returns the page with text between its two marks, in place of what was
// there.
func Replace(page, text string) (string, error) {
	before, rest, found := strings.Cut(page, begin+"\n")
	_, after, closed := strings.Cut(rest, end+"\n")
	if !found || !closed {
		return "", fmt.Errorf("the page has no lines %q and %q", begin, end)
	}
	return before + begin + "\n\n" + strings.Trim(text, "\n") + "\n\n" + end + "\n" + after, nil
}
