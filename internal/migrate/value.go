package migrate

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// member is a key with its value: a text or more members. A slice of them keeps the
// order in which a person would write them.
type member struct {
	key   string
	value any // string or []member
}

// inOrder lists the members of a translated value in that order.
func inOrder(value map[string]any, keys ...string) []member {
	var members []member
	for _, key := range keys {
		if text, ok := value[key].(string); ok {
			members = append(members, member{key, text})
		}
	}
	return members
}

// plain is the value as kubectl would read it.
func plain(members []member) map[string]any {
	object := map[string]any{}
	for _, m := range members {
		if inner, ok := m.value.([]member); ok {
			object[m.key] = plain(inner)
			continue
		}
		object[m.key] = m.value
	}
	return object
}

// quoting is the style of keys and values: 0 quotes what needs it, and
// yaml.DoubleQuotedStyle everything, as JSON does.
func mapping(members []member, style, quoting yaml.Style) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode, Style: style}
	for _, m := range members {
		node.Content = append(node.Content, textNode(m.key, quoting))
		if inner, ok := m.value.([]member); ok {
			node.Content = append(node.Content, mapping(inner, style, quoting))
			continue
		}
		text, _ := m.value.(string)
		node.Content = append(node.Content, textNode(text, quoting))
	}
	return node
}

func textNode(text string, quoting yaml.Style) *yaml.Node {
	node := &yaml.Node{}
	node.SetString(text)
	if node.Style = quoting; strings.ContainsAny(text, "\r\n") {
		node.Style = yaml.DoubleQuotedStyle
	}
	return node
}

func encode(node *yaml.Node, indent int) (string, error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(indent)
	if err := encoder.Encode(node); err != nil {
		return "", err
	}
	return strings.TrimSuffix(out.String(), "\n"), encoder.Close()
}

// flow writes members on one line: {cpu: "1", memory: 1Gi}.
func flow(members []member, quoting yaml.Style) (string, error) {
	if len(members) == 0 {
		return "{}", nil
	}
	return encode(mapping(members, yaml.FlowStyle, quoting), 2)
}

// blockLines writes members on lines of their own. An empty value is {}.
func blockLines(members []member, indent int) ([]string, error) {
	text, err := encode(mapping(members, 0, 0), max(indent, 2))
	return strings.Split(text, "\n"), err
}
