package flameconf

import (
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// marshalYAML returns a tree as sigs.k8s.io/yaml writes it, byte for byte. That one
// writes JSON, reads it as YAML and writes it again, which would take longer than
// everything else in an answer. Nearly always every value is plain, which is to say
// that it needs no quotes, and then the tree is written directly.
func marshalYAML(tree map[string]any) ([]byte, error) {
	const usualSize = 1 << 10
	if text, plain := appendPlainMap(make([]byte, 0, usualSize), tree, ""); plain {
		return text, nil
	}
	return yaml.Marshal(tree)
}

// usualMapSize is the number of keys up to which sorting them takes no memory.
const usualMapSize = 16

// appendPlainMap appends a map whose first line is already indented.
func appendPlainMap(text []byte, tree map[string]any, indent string) (_ []byte, plain bool) {
	names := make([]string, 0, usualMapSize)
	for name := range tree {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		if !isPlainName(name) {
			return nil, false
		}
		if i > 0 {
			text = append(text, indent...)
		}
		text = append(append(text, name...), ':')
		switch value := tree[name].(type) {
		case map[string]any:
			inner := indent + "  "
			text, plain = appendPlainMap(append(append(text, '\n'), inner...), value, inner)
		case []any:
			text, plain = appendPlainList(append(text, '\n'), value, indent)
		default:
			text, plain = appendPlainScalar(append(text, ' '), value)
		}
		if !plain {
			return nil, false
		}
	}
	return text, len(tree) > 0
}

func appendPlainList(text []byte, list []any, indent string) (_ []byte, plain bool) {
	for _, element := range list {
		text = append(append(text, indent...), "- "...)
		switch element := element.(type) {
		case map[string]any:
			text, plain = appendPlainMap(text, element, indent+"  ")
		default:
			text, plain = appendPlainScalar(text, element)
		}
		if !plain {
			return nil, false
		}
	}
	return text, len(list) > 0
}

func appendPlainScalar(text []byte, value any) (_ []byte, plain bool) {
	switch value := value.(type) {
	case string:
		if !isPlainText(value) {
			return nil, false
		}
		text = append(text, value...)
	case int64:
		text = strconv.AppendInt(text, value, 10)
	case bool:
		text = strconv.AppendBool(text, value)
	default:
		return nil, false
	}
	return append(text, '\n'), true
}

// isPlainName says whether a key is one of Flame's kind: those sort alike everywhere.
func isPlainName(name string) bool {
	for _, c := range []byte(name) {
		if (c < 'a' || c > 'z') && c != '_' && c != '-' {
			return false
		}
	}
	return isPlainText(name)
}

// notTexts are words that YAML 1.1 reads as something else, in any mix of cases.
var notTexts = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// isPlainText says whether a text certainly needs no quotes.
func isPlainText(text string) bool {
	const longest = 120
	if text == "" || len(text) > longest {
		return false
	}
	first, last := text[0], text[len(text)-1]
	// No number ends with i, but a quantity such as 1Gi does.
	if !isLetter(first) && first != '/' && first != '^' && (!isDigit(first) || last != 'i') || last == ':' {
		return false
	}
	for _, c := range []byte(text) {
		if !isLetter(c) && !isDigit(c) && strings.IndexByte("_-./:=,^$()|+", c) < 0 {
			return false
		}
	}
	return !slices.ContainsFunc(notTexts, func(word string) bool { return strings.EqualFold(word, text) })
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
