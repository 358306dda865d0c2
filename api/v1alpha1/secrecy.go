package v1alpha1

import "strings"

// notShown stands in error messages for a text that may carry credentials.
const notShown = "(not shown)"

// shown is what an error message may repeat of a user's text: error messages land
// in status and events, so nothing that looks like a connection string does.
func shown(text string) string {
	const longest = 128
	if strings.ContainsAny(text, "@") || strings.Contains(text, "://") || credentialParameter.MatchString(text) {
		return notShown
	}
	if len(text) > longest {
		return strings.ToValidUTF8(text[:longest], "") + "..."
	}
	return text
}
