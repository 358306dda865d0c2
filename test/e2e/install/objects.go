package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// Objects decodes a stream of YAML documents. Empty documents are left out.
func Objects(stream []byte) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(stream), 4096)
	for {
		object := &unstructured.Unstructured{}
		switch err := decoder.Decode(&object.Object); {
		case errors.Is(err, io.EOF):
			return objects, nil
		case err != nil:
			return nil, fmt.Errorf("document %d: %w", len(objects)+1, err)
		case len(object.Object) > 0:
			objects = append(objects, object)
		}
	}
}

// OfKind returns the objects of that kind.
func OfKind(objects []*unstructured.Unstructured, kind string) []*unstructured.Unstructured {
	var found []*unstructured.Unstructured
	for _, o := range objects {
		if o.GetKind() == kind {
			found = append(found, o)
		}
	}
	return found
}
