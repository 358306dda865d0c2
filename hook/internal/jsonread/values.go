package jsonread

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// String reads a string. Null leaves into as it is, as for all the following.
func (r *Reader) String(into *string) {
	if !r.Null() && r.is('"', "string") {
		*into = r.quoted()
	}
}

// Text is String for a type of its own.
func Text[T ~string](r *Reader, into *T) {
	if !r.Null() && r.is('"', "string") {
		*into = T(r.quoted())
	}
}

// Bool reads true or false.
func (r *Reader) Bool(into *bool) {
	if r.Null() || r.err != nil {
		return
	}
	switch r.peek() {
	case 't':
		r.advance(r.text.literal(r.at, "true"))
		*into = true
	case 'f':
		r.advance(r.text.literal(r.at, "false"))
		*into = false
	default:
		r.mismatch("boolean")
	}
}

// Int64 reads a whole number, written without fraction and exponent.
func (r *Reader) Int64(into *int64) { *into = r.integer(*into, 64) }

// Int32 reads a whole number, written without fraction and exponent.
func (r *Reader) Int32(into *int32) { *into = int32(r.integer(int64(*into), 32)) } //nolint:gosec // integer has checked the range

func (r *Reader) integer(otherwise int64, bits int) int64 {
	if r.Null() || r.err != nil {
		return otherwise
	}
	if c := r.peek(); c != '-' && !isDigit(c) {
		r.mismatch("number")
		return otherwise
	}
	start := r.at
	r.advance(r.text.number(r.at))
	if r.err != nil {
		return otherwise
	}
	n, err := strconv.ParseInt(string(r.text[start:r.at]), 10, bits)
	if err != nil {
		r.mismatch("whole number in range")
		return otherwise
	}
	return n
}

// Time reads a time as the API server writes it.
func (r *Reader) Time(into *metav1.Time) {
	if r.Null() {
		*into = metav1.Time{}
		return
	}
	if !r.is('"', "string") {
		return
	}
	parsed, err := time.Parse(time.RFC3339, r.quoted())
	if err != nil {
		r.mismatch("time")
		return
	}
	*into = metav1.NewTime(parsed.Local())
}

// Strings reads an object whose values are strings, and adds to into. It makes the map
// when it is needed.
func (r *Reader) Strings(into *map[string]string) {
	r.StringsOf(into, func(string) bool { return true }, nil)
}

// StringsOf is Strings for some of the names. Other values have to be strings too: rest,
// unless it is nil, gets their text, in quotes and escaped.
func (r *Reader) StringsOf(into *map[string]string, keep func(name string) bool, rest func(name, text string)) {
	if r.Null() {
		*into = nil
		return
	}
	if r.err == nil && *into == nil {
		*into = map[string]string{}
	}
	for name := range r.Members() {
		if !keep(name) {
			if r.Null() || !r.is('"', "string") {
				continue
			}
			if text := r.Raw(); rest != nil && r.err == nil {
				rest(name, text)
			}
			continue
		}
		var value string
		r.String(&value)
		(*into)[name] = value
	}
}

// is says whether the value begins with c, and fails otherwise.
func (r *Reader) is(c byte, kind string) bool {
	if r.err == nil && r.peek() != c {
		r.mismatch(kind)
	}
	return r.err == nil
}

// quoted reads a string.
func (r *Reader) quoted() string {
	start := r.at
	if r.advance(r.text.string(start)); r.err != nil {
		return ""
	}
	inside := string(r.text[start+1 : r.at-1])
	if strings.IndexByte(inside, '\\') < 0 && utf8.ValidString(inside) {
		return inside
	}
	return unescaped(inside)
}

// unescaped is what the inside of a valid string stands for. Bytes that are no UTF-8
// and halves of surrogate pairs become U+FFFD, as in encoding/json.
func unescaped(text string) string {
	into := make([]byte, 0, len(text))
	for len(text) > 0 {
		if text[0] != '\\' {
			r, size := utf8.DecodeRuneInString(text)
			into = utf8.AppendRune(into, r)
			text = text[size:]
			continue
		}
		if text[1] != 'u' {
			into = append(into, escaped(text[1]))
			text = text[2:]
			continue
		}
		r := codeUnit(text)
		text = text[len(`\u0000`):]
		if utf16.IsSurrogate(r) {
			pair := utf16.DecodeRune(r, codeUnit(text))
			if pair != utf8.RuneError {
				text = text[len(`\u0000`):]
			}
			r = pair
		}
		into = utf8.AppendRune(into, r)
	}
	return string(into)
}

// escaped is what a character stands for behind a backslash.
func escaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// codeUnit is the number in the \u escape that text begins with, -1 if it is none.
func codeUnit(text string) rune {
	if !strings.HasPrefix(text, `\u`) {
		return -1
	}
	n, err := strconv.ParseUint(text[2:len(`\u0000`)], 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}
