// Package crd tests the generated CustomResourceDefinition.
package crd

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// maxCompact keeps the definition well below 262,144 bytes, the limit of all
// annotations together: kubectl apply keeps the whole object in one.
const maxCompact = 150_000

type definition struct {
	Spec struct {
		Group string `json:"group"`
		Scope string `json:"scope"`
		Names struct {
			Kind       string   `json:"kind"`
			Plural     string   `json:"plural"`
			ShortNames []string `json:"shortNames"`
			Categories []string `json:"categories"`
		} `json:"names"`
		Versions []struct {
			Name                     string   `json:"name"`
			Served                   bool     `json:"served"`
			Storage                  bool     `json:"storage"`
			AdditionalPrinterColumns []column `json:"additionalPrinterColumns"`
			Subresources             struct {
				Status *struct{} `json:"status"`
				Scale  struct {
					SpecReplicasPath   string `json:"specReplicasPath"`
					StatusReplicasPath string `json:"statusReplicasPath"`
					LabelSelectorPath  string `json:"labelSelectorPath"`
				} `json:"scale"`
			} `json:"subresources"`
			Schema struct {
				OpenAPIV3Schema schema `json:"openAPIV3Schema"`
			} `json:"schema"`
		} `json:"versions"`
	} `json:"spec"`
}

type column struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	JSONPath string `json:"jsonPath"`
	Priority int    `json:"priority"`
}

type schema struct {
	Type                  string            `json:"type"`
	Format                string            `json:"format"`
	Description           string            `json:"description"`
	Pattern               string            `json:"pattern"`
	Default               json.RawMessage   `json:"default"`
	Properties            map[string]schema `json:"properties"`
	AdditionalProperties  *schema           `json:"additionalProperties"`
	Items                 *schema           `json:"items"`
	MaxLength             *int              `json:"maxLength"`
	MaxItems              *int              `json:"maxItems"`
	MaxProperties         *int              `json:"maxProperties"`
	IntOrString           bool              `json:"x-kubernetes-int-or-string"`
	PreserveUnknownFields bool              `json:"x-kubernetes-preserve-unknown-fields"`
}

func read(t *testing.T) (text []byte, read definition) {
	t.Helper()
	text, err := os.ReadFile("flame.xflops.io_flameclusters.yaml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &read))
	require.Len(t, read.Spec.Versions, 1)
	return text, read
}

func TestApplyKeepsTheDefinitionInAnAnnotation(t *testing.T) {
	text, _ := read(t)
	object, err := yaml.YAMLToJSON(text)
	require.NoError(t, err)
	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, object))
	assert.Less(t, compact.Len(), maxCompact)
}

func TestHowPeopleReachIt(t *testing.T) {
	_, crd := read(t)
	assert.Equal(t, v1alpha1.Group, crd.Spec.Group)
	assert.Equal(t, "Namespaced", crd.Spec.Scope)
	assert.Equal(t, "FlameCluster", crd.Spec.Names.Kind)
	assert.Equal(t, "flameclusters", crd.Spec.Names.Plural)
	assert.Equal(t, []string{"fc"}, crd.Spec.Names.ShortNames)
	assert.Equal(t, []string{"all"}, crd.Spec.Names.Categories)

	version := crd.Spec.Versions[0]
	assert.Equal(t, "v1alpha1", version.Name)
	assert.True(t, version.Served)
	assert.True(t, version.Storage)
	assert.Equal(t, []column{
		{"State", "string", ".status.state", 0},
		{"Ready", "integer", ".status.readyReplicas", 0},
		{"Desired", "integer", ".status.executorManager.desired", 0},
		{"Endpoint", "string", ".status.endpoint", 1},
		{"Version", "string", ".spec.version", 1},
		{"Age", "date", ".metadata.creationTimestamp", 0},
	}, version.AdditionalPrinterColumns)
}

