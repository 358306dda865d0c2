package jsonread

import "math/bits"

// text is checked without being kept. Its methods take where something begins, and
// return where it ends, or where it turned out to be no valid JSON.
type text string

// is says whether c is the next character.
func (t text) is(at int, c byte) bool { return at < len(t) && t[at] == c }

// space returns where white space ends.
func (t text) space(at int) int {
	for at < len(t) && t[at] <= ' ' && isSpace(t[at]) {
		at++
	}
	return at
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// value is given how many objects and lists are open around it.
func (t text) value(at, depth int) (end int, valid bool) {
	if at >= len(t) {
		return at, false
	}
	switch t[at] {
	case '"':
		return t.string(at)
	case '{':
		return t.object(at, depth)
	case '[':
		return t.list(at, depth)
	case 't':
		return t.literal(at, "true")
	case 'f':
		return t.literal(at, "false")
	case 'n':
		return t.literal(at, "null")
	}
	return t.number(at)
}

func (t text) object(at, depth int) (end int, valid bool) {
	if depth == maxDepth {
		return at, false
	}
	if at = t.space(at + 1); t.is(at, '}') {
		return at + 1, true
	}
	for {
		if at, valid = t.string(at); !valid {
			return at, false
		}
		if at = t.space(at); !t.is(at, ':') {
			return at, false
		}
		if at, valid = t.value(t.space(at+1), depth+1); !valid {
			return at, false
		}
		if at = t.space(at); !t.is(at, ',') {
			return at + 1, t.is(at, '}')
		}
		at = t.space(at + 1)
	}
}

func (t text) list(at, depth int) (end int, valid bool) {
	if depth == maxDepth {
		return at, false
	}
	if at = t.space(at + 1); t.is(at, ']') {
		return at + 1, true
	}
	for {
		if at, valid = t.value(at, depth+1); !valid {
			return at, false
		}
		if at = t.space(at); !t.is(at, ',') {
			return at + 1, t.is(at, ']')
		}
		at = t.space(at + 1)
	}
}

// string takes any bytes from 0x80 on, as encoding/json does.
func (t text) string(at int) (end int, valid bool) {
	if !t.is(at, '"') {
		return at, false
	}
	at++
	for {
		at = t.plain(at)
		switch {
		case t.is(at, '"'):
			return at + 1, true
		case !t.is(at, '\\'):
			return at, false
		case t.isShortEscape(at + 1):
			at += len(`\n`)
		case t.isCodeUnit(at + 1):
			at += len(`\u0000`)
		default:
			return at, false
		}
	}
}

// plain returns where the characters end that stand for themselves inside a string.
// It looks at eight of them at once, since most of a request is in strings.
func (t text) plain(at int) int {
	for ; at+8 <= len(t); at += 8 {
		if found := notPlain(t.eight(at)); found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
	}
	for at < len(t) && t[at] >= ' ' && t[at] != '"' && t[at] != '\\' {
		at++
	}
	return at
}

// eight returns eight characters, the first one in the lowest byte.
func (t text) eight(at int) uint64 {
	c := t[at : at+8]
	return uint64(c[0]) | uint64(c[1])<<8 | uint64(c[2])<<16 | uint64(c[3])<<24 |
		uint64(c[4])<<32 | uint64(c[5])<<40 | uint64(c[6])<<48 | uint64(c[7])<<56
}

// notPlain sets the highest bit of each byte that is a quote, a backslash or a control
// character. Bytes behind the first of them may be marked wrongly.
func notPlain(eight uint64) uint64 {
	const (
		ones    = 0x0101010101010101
		highest = 0x80 * ones
	)
	quote, backslash := eight^'"'*ones, eight^'\\'*ones
	return ((quote-ones)&^quote | (backslash-ones)&^backslash | (eight-' '*ones)&^eight) & highest
}

func (t text) isShortEscape(at int) bool {
	if at >= len(t) {
		return false
	}
	switch t[at] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	}
	return false
}

func (t text) isCodeUnit(at int) bool {
	const length = len("u0000")
	if len(t)-at < length || t[at] != 'u' {
		return false
	}
	for _, c := range []byte(t[at+1 : at+length]) {
		if !isHexDigit(c) {
			return false
		}
	}
	return true
}

func isHexDigit(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (t text) literal(at int, word text) (end int, valid bool) {
	if len(t)-at < len(word) || t[at:at+len(word)] != word {
		return at, false
	}
	return at + len(word), true
}

func (t text) number(at int) (end int, valid bool) {
	if t.is(at, '-') {
		at++
	}
	valid = true
	if t.is(at, '0') {
		at++
	} else {
		at, valid = t.digits(at)
	}
	if valid && t.is(at, '.') {
		at, valid = t.digits(at + 1)
	}
	if valid && (t.is(at, 'e') || t.is(at, 'E')) {
		if at++; t.is(at, '+') || t.is(at, '-') {
			at++
		}
		at, valid = t.digits(at)
	}
	return at, valid
}

// digits are one or more.
func (t text) digits(at int) (end int, valid bool) {
	begin := at
	for at < len(t) && isDigit(t[at]) {
		at++
	}
	return at, at > begin
}
