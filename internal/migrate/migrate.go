// Package migrate rewrites manifests of FlameClusters from the string forms of the
// API's first release to today's. It edits the text in place, at the positions that
// the YAML parser gives: comments, the order of keys and everything that is not
// touched stay byte for byte.
package migrate

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Migration is what becomes of one file.
type Migration struct {
	// Text is the file in the new form. It is the input itself when nothing had to
	// change.
	Text []byte
	// Secrets are manifests of the Secrets that connection strings moved into, in
	// YAML; nil when there are none. Text refers to them by name.
	Secrets []byte
	// Changes say what was done, in the order of the file.
	Changes []Note
	// FlameClusters is the number of FlameClusters in the file.
	FlameClusters int
}

// Note is a message about one place of a file.
type Note struct {
	Line     int    // in the input, counted from 1
	Document int    // counted from 1; empty documents don't count
	Object   string // namespace/name of the FlameCluster; empty when it isn't known
	Field    string // path of the field, such as spec.sessionManager.slot; may be empty
	Message  string
}

// File migrates the content of one file, YAML or JSON, with any number of
// documents. Other kinds pass through untouched. When something can't be translated
// the migration is nil and the problems say where and why; no message repeats a
// text that may carry credentials.
func File(raw []byte) (*Migration, []Note) {
	m := &Migration{}
	var problems []Note
	var text bytes.Buffer
	number := 0
	for _, segment := range split(raw) {
		d, err := parse(segment)
		if err != nil {
			number++
			problems = append(problems, syntaxProblems(err, segment, number)...)
			continue
		}
		if !d.empty() {
			number++
		}
		d.number = number
		d.migrate()
		m.FlameClusters += d.flameClusters
		problems = append(problems, d.problems...)
		m.Changes = append(m.Changes, d.changes...)
		for _, secret := range d.secrets {
			if len(m.Secrets) > 0 {
				m.Secrets = append(m.Secrets, "---\n"...)
			}
			m.Secrets = append(m.Secrets, secret...)
		}
		text.Write(d.text)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	slices.SortStableFunc(m.Changes, func(a, b Note) int { return a.Line - b.Line })
	m.Text = text.Bytes()
	if len(m.Changes) == 0 {
		m.Text = raw
	}
	return m, nil
}

// parserLine is how the YAML parser says where: by a line of the document.
var parserLine = regexp.MustCompile(`^(?:yaml: )?line ([0-9]+): `)

// syntaxProblems splits what the parser says, which may be several lines.
func syntaxProblems(err error, s segment, number int) []Note {
	var notes []Note
	for text := range strings.SplitSeq(err.Error(), "\n") {
		text = strings.TrimPrefix(strings.TrimSpace(text), "error converting YAML to JSON: ")
		if text == "yaml: unmarshal errors:" {
			continue
		}
		note := Note{Line: s.line, Document: number, Message: "is no valid YAML: " + text}
		if match := parserLine.FindStringSubmatch(text); match != nil {
			line, _ := strconv.Atoi(match[1]) // the parser's own number
			note.Line = s.line + line - 1
			note.Message = "is no valid YAML: " + text[len(match[0]):]
		}
		notes = append(notes, note)
	}
	return notes
}
