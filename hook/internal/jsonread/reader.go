// Package jsonread reads JSON once, front to back, and keeps only what is asked for.
// Most of a hook request is never looked at (managedFields, specs of pods), and
// encoding/json reads nested parts once more at every level.
//
// What is valid JSON, and what a value means, is as for encoding/json, with the
// difference that all Kubernetes decoders make: names are case-sensitive.
package jsonread

import (
	"fmt"
	"iter"
)

// maxDepth is how deeply values may be nested, as in encoding/json.
const maxDepth = 10000

// Reader stands in front of a value, or, after the last one, at the end. It reads
// values in their order. After the first error it reads nothing any more, so that
// the error has to be looked at only once, with Err or End.
type Reader struct {
	text  text
	at    int
	depth int
	err   error
}

// New returns a Reader in front of the only value in the JSON. Strings that it reads are
// parts of it wherever they can be.
func New(json string) *Reader { return &Reader{text: text(json)} }

// Err returns the first error: text that is no JSON, or a value of another type than
// was asked for.
func (r *Reader) Err() error { return r.err }

// End returns the first error, or an error if anything is left to read.
func (r *Reader) End() error {
	r.space()
	if r.err == nil && r.at < len(r.text) {
		r.fail("text after the value")
	}
	return r.err
}

// Members reads an object and stops in front of each member's value. A value that
// the loop does not read is skipped. Null counts as an object without members. The
// names are parts of the text wherever they can be.
func (r *Reader) Members() iter.Seq[string] {
	return func(yield func(string) bool) { r.members(yield) }
}

func (r *Reader) members(yield func(string) bool) {
	if !r.open('{', "object") {
		return
	}
	for first := true; r.next('}', first); first = false {
		name := r.quoted()
		if r.space(); r.peek() != ':' {
			r.fail("no colon after a name")
			return
		}
		r.at++
		r.space()
		value := r.at
		if r.err != nil || !yield(name) {
			return
		}
		if r.at == value {
			r.Skip()
		}
	}
}

// Elements reads a list and stops in front of each element. An element that the loop
// does not read is skipped. Null counts as a list without elements.
func (r *Reader) Elements() iter.Seq[int] {
	return func(yield func(int) bool) { r.elements(yield) }
}

func (r *Reader) elements(yield func(int) bool) {
	if !r.open('[', "list") {
		return
	}
	for i := 0; r.next(']', i == 0); i++ {
		element := r.at
		if !yield(i) {
			return
		}
		if r.at == element {
			r.Skip()
		}
	}
}

// Kind is the kind of a value.
type Kind byte

// The kinds of values. Invalid is for the end of the text and for what is no value.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	List
	Object
)

// Kind returns the kind of the value that comes next, going by its first character.
func (r *Reader) Kind() Kind {
	if r.space(); r.err != nil {
		return Invalid
	}
	switch c := r.peek(); {
	case c == '{':
		return Object
	case c == '[':
		return List
	case c == '"':
		return String
	case c == '-' || isDigit(c):
		return Number
	case c == 't' || c == 'f':
		return Bool
	case c == 'n':
		return Null
	}
	return Invalid
}

// Null reads a null, if the value is one, and says whether it did.
func (r *Reader) Null() bool {
	if r.space(); r.err != nil || r.peek() != 'n' {
		return false
	}
	r.advance(r.text.literal(r.at, "null"))
	return r.err == nil
}

// Raw reads any value and returns its text.
func (r *Reader) Raw() string {
	r.space()
	start := r.at
	r.Skip()
	if r.err != nil {
		return ""
	}
	return string(r.text[start:r.at])
}

// Skip reads any value. Skipped text is checked all the same: a request that is cut
// off has to be noticed.
func (r *Reader) Skip() {
	r.space()
	if r.err == nil {
		r.advance(r.text.value(r.at, r.depth))
	}
}

// advance goes to the end of something, if it is valid.
func (r *Reader) advance(end int, valid bool) {
	r.at = end
	if !valid {
		r.fail("no valid JSON")
	}
}

// open goes behind the first character of an object or a list, unless it is null.
func (r *Reader) open(bracket byte, kind string) bool {
	if r.Null() || r.err != nil {
		return false
	}
	if r.peek() != bracket {
		r.mismatch(kind)
		return false
	}
	r.at++
	if r.depth++; r.depth > maxDepth {
		r.fail("nested too deeply")
		return false
	}
	return true
}

// next goes in front of the next member or element, or behind the last one.
func (r *Reader) next(bracket byte, first bool) bool {
	if r.err != nil {
		return false
	}
	r.space()
	switch c := r.peek(); {
	case c == bracket:
		r.at++
		r.depth--
		return false
	case first:
		return true
	case c == ',':
		r.at++
		r.space()
		return true
	}
	r.fail("no comma between values")
	return false
}

// peek returns the next character, 0 at the end: a character that no JSON has.
func (r *Reader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *Reader) space() { r.at = r.text.space(r.at) }

func (r *Reader) fail(message string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s at byte %d", message, r.at)
	}
}

// mismatch is an error about a value that may be fine as JSON.
func (r *Reader) mismatch(kind string) { r.fail("wrong type: no " + kind) }
