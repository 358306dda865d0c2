package main

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

const (
	// maxDescription is the length, in characters, to which the description of an
	// embedded field is cut where its first sentence is longer.
	maxDescription = 120
	// maxQuantity is the length of the longest quantity that is accepted; every
	// number that a quantity can hold is written in fewer characters.
	maxQuantity = 32
	// maxResources is the number of resources in a list of requests or limits.
	maxResources = 16
	// maxName is the length of the longest object name in Kubernetes.
	maxName = 253
)

// quantity is the form of a quantity. Kubernetes' own pattern has no bound on the
// exponent, and comparing 1e999999999 with anything takes for ever.
const quantity = `^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?$`

// embedded names the fields of our own types at which a Kubernetes type begins.
// The field itself keeps its description, what is below it does not.
var embedded = map[string]bool{
	"clients":          true,
	"conditions":       true,
	"env":              true,
	"imagePullSecrets": true,
	"resources":        true,
	"secretRef":        true,
	"volumeSource":     true,
}

// unlikely names the largest of the volumes that hold files to read. None of our
// volumes is one, so what is below them goes without a manual, for the CRD's size.
var unlikely = map[string]bool{
	"downwardAPI": true,
	"projected":   true,
}

// finishRoot walks the schema of a whole object.
func finishRoot(root *apiextensionsv1.JSONSchemaProps) {
	for name, property := range root.Properties {
		switch name {
		case "spec", "status":
			finishOwn(&property)
		default:
			property.Description = firstSentence(property.Description)
		}
		root.Properties[name] = property
	}
}

// finishOwn walks the schema of a type of this API.
func finishOwn(schema *apiextensionsv1.JSONSchemaProps) {
	bound(schema)
	for name, property := range schema.Properties {
		addRules(name, &property)
		if embedded[name] {
			finishBelow(&property)
		} else {
			finishOwn(&property)
		}
		schema.Properties[name] = property
	}
	each(schema, finishOwn)
}

// finishBelow walks what is below the field at which a Kubernetes type begins.
func finishBelow(schema *apiextensionsv1.JSONSchemaProps) {
	bound(schema)
	for name, property := range schema.Properties {
		description := firstSentence(property.Description)
		if isDeprecated(property.Description) {
			silence(&property)
			description = "Deprecated."
		}
		if unlikely[name] {
			silence(&property)
		}
		property.Description = description
		boundName(name, &property)
		finishBelow(&property)
		schema.Properties[name] = property
	}
	each(schema, func(element *apiextensionsv1.JSONSchemaProps) {
		element.Description = firstSentence(element.Description)
		finishBelow(element)
	})
}

// isDeprecated tells the fields that Kubernetes itself has deprecated, such as the
// volume drivers that were replaced by CSI. They go on working without a manual.
func isDeprecated(description string) bool {
	return strings.Contains(description, "Deprecated: ")
}

// silence takes all descriptions away.
func silence(schema *apiextensionsv1.JSONSchemaProps) {
	schema.Description = ""
	for name, property := range schema.Properties {
		silence(&property)
		schema.Properties[name] = property
	}
	each(schema, silence)
}

// each calls visit for the schema of a list's items and of a map's values.
func each(schema *apiextensionsv1.JSONSchemaProps, visit func(*apiextensionsv1.JSONSchemaProps)) {
	if schema.Items != nil && schema.Items.Schema != nil {
		visit(schema.Items.Schema)
	}
	if schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil {
		visit(schema.AdditionalProperties.Schema)
	}
}

// bound limits quantities and maps of quantities.
func bound(schema *apiextensionsv1.JSONSchemaProps) {
	if isQuantity(schema) {
		schema.Pattern = quantity
		if schema.MaxLength == nil {
			schema.MaxLength = limit(maxQuantity)
		}
	}
	if schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil &&
		isQuantity(schema.AdditionalProperties.Schema) && schema.MaxProperties == nil {
		schema.MaxProperties = limit(maxResources)
	}
}

// boundName limits the names of objects and of their keys.
func boundName(name string, schema *apiextensionsv1.JSONSchemaProps) {
	switch name {
	case "name", "key", "secretName", "claimName":
		if schema.Type == "string" && schema.MaxLength == nil {
			schema.MaxLength = limit(maxName)
		}
	}
}

// isQuantity tells a quantity, which has a pattern, from other values that may be
// an integer or a string.
func isQuantity(schema *apiextensionsv1.JSONSchemaProps) bool {
	return schema.XIntOrString && schema.Pattern != ""
}

func limit(n int64) *int64 { return &n }

// firstSentence returns the first sentence of a description, on one line and cut
// at a word where it is too long.
func firstSentence(description string) string {
	paragraph, _, _ := strings.Cut(description, "\n\n")
	text := strings.Join(strings.Fields(paragraph), " ")
	text, _, _ = strings.Cut(text, " More info: ")
	if end := strings.Index(text, ". "); end >= 0 {
		text = text[:end+1]
	}
	runes := []rune(text)
	if len(runes) <= maxDescription {
		return text
	}
	cut := string(runes[:maxDescription-3])
	if space := strings.LastIndexByte(cut, ' '); space > 0 {
		cut = cut[:space]
	}
	return cut + "..."
}
