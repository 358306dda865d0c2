package migrate

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// block is a mapping inside a FlameCluster.
type block struct {
	key    *yaml.Node // in front of the mapping, or of the nearest one that is written out
	node   *yaml.Node // nil when the mapping isn't written out here
	tree   map[string]any
	path   *field.Path
	shared bool // an anchor is in the way
}

// child is the mapping behind a key; false when there is none.
func (d *document) child(parent block, name string) (block, bool) {
	object, ok := parent.tree[name].(map[string]any)
	if !ok {
		return block{}, false
	}
	key, value := entry(parent.node, name)
	b := block{key: key, node: value, tree: object, path: parent.path.Child(name)}
	if key == nil {
		b.key = parent.key
	}
	b.shared = parent.shared || value == nil || value.Kind != yaml.MappingNode || d.shared[value]
	return b, true
}

// place is a field with a plain value.
type place struct {
	block      // that the field is in
	name       string
	fieldKey   *yaml.Node
	fieldValue *yaml.Node
}

func (d *document) place(b block, name string) place {
	key, value := entry(b.node, name)
	return place{block: b, name: name, fieldKey: key, fieldValue: value}
}

// line of the field in the document, as near as it is known.
func (p place) line() int {
	switch {
	case p.fieldKey != nil:
		return p.fieldKey.Line
	case p.key != nil:
		return p.key.Line
	}
	return 1
}

func (p place) inFlow() bool { return p.node.Style&yaml.FlowStyle != 0 }

// spans are the bytes of the field's key and value.
func (d *document) spans(p place) (key, value span, err error) {
	if p.shared || p.fieldKey == nil || p.fieldValue.Kind == yaml.AliasNode || d.shared[p.fieldValue] {
		return span{}, span{}, errShared
	}
	if key, err = d.source.scalar(p.fieldKey); err != nil {
		return span{}, span{}, err
	}
	value, err = d.source.scalar(p.fieldValue)
	return key, value, err
}

// tail is what follows the value on its line: nothing or a comment. False when
// something else does, or the key is on another line.
func (d *document) tail(p place, value span) (string, bool) {
	end := d.source.line(p.fieldValue.Line).end
	text := strings.TrimRight(string(d.source.text[value.end:end]), " \t")
	comment := strings.TrimLeft(text, " \t")
	return text, p.fieldKey.Line == p.fieldValue.Line && (comment == "" || comment[0] == '#')
}

// indentation of a line: the blanks in front of offset, when there is nothing else.
func (d *document) indentation(line, offset int) (string, bool) {
	blanks := d.source.text[d.source.line(line).start:offset]
	return string(blanks), len(bytes.Trim(blanks, " ")) == 0
}

// comments are the whole-line comments directly above a line, with its indentation;
// first is the line at which they begin.
func (d *document) comments(line int, indentation string) (first int, texts []string) {
	first = line
	for first > 1 {
		above := d.source.line(first - 1)
		text, ok := strings.CutPrefix(string(d.source.text[above.start:above.end]), indentation)
		if !ok || !strings.HasPrefix(text, "#") {
			break
		}
		texts = append([]string{text}, texts...)
		first--
	}
	return first, texts
}

// replace writes members where a plain value stands, and gives the field the new name.
func (d *document) replace(p place, name string, members []member) error {
	key, value, err := d.spans(p)
	if err != nil {
		return err
	}
	tail, alone := d.tail(p, value)
	indentation, first := d.indentation(p.fieldKey.Line, key.start)
	if !p.inFlow() && alone && first {
		step := max(p.fieldKey.Column-p.key.Column, 1)
		lines, err := blockLines(members, step)
		if err != nil {
			return err
		}
		lineBreak := d.source.lineBreak()
		text := name + ":" + tail
		for _, line := range lines {
			text += lineBreak + indentation + strings.Repeat(" ", step) + line
		}
		d.edits = append(d.edits, edit{span{key.start, d.source.line(p.fieldKey.Line).end}, text})
	} else {
		quoting := p.fieldKey.Style & yaml.DoubleQuotedStyle
		text, err := flow(members, quoting)
		if err != nil {
			return err
		}
		d.edits = append(d.edits, edit{value, text})
		if name != p.name {
			d.edits = append(d.edits, edit{key, quoted(name, quoting)})
		}
	}
	delete(p.tree, p.name)
	p.tree[name] = plain(members)
	return nil
}

func quoted(name string, quoting yaml.Style) string {
	if quoting == yaml.DoubleQuotedStyle {
		return `"` + name + `"`
	}
	return name
}

// removed is what was taken out: the text of the value and the comments that
// belonged to it.
type removed struct {
	value    string
	comments []string // above it
	tail     string   // behind it, with the blanks in between
}

// remove takes a field out, with its comments. Its block stays, as {} if need be.
func (d *document) remove(p place) (removed, error) {
	key, value, err := d.spans(p)
	if err != nil {
		return removed{}, err
	}
	r := removed{value: string(d.source.text[value.start:value.end])}
	if p.inFlow() {
		d.removeFromFlow(key, value)
	} else {
		err = d.removeLine(p, key, value, &r)
	}
	delete(p.tree, p.name)
	return r, err
}

func (d *document) removeLine(p place, key, value span, r *removed) error {
	tail, alone := d.tail(p, value)
	indentation, first := d.indentation(p.fieldKey.Line, key.start)
	if !alone || !first {
		return errNotInPlace
	}
	var line int
	line, r.comments = d.comments(p.fieldKey.Line, indentation)
	r.tail = tail
	d.edits = append(d.edits, edit{span{d.source.line(line).start, d.source.nextLine(p.fieldKey.Line)}, ""})
	if len(p.node.Content) > 2 {
		return nil
	}
	blockKey, err := d.source.scalar(p.key)
	if err != nil {
		return err
	}
	colon := bytes.IndexByte(d.source.text[blockKey.end:d.source.line(p.key.Line).end], ':')
	if colon < 0 {
		return errNotInPlace
	}
	end := blockKey.end + colon + 1
	d.edits = append(d.edits, edit{span{end, end}, " {}"})
	return nil
}

// removeFromFlow takes one comma along: the one behind, or else the one in front.
func (d *document) removeFromFlow(key, value span) {
	const blanks = " \t\r\n"
	text := d.source.text
	if next, more := bytes.CutPrefix(bytes.TrimLeft(text[value.end:], blanks), []byte(",")); more {
		if next = bytes.TrimLeft(next, blanks); !bytes.HasPrefix(next, []byte("}")) {
			d.edits = append(d.edits, edit{span{key.start, len(text) - len(next)}, ""})
			return
		}
	}
	start := key.start
	before := bytes.TrimRight(text[:key.start], blanks)
	if bytes.HasSuffix(before, []byte(",")) {
		start = len(before) - 1
	}
	end := value.end
	if after := bytes.TrimLeft(text[value.end:], blanks); bytes.HasSuffix(before, []byte("{")) && bytes.HasPrefix(after, []byte("}")) {
		start, end = len(before), len(text)-len(after)
	}
	d.edits = append(d.edits, edit{span{start, end}, ""})
}
