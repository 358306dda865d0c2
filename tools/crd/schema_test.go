package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

func TestFirstSentence(t *testing.T) {
	long := strings.Repeat("word ", 40)
	tests := map[string]struct{ in, want string }{
		"empty":              {"", ""},
		"one sentence":       {"Name of the object.", "Name of the object."},
		"lines are joined":   {"Name of\nthe object.\nMore info: there.", "Name of the object."},
		"first paragraph":    {"Name of the object\n\nMore", "Name of the object"},
		"link":               {"Name of the object More info: there", "Name of the object"},
		"dots inside a name": {"A kubernetes.io/tls Secret. Other.", "A kubernetes.io/tls Secret."},
		"too long":           {long, strings.TrimSpace(strings.Repeat("word ", 23)) + "..."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := firstSentence(test.in)
			assert.Equal(t, test.want, got)
			assert.LessOrEqual(t, len([]rune(got)), maxDescription)
			assert.Equal(t, got, firstSentence(got), "a shortened description stays as it is")
		})
	}
}

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {kind: Thing, plural: things}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            description: First. Second.
            type: object
            properties:
              amount:
                description: First. Second.
                anyOf: [{type: integer}, {type: string}]
                pattern: ^[0-9]+$
                x-kubernetes-int-or-string: true
              share:
                anyOf: [{type: integer}, {type: string}]
                x-kubernetes-int-or-string: true
              env:
                description: First. Second.
                type: array
                items:
                  description: First. Second.
                  type: object
                  properties:
                    name: {description: First. Second., type: string}
                    value: {type: string}
                    old:
                      description: "First. Deprecated: use name."
                      type: object
                      properties:
                        part: {description: Third., type: string}
              resources:
                type: object
                properties:
                  limits:
                    type: object
                    additionalProperties:
                      anyOf: [{type: integer}, {type: string}]
                      pattern: ^[0-9]+$
                      x-kubernetes-int-or-string: true
`

func TestFinish(t *testing.T) {
	text, err := finish([]byte(definition))
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(string(text), "# Generated"))
	assert.NotContains(t, string(text), "status:")

	again, err := finish(text)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(again), "finishing twice changes nothing")

	spec := specOf(t, text)
	assert.Equal(t, "First. Second.", spec.Description, "our own fields keep their text")
	amount := spec.Properties["amount"]
	assert.Equal(t, "First. Second.", amount.Description)
	assert.EqualValues(t, maxQuantity, *amount.MaxLength)
	assert.Equal(t, quantity, amount.Pattern)
	share := spec.Properties["share"]
	assert.Nil(t, share.MaxLength, "a percentage is no quantity")

	env := spec.Properties["env"]
	assert.Equal(t, "First. Second.", env.Description, "the field at which a Kubernetes type begins is ours")
	assert.Equal(t, "First.", env.Items.Schema.Description)
	name := env.Items.Schema.Properties["name"]
	assert.Equal(t, "First.", name.Description)
	assert.EqualValues(t, maxName, *name.MaxLength)
	assert.Nil(t, env.Items.Schema.Properties["value"].MaxLength)

	old := env.Items.Schema.Properties["old"]
	assert.Equal(t, "Deprecated.", old.Description)
	assert.Contains(t, old.Properties, "part")
	assert.Empty(t, old.Properties["part"].Description)

	limits := spec.Properties["resources"].Properties["limits"]
	assert.EqualValues(t, maxResources, *limits.MaxProperties)
	assert.EqualValues(t, maxQuantity, *limits.AdditionalProperties.Schema.MaxLength)
}

func TestFinishRefusesWhatItDoesNotKnow(t *testing.T) {
	for name, text := range map[string]string{
		"no YAML":       "{",
		"unknown field": definition + "  unknown: true\n",
		"no schema":     "spec: {versions: [{name: v1, served: true, storage: true}]}",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := finish([]byte(text))
			assert.Error(t, err)
		})
	}
}

func specOf(t *testing.T, text []byte) apiextensionsv1.JSONSchemaProps {
	t.Helper()
	var crd apiextensionsv1.CustomResourceDefinition
	require.NoError(t, yaml.UnmarshalStrict(text, &crd))
	require.Len(t, crd.Spec.Versions, 1)
	return crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
}
