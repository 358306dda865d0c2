package conformance

import (
	"context"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	schemavalidation "k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"
)

// APIServer judges objects of one CustomResourceDefinition as an API server does.
type APIServer struct {
	structural *structuralschema.Structural
	strategy   strategy
}

type strategy interface {
	Validate(context.Context, runtime.Object) field.ErrorList
	ValidateUpdate(ctx context.Context, updated, old runtime.Object) field.ErrorList
}

// NewAPIServer reads a CustomResourceDefinition in YAML. It fails where an API
// server would refuse the definition, for a rule that costs too much, for instance.
func NewAPIServer(file string) (*APIServer, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var versioned apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(text, &versioned); err != nil {
		return nil, err
	}
	apiextensionsv1.SetDefaults_CustomResourceDefinition(&versioned)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&versioned.Spec)
	var definition apiextensions.CustomResourceDefinition
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&versioned, &definition, nil); err != nil {
		return nil, err
	}
	definition.Status.StoredVersions = []string{definition.Spec.Versions[0].Name}
	if errs := crdvalidation.ValidateCustomResourceDefinition(context.Background(), &definition); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	// Converting a definition with one version moves its schema to the top.
	validation := definition.Spec.Validation
	if validation == nil {
		validation = definition.Spec.Versions[0].Schema
	}
	structural, err := structuralschema.NewStructural(validation.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	validator, _, err := schemavalidation.NewSchemaValidator(validation.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	statusSchema := validation.OpenAPIV3Schema.Properties["status"]
	statusValidator, _, err := schemavalidation.NewSchemaValidator(&statusSchema)
	if err != nil {
		return nil, err
	}
	kind := schema.GroupVersionKind{Group: definition.Spec.Group, Version: definition.Spec.Versions[0].Name, Kind: definition.Spec.Names.Kind}
	return &APIServer{
		structural: structural,
		strategy: customresource.NewStrategy(nil, true, kind, validator, statusValidator, structural,
			&apiextensions.CustomResourceSubresourceStatus{}, definition.Spec.Subresources.Scale, nil),
	}, nil
}

// Create judges a new object: unknown fields and nulls are pruned and defaults set,
// then the schema and its rules are applied. The object is changed in place.
func (s *APIServer) Create(object map[string]any) field.ErrorList {
	s.admit(object)
	return s.strategy.Validate(context.Background(), &unstructured.Unstructured{Object: object})
}

// Update judges a new state of an object that is stored as old, whatever old is.
func (s *APIServer) Update(old, updated map[string]any) field.ErrorList {
	s.admit(old)
	s.admit(updated)
	return s.strategy.ValidateUpdate(context.Background(), &unstructured.Unstructured{Object: updated}, &unstructured.Unstructured{Object: old})
}

func (s *APIServer) admit(object map[string]any) {
	pruning.Prune(object, s.structural, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, s.structural)
	defaulting.Default(object, s.structural)
}

// Verdict puts the errors of one judge into words.
func Verdict(errs field.ErrorList) string {
	if len(errs) == 0 {
		return "accepted"
	}
	return fmt.Sprintf("refused: %v", errs.ToAggregate())
}
