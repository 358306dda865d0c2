package migrate

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// segment is one document of a file, its separator line included.
type segment struct {
	text []byte
	line int // of the segment's first line in the file
}

// split cuts a file in front of every line that begins with ---, as kubectl does.
func split(raw []byte) []segment {
	var segments []segment
	start, startLine := 0, 1
	line := 1
	for at := 0; at < len(raw); line++ {
		if at > start && bytes.HasPrefix(raw[at:], []byte("---")) {
			segments = append(segments, segment{raw[start:at], startLine})
			start, startLine = at, line
		}
		end := bytes.IndexByte(raw[at:], '\n')
		if end < 0 {
			break
		}
		at += end + 1
	}
	return append(segments, segment{raw[start:], startLine})
}

// source finds the bytes behind the positions of YAML nodes.
type source struct {
	text  []byte
	lines []int // offset of each line
}

func newSource(text []byte) *source {
	s := &source{text: text, lines: []int{0}}
	for at := 0; at < len(text); {
		length := breakLength(text[at:])
		if length == 0 {
			at++
			continue
		}
		at += length
		s.lines = append(s.lines, at)
	}
	return s
}

// breakLength is the length of the line break that text begins with, or 0. The
// parser counts Unicode's line breaks as well.
func breakLength(text []byte) int {
	for _, lineBreak := range []string{"\r\n", "\n", "\r", "\u0085", "\u2028", "\u2029"} {
		if bytes.HasPrefix(text, []byte(lineBreak)) {
			return len(lineBreak)
		}
	}
	return 0
}

// span is a part of a text.
type span struct{ start, end int }

// line is a whole line of the text, counted from 1, without its break.
func (s *source) line(number int) span {
	start := s.lines[number-1]
	end := start
	for end < len(s.text) && breakLength(s.text[end:]) == 0 {
		end++
	}
	return span{start, end}
}

// nextLine is the offset of the line after the given one.
func (s *source) nextLine(number int) int {
	if number < len(s.lines) {
		return s.lines[number]
	}
	return len(s.text)
}

// lineBreak is what ends the lines of this text.
func (s *source) lineBreak() string {
	if len(s.lines) > 1 {
		end := s.line(1).end
		return string(s.text[end : end+breakLength(s.text[end:])])
	}
	return "\n"
}

func (s *source) offset(node *yaml.Node) (int, bool) {
	if node.Line < 1 || node.Line > len(s.lines) {
		return 0, false
	}
	at := s.lines[node.Line-1]
	for range node.Column - 1 {
		if at >= len(s.text) {
			return 0, false
		}
		_, size := utf8.DecodeRune(s.text[at:])
		at += size
	}
	return at, true
}

// errNotInPlace is about what a person may write in YAML and this package does not
// edit: values over several lines, tags and the like.
var errNotInPlace = errors.New("is written in a way that can't be edited in place: write it as a plain text on one line and try again")

// scalar finds a scalar that is written on one line.
func (s *source) scalar(node *yaml.Node) (span, error) {
	start, ok := s.offset(node)
	if !ok || node.Kind != yaml.ScalarNode || node.Anchor != "" {
		return span{}, errNotInPlace
	}
	rest := s.text[start:s.line(node.Line).end]
	length := 0
	switch node.Style {
	case 0:
		if bytes.HasPrefix(rest, []byte(node.Value)) {
			length = len(node.Value)
		}
	case yaml.DoubleQuotedStyle:
		length = quotedLength(string(rest), '"', '\\')
	case yaml.SingleQuotedStyle:
		length = quotedLength(string(rest), '\'', '\'')
	}
	if length == 0 {
		return span{}, errNotInPlace
	}
	return span{start, start + length}, nil
}

// quotedLength is the length of the quoted text that rest begins with, or 0 when it
// does not end there. In double quotes a backslash escapes; in single quotes a quote
// does, and only another quote.
func quotedLength(rest string, quote, escape byte) int {
	if rest == "" || rest[0] != quote {
		return 0
	}
	for i := 1; i < len(rest); i++ {
		switch {
		case escape != quote && rest[i] == escape:
			i++
		case rest[i] == quote && escape == quote && strings.HasPrefix(rest[i+1:], string(quote)):
			i++
		case rest[i] == quote:
			return i + 1
		}
	}
	return 0
}

// edit replaces a part of the text.
type edit struct {
	span
	text string
}

// apply returns the text with all edits done; they must not overlap.
func (s *source) apply(edits []edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	var out []byte
	done := 0
	for _, e := range edits {
		if e.start < done || e.end < e.start {
			return nil, errNotInPlace
		}
		out = append(out, s.text[done:e.start]...)
		out = append(out, e.text...)
		done = e.end
	}
	return append(out, s.text[done:]...), nil
}
