package migrate

import (
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// cluster is one FlameCluster of a document.
type cluster struct {
	*document
	node         *yaml.Node
	tree         map[string]any
	namespace    string
	ownNamespace bool // the namespace is written in the manifest
	name         string
}

func (c *cluster) migrate() {
	spec, ok := c.child(block{node: c.node, tree: c.tree, shared: c.shared[c.node]}, "spec")
	if !ok {
		return
	}
	spec.path = field.NewPath("spec")
	if manager, ok := c.child(spec, "sessionManager"); ok {
		c.slot(c.place(manager, "slot"))
		c.storage(c.place(manager, "storage"))
	}
	if manager, ok := c.child(spec, "executorManager"); ok {
		c.replicas(spec, c.place(manager, "replicas"))
	}
	if cache, ok := c.child(spec, "objectCache"); ok {
		c.cacheStorage(c.place(cache, "storage"))
	}
}

func (c *cluster) slot(p place) {
	text, ok := c.oldText(p, "an object such as {cpu: \"1\", memory: 1Gi}")
	if !ok {
		return
	}
	slot, err := v1alpha1.TranslateLegacySlot(text, p.fieldPath())
	if err != nil {
		c.refuse(p, err)
		return
	}
	c.write(p, p.name, inOrder(slot, "cpu", "memory", "gpu"), "")
}

func (c *cluster) storage(p place) {
	text, ok := c.oldText(p, "an object such as {type: filesystem}")
	if !ok {
		return
	}
	if storageType, ok := v1alpha1.LegacyConnection(text); ok {
		c.connection(p, storageType, strings.TrimSpace(text))
		return
	}
	storage, note, err := v1alpha1.TranslateLegacyStorage(text, p.fieldPath())
	if err != nil {
		c.refuse(p, err)
		return
	}
	c.write(p, p.name, inOrder(storage, "type", "path"), note)
}

// connection moves a connection string into a Secret.
func (c *cluster) connection(p place, storageType v1alpha1.StorageType, text string) {
	if c.name == "" {
		c.refuse(p, field.Invalid(p.fieldPath(), field.OmitValueType{},
			"is a connection string that belongs into a Secret, which is named after the FlameCluster: give it metadata.name"))
		return
	}
	secret := c.name + "-storage"
	const key = "url"
	manifest, err := secretManifest(c, secret, key, text)
	if err != nil {
		c.refuse(p, field.InternalError(p.fieldPath(), err))
		return
	}
	c.secrets = append(c.secrets, manifest)
	note := fmt.Sprintf(": the connection string moves into the Secret %s (no known version of Flame can use it: see flame-hook validate)", secret)
	for number := range c.source.lines {
		line := c.source.line(number + 1)
		if number+1 != p.line() && strings.Contains(string(c.source.text[line.start:line.end]), text) {
			note += fmt.Sprintf("; it also stands in line %d: remove it there by hand", c.first+number)
		}
	}
	c.write(p, p.name, []member{
		{"type", string(storageType)},
		{"secretRef", []member{{"name", secret}, {"key", key}}},
	}, note)
}

func (c *cluster) cacheStorage(p place) {
	text, ok := c.oldText(p, "a path; it is deprecated: use volumeSource")
	if !ok {
		return
	}
	if p.tree["volumeSource"] != nil {
		if text != "" {
			c.refuse(p, field.Forbidden(p.fieldPath(), "volumeSource is given too: remove one of them"))
			return
		}
		if _, err := c.remove(p); err != nil {
			c.refuse(p, field.Invalid(p.fieldPath(), field.OmitValueType{}, err.Error()))
			return
		}
		c.changed(p, "removed: it is empty, and volumeSource is given")
		return
	}
	c.write(p, "volumeSource", []member{{"emptyDir", []member{}}}, "")
}

// replicas moves the field to the spec, where its value replaces another: it is the
// one that counts.
func (c *cluster) replicas(spec block, p place) {
	value := p.tree[p.name]
	if value == nil {
		return
	}
	if _, ok := value.(json.Number); !ok {
		c.refuse(p, field.Invalid(p.fieldPath(), field.OmitValueType{}, "must be a whole number, without quotes"))
		return
	}
	r, err := c.remove(p)
	if err == nil {
		err = c.addReplicas(spec, p, r)
	}
	if err != nil {
		c.refuse(p, field.Invalid(p.fieldPath(), field.OmitValueType{}, err.Error()))
		return
	}
	message := "moved to spec.replicas"
	if old := spec.tree[p.name]; old != nil && old != value {
		message += fmt.Sprintf(", where %v stood without effect", old)
	}
	spec.tree[p.name] = value
	c.changed(p, message)
}

func (c *cluster) addReplicas(spec block, p place, r removed) error {
	if _, found := spec.tree[p.name]; found {
		return c.replaceReplicas(c.place(spec, p.name), r)
	}
	// executorManager is where the new line goes: in front of it and its comments.
	key, err := c.source.scalar(p.key)
	if err != nil {
		return err
	}
	indentation, first := c.indentation(p.key.Line, key.start)
	lineBreak := c.source.lineBreak()
	if spec.node.Style&yaml.FlowStyle != 0 {
		text := quoted(p.name, p.key.Style&yaml.DoubleQuotedStyle) + ": " + r.value + ","
		if first {
			text += lineBreak + indentation
		} else {
			text += " "
		}
		c.edits = append(c.edits, edit{span{key.start, key.start}, text})
		return nil
	}
	if !first {
		return errNotInPlace
	}
	var text strings.Builder
	for _, comment := range r.comments {
		text.WriteString(indentation + comment + lineBreak)
	}
	text.WriteString(indentation + p.name + ": " + r.value + r.tail + lineBreak)
	line, _ := c.comments(p.key.Line, indentation)
	at := c.source.line(line).start
	c.edits = append(c.edits, edit{span{at, at}, text.String()})
	return nil
}

func (c *cluster) replaceReplicas(target place, r removed) error {
	key, value, err := c.spans(target)
	if err != nil {
		return err
	}
	c.edits = append(c.edits, edit{value, r.value})
	indentation, first := c.indentation(target.fieldKey.Line, key.start)
	if target.inFlow() || !first {
		return nil
	}
	comments := r.comments
	if tail := strings.TrimLeft(r.tail, " \t"); tail != "" {
		comments = append(comments, tail)
	}
	var text strings.Builder
	for _, comment := range comments {
		text.WriteString(indentation + comment + c.source.lineBreak())
	}
	at := c.source.line(target.fieldKey.Line).start
	c.edits = append(c.edits, edit{span{at, at}, text.String()})
	return nil
}

// oldText is the field's value when it still has the old form. wanted describes the
// new one, for values that are neither.
func (c *cluster) oldText(p place, wanted string) (string, bool) {
	switch value := p.tree[p.name].(type) {
	case string:
		return value, true
	case nil, map[string]any:
		return "", false
	default:
		c.refuse(p, field.TypeInvalid(p.fieldPath(), field.OmitValueType{}, "must be "+wanted))
		return "", false
	}
}

func (c *cluster) write(p place, name string, members []member, note string) {
	if err := c.replace(p, name, members); err != nil {
		c.refuse(p, field.Invalid(p.fieldPath(), field.OmitValueType{}, err.Error()))
		return
	}
	text, err := flow(members, 0)
	if err != nil {
		c.refuse(p, field.InternalError(p.fieldPath(), err))
		return
	}
	if name != p.name {
		text = name + ": " + text
	}
	c.changed(p, "is now "+text+note)
}

func (c *cluster) changed(p place, message string) {
	c.changes = append(c.changes, c.note(p, p.fieldPath().String(), message))
}

func (c *cluster) refuse(p place, err *field.Error) {
	c.problems = append(c.problems, c.note(p, err.Field, strings.TrimPrefix(err.ErrorBody(), "Invalid value: ")))
}

func (c *cluster) note(p place, path, message string) Note {
	return Note{
		Line: c.first + p.line() - 1, Document: c.number, Object: c.namespace + "/" + c.name,
		Field: path, Message: message,
	}
}

func (p place) fieldPath() *field.Path { return p.path.Child(p.name) }
