package jsonread

// plain are the characters that stand for themselves inside a string. Those from
// 0x80 on do, whatever they encode: encoding/json takes any bytes there.
var plain = func() (table [256]bool) {
	for c := 0x20; c < len(table); c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()

// Skip reads any value. Skipped text is checked all the same: a request that is cut
// off has to be noticed.
func (r *Reader) Skip() {
	r.space()
	if r.err != nil {
		return
	}
	switch c := r.peek(); c {
	case '{':
		r.skipObject()
	case '[':
		if r.open('[', "list") {
			for first := true; r.next(']', first); first = false {
				r.Skip()
			}
		}
	case '"':
		r.skipString()
	case 't':
		r.literal("true")
	case 'f':
		r.literal("false")
	case 'n':
		r.literal("null")
	default:
		r.skipNumber()
	}
}

func (r *Reader) skipObject() {
	if !r.open('{', "object") {
		return
	}
	for first := true; r.next('}', first); first = false {
		r.skipString()
		if r.space(); r.peek() != ':' {
			r.fail("no colon after a name")
			return
		}
		r.at++
		r.Skip()
	}
}

// skipString reads a string and says whether every character of it stands for itself
// and is ASCII.
func (r *Reader) skipString() (verbatim bool) {
	if r.peek() != '"' {
		r.fail("no string")
		return false
	}
	text, at := r.text, r.at+1
	var all byte
	verbatim = true
	for {
		for at < len(text) && plain[text[at]] {
			all |= text[at]
			at++
		}
		r.at = at
		switch r.peek() {
		case '"':
			r.at++
			return verbatim && all < 0x80
		case '\\':
			verbatim = false
			length := escapeLength(text[at:])
			if length == 0 {
				r.fail("no such escape")
				return false
			}
			at += length
		default:
			r.fail("a control character in a string, or no end of it")
			return false
		}
	}
}

// escapeLength is the length of the escape that text begins with, 0 if it is none.
func escapeLength(text string) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		const length = len(`\u0000`)
		if len(text) < length {
			return 0
		}
		for _, c := range []byte(text[2:length]) {
			if !isHexDigit(c) {
				return 0
			}
		}
		return length
	}
	return 0
}

func isHexDigit(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (r *Reader) literal(word string) {
	if len(r.text)-r.at < len(word) || r.text[r.at:r.at+len(word)] != word {
		r.fail("no value")
		return
	}
	r.at += len(word)
}

func (r *Reader) skipNumber() {
	if r.peek() == '-' {
		r.at++
	}
	if r.peek() == '0' {
		r.at++
	} else {
		r.digits()
	}
	if r.peek() == '.' {
		r.at++
		r.digits()
	}
	if c := r.peek(); c == 'e' || c == 'E' {
		r.at++
		if c := r.peek(); c == '+' || c == '-' {
			r.at++
		}
		r.digits()
	}
}

// digits reads one digit or more.
func (r *Reader) digits() {
	if !isDigit(r.peek()) {
		r.fail("no value")
		return
	}
	for isDigit(r.peek()) {
		r.at++
	}
}
