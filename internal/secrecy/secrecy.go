// Package secrecy decides what messages may repeat of the texts that users write. Messages
// land in the status, in events and in logs, where whoever may not read a Secret reads
// them.
package secrecy

import (
	"regexp"
	"strings"
)

// NotShown stands in messages for a text that may carry credentials.
const NotShown = "(not shown)"

// passwordParameter finds a password in a key=value part of a connection string.
var passwordParameter = regexp.MustCompile(`(?i)(pass|passwd|password|pwd|secret|token|credential|sslkey)[a-z_]*\s*=`)

// HasPassword says whether a part of the text has the form password=..., by any of the
// names that connection strings have for it.
func HasPassword(text string) bool { return passwordParameter.MatchString(text) }

// Shown is what a message may repeat of a user's text: NotShown for whatever looks like a
// connection string, and at most the first 128 bytes of anything else.
func Shown(text string) string {
	const longest = 128
	if strings.Contains(text, "@") || strings.Contains(text, "://") || HasPassword(text) {
		return NotShown
	}
	if len(text) > longest {
		return strings.ToValidUTF8(text[:longest], "") + "..."
	}
	return text
}
