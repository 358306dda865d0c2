package migrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"

	"go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// document is one document of a file. It is held twice: as nodes, which have
// positions, and as the plain values that kubectl would send.
type document struct {
	text   []byte
	source *source
	first  int // line of the document in the file
	number int // of the document in the file
	root   *yaml.Node
	tree   any
	shared map[*yaml.Node]bool // nodes that an alias points to

	flameClusters int
	edits         []edit
	secrets       [][]byte
	changes       []Note
	problems      []Note
}

func parse(s segment) (*document, error) {
	d := &document{text: s.text, first: s.line, source: newSource(s.text), shared: map[*yaml.Node]bool{}}
	if withoutContent(s.text) {
		return d, nil
	}
	tree, err := decode(s.text)
	if err != nil {
		return nil, err
	}
	var root yaml.Node
	if err := yaml.Unmarshal(s.text, &root); err != nil {
		return nil, err
	}
	d.tree = tree
	if root.Kind == yaml.DocumentNode && len(root.Content) == 1 {
		d.root = root.Content[0]
		d.findShared(d.root)
	}
	return d, nil
}

// withoutContent says that there are only comments and directives.
func withoutContent(text []byte) bool {
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("---"))) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && line[0] != '%' {
			return false
		}
	}
	return true
}

// decode reads a document as kubectl does, and refuses keys that are given twice.
func decode(text []byte) (any, error) {
	raw, err := kyaml.YAMLToJSONStrict(text)
	if err != nil {
		return nil, err
	}
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	err = decoder.Decode(&tree)
	return tree, err
}

func (d *document) empty() bool { return d.tree == nil }

func (d *document) findShared(node *yaml.Node) {
	if node.Kind == yaml.AliasNode {
		d.shared[node.Alias] = true
	}
	for _, child := range node.Content {
		d.findShared(child)
	}
}

// migrate rewrites the FlameClusters of the document, those inside a List included.
func (d *document) migrate() {
	d.object(d.root, d.tree)
	if len(d.edits) == 0 || len(d.problems) > 0 {
		return
	}
	text, err := d.source.apply(d.edits)
	if err == nil {
		err = d.verify(text)
	}
	if err != nil {
		for _, change := range d.changes {
			change.Message = err.Error()
			d.problems = append(d.problems, change)
		}
		return
	}
	d.text = text
}

// verify makes sure that the new text says what it is meant to say, and nothing else
// has changed: d.tree was changed along with the edits.
func (d *document) verify(text []byte) error {
	tree, err := decode(text)
	if err != nil || !reflect.DeepEqual(tree, d.tree) {
		return errNotInPlace
	}
	return nil
}

func (d *document) object(node *yaml.Node, value any) {
	tree, isObject := value.(map[string]any)
	if !isObject || node == nil {
		return
	}
	if items, isList := tree["items"].([]any); isList {
		_, list := entry(node, "items")
		if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) != len(items) {
			return
		}
		for i, item := range items {
			d.object(list.Content[i], item)
		}
		return
	}
	if tree["apiVersion"] != v1alpha1.GroupVersion.String() || tree["kind"] != v1alpha1.Kind {
		return
	}
	d.flameClusters++
	c := &cluster{document: d, node: node, tree: tree, namespace: "default"}
	metadata, _ := tree["metadata"].(map[string]any)
	c.name, _ = metadata["name"].(string)
	if namespace, ok := metadata["namespace"].(string); ok && namespace != "" {
		c.namespace, c.ownNamespace = namespace, true
	}
	c.migrate()
}

// errShared is about anchors: an edit would change every place that the alias is at.
var errShared = errors.New("comes from a YAML anchor, which is used in several places: write it out here and try again")

// entry finds a key and its value in a mapping; nil when the key isn't written there.
func entry(mapping *yaml.Node, name string) (key, value *yaml.Node) {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if key := mapping.Content[i]; key.Kind == yaml.ScalarNode && key.Value == name {
			return key, mapping.Content[i+1]
		}
	}
	return nil, nil
}
