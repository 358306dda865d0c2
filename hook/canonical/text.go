package canonical

import (
	"bytes"
	"encoding/json"
	"reflect"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// appendText appends a string as encoding/json writes it, with <, > and & as they are.
// What is no UTF-8 becomes U+FFFD.
func appendText(text []byte, s string) []byte {
	text = append(text, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			text = appendEscape(append(text, s[start:i]...), c)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			text = utf8.AppendRune(append(text, s[start:i]...), utf8.RuneError)
			start = i + size
		case r == '\u2028' || r == '\u2029':
			text = append(append(text, s[start:i]...), `\u202`...)
			text = append(text, hexDigits[r&0xf])
			start = i + size
		}
		i += size
	}
	return append(append(text, s[start:]...), '"')
}

func appendEscape(text []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(text, '\\', c)
	case '\b':
		return append(text, `\b`...)
	case '\f':
		return append(text, `\f`...)
	case '\n':
		return append(text, `\n`...)
	case '\r':
		return append(text, `\r`...)
	case '\t':
		return append(text, `\t`...)
	}
	return append(text, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}

// appendCanonical appends any JSON in canonical form: the numbers as they are written,
// the rest as appendValue writes it.
func appendCanonical(text, written []byte) ([]byte, error) {
	if isVerbatim(written) {
		return append(text, written...), nil
	}
	tree, err := treeOf(written)
	if err != nil {
		return nil, err
	}
	return appendValue(text, reflect.ValueOf(tree))
}

// appendSorted appends any JSON with sorted names, and otherwise as it is.
func appendSorted(text, written []byte) ([]byte, error) {
	tree, err := treeOf(written)
	if err != nil {
		return nil, err
	}
	var sorted bytes.Buffer
	encoder := json.NewEncoder(&sorted)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(tree); err != nil {
		return nil, err
	}
	return append(text, bytes.TrimSuffix(sorted.Bytes(), []byte("\n"))...), nil
}

func treeOf(written []byte) (tree any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(written))
	decoder.UseNumber()
	err = decoder.Decode(&tree)
	return tree, err
}

// isVerbatim says whether the JSON is a single value that is written in one way only.
func isVerbatim(written []byte) bool {
	for _, c := range written {
		if c == '{' || c == '[' || c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
