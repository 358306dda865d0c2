package main

import apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

const (
	// maxDuration is the length of the longest duration that is accepted.
	maxDuration = 64
	// maxAnnotation is the length of the longest annotation that is accepted for a
	// Service. Kubernetes bounds only the sum of all, at 256 KiB.
	maxAnnotation = 8192
	// maxLabel is the length of the longest value of a label in Kubernetes.
	maxLabel = 63
)

// addRules adds to fields of our own types what controller-gen has no marker for,
// by the name of the field.
func addRules(name string, schema *apiextensionsv1.JSONSchemaProps) {
	switch name {
	case "volumeSource":
		schema.MinProperties, schema.MaxProperties = limit(1), limit(1)
	case "storage":
		// Not as a CEL rule: one that reads a storage that is still a string in an old
		// object would fail every write to that object.
		if _, found := schema.Properties["secretRef"]; found {
			schema.Not = &apiextensionsv1.JSONSchemaProps{Required: []string{"path", "secretRef"}}
		}
	case "scheduleInterval":
		schema.MaxLength = limit(maxDuration)
	case "maxUnavailable":
		schema.MaxLength = limit(maxQuantity)
	case "annotations":
		boundValues(schema, maxAnnotation)
	case "labels":
		boundValues(schema, maxLabel)
	}
}

func boundValues(schema *apiextensionsv1.JSONSchemaProps, longest int64) {
	if schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil {
		schema.AdditionalProperties.Schema.MaxLength = limit(longest)
	}
}