func TestSubresources(t *testing.T) {
	_, crd := read(t)
	version := crd.Spec.Versions[0]
	// Without the status subresource Metacontroller ignores the whole controller.
	assert.NotNil(t, version.Subresources.Status)
	assert.Equal(t, ".spec.replicas", version.Subresources.Scale.SpecReplicasPath)
	assert.Equal(t, ".status.replicas", version.Subresources.Scale.StatusReplicasPath)
	assert.Equal(t, ".status.selector", version.Subresources.Scale.LabelSelectorPath)

	root := version.Schema.OpenAPIV3Schema
	// GET /scale fails on an object without spec.replicas.
	assert.JSONEq(t, `{}`, string(root.Properties["spec"].Default))
	assert.JSONEq(t, `1`, string(root.Properties["spec"].Properties["replicas"].Default))
	// Metacontroller adds it to every status; the API server would refuse or prune
	// another type, and each sync would write.
	observed := root.Properties["status"].Properties["observedGeneration"]
	assert.Equal(t, "integer", observed.Type)
	assert.Equal(t, "int64", observed.Format)
}

func TestFreeFormFieldsAreNotSpelledOut(t *testing.T) {
	_, crd := read(t)
	spec := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	for name, field := range map[string]schema{
		"sessionManager.podTemplate":  spec.Properties["sessionManager"].Properties["podTemplate"],
		"executorManager.podTemplate": spec.Properties["executorManager"].Properties["podTemplate"],
		"objectCache.podTemplate":     spec.Properties["objectCache"].Properties["podTemplate"],
		"extraConfig":                 spec.Properties["extraConfig"],
	} {
		assert.Equal(t, "object", field.Type, name)
		assert.True(t, field.PreserveUnknownFields, name)
		assert.Empty(t, field.Properties, name)
		assert.NotEmpty(t, field.Description, name)
	}
}

// The labels of an ephemeral volume's claim would be pruned from a schema that
// knows metadata only as an object.
func TestClaimTemplatesKeepTheirLabels(t *testing.T) {
	_, crd := read(t)
	spec := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	template := spec.Properties["executorManager"].Properties["volumeSource"].Properties["ephemeral"].Properties["volumeClaimTemplate"]
	assert.Contains(t, template.Properties["metadata"].Properties, "labels")
	assert.Contains(t, template.Properties["metadata"].Properties, "annotations")
}

// The API server estimates the cost of a rule from the largest object that the
// schema admits, and refuses the whole definition where a part is unbounded.
func TestWhatRulesReadIsBounded(t *testing.T) {
	_, crd := read(t)
	spec := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	quantities := 0
	walk(spec, "spec", func(path string, s schema) {
		if s.IntOrString && s.Pattern != "" {
			quantities++
			assert.NotNil(t, s.MaxLength, path)
		}
		if s.AdditionalProperties != nil && s.AdditionalProperties.IntOrString {
			assert.NotNil(t, s.MaxProperties, path)
		}
	})
	assert.Greater(t, quantities, 10)
	for _, component := range []string{"sessionManager", "executorManager", "objectCache"} {
		env := spec.Properties[component].Properties["env"]
		assert.NotNil(t, env.MaxItems, component)
		assert.NotNil(t, env.Items.Properties["name"].MaxLength, component)
	}
}

func TestEveryFieldIsDocumented(t *testing.T) {
	_, crd := read(t)
	root := crd.Spec.Versions[0].Schema.OpenAPIV3Schema
	for _, part := range []string{"spec", "status"} {
		assert.NotEmpty(t, root.Properties[part].Description, part)
		for name, field := range root.Properties[part].Properties {
			assert.NotEmpty(t, field.Description, "%s.%s", part, name)
			for inner, field := range field.Properties {
				assert.NotEmpty(t, field.Description, "%s.%s.%s", part, name, inner)
			}
		}
	}
}

func walk(s schema, path string, visit func(string, schema)) {
	visit(path, s)
	for name, property := range s.Properties {
		walk(property, path+"."+name, visit)
	}
	if s.Items != nil {
		walk(*s.Items, path+"[]", visit)
	}
	if s.AdditionalProperties != nil {
		walk(*s.AdditionalProperties, path+"{}", visit)
	}
}
