package status

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// maxMessage is the number of bytes that a message may have.
	maxMessage = 1024
	// maxText is the number of bytes that one text of Kubernetes may take in it.
	maxText = 400
	// maxNames is the number of names that are listed before the rest is counted.
	maxNames = 3
	ellipsis = "..."
)

// limit makes text valid UTF-8 of at most maxMessage bytes, on one line.
func limit(text string) string { return cut(text, maxMessage) }

func cut(text string, size int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if len(text) <= size {
		return text
	}
	end := size - len(ellipsis)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + ellipsis
}

// names lists up to maxNames names and counts the rest. The names are sorted.
func names(sorted []string) string {
	if len(sorted) <= maxNames {
		return strings.Join(sorted, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(sorted[:maxNames], ", "), len(sorted)-maxNames)
}

func andMore(count int, noun string) string {
	return "and " + plural(count, noun, "more ")
}

// plural is "1 warning", "2 warnings", or with an adjective "2 more warnings".
func plural(count int, noun, adjective string) string {
	if count != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s%s", count, adjective, noun)
}
