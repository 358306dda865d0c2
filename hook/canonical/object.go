// Package canonical is the last step before the wire. It turns children into
// canonical JSON, in which equal objects have equal bytes and which compares equal
// to what the API server stores, and it refuses answers that would do harm.
package canonical

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// Object is one child as it is sent.
type Object struct {
	APIVersion string
	Kind       string
	Namespace  string
	Name       string
	// Hash is the value of the annotation v1alpha1.AnnotationHash on the object.
	Hash string

	tree map[string]any
}

// New returns the canonical form of a typed object, which must have its apiVersion
// and kind set, and adds the annotation v1alpha1.AnnotationHash: a hash of
// everything else in it.
func New(obj runtime.Object) (Object, error) {
	tree, err := treeOf(obj)
	if err != nil {
		return Object{}, fmt.Errorf("%T: %w", obj, err)
	}
	// Metacontroller puts the observed status back whatever is sent.
	delete(tree, "status")
	hash, err := Hash(tree)
	if err != nil {
		return Object{}, fmt.Errorf("%T: %w", obj, err)
	}
	metadata, _ := tree["metadata"].(map[string]any)
	if metadata == nil {
		return Object{}, fmt.Errorf("%T has no metadata", obj)
	}
	annotations, _ := metadata["annotations"].(map[string]any)
	if annotations == nil {
		annotations = map[string]any{}
		metadata["annotations"] = annotations
	}
	annotations[v1alpha1.AnnotationHash] = hash
	return fromTree(tree, hash), nil
}

func fromTree(tree map[string]any, hash string) Object {
	metadata, _ := tree["metadata"].(map[string]any)
	return Object{
		APIVersion: text(tree["apiVersion"]),
		Kind:       text(tree["kind"]),
		Namespace:  text(metadata["namespace"]),
		Name:       text(metadata["name"]),
		Hash:       hash,
		tree:       tree,
	}
}

// MarshalJSON returns the object as canonical JSON.
func (o Object) MarshalJSON() ([]byte, error) { return encode(o.tree) }

// Decode fills a typed object from the canonical form, for tests and printing.
func (o Object) Decode(into metav1.Object) error {
	raw, err := o.MarshalJSON()
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// JSON returns any value as canonical JSON: keys sorted, no null members, no empty
// lists, numbers as they were written.
func JSON(v any) ([]byte, error) {
	tree, err := treeOf(v)
	if err != nil {
		return nil, err
	}
	return encode(tree)
}

// Hash returns 16 hexadecimal digits that stand for the value's canonical JSON.
func Hash(v any) (string, error) {
	raw, err := JSON(v)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8]), nil
}

func treeOf(v any) (map[string]any, error) {
	if tree, ok := v.(map[string]any); ok {
		return tree, nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var tree map[string]any
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	dropAbsent(tree)
	return tree, nil
}

// dropAbsent removes null members and empty lists, which the API server does not
// store and Metacontroller's comparison would therefore see as a change, at every
// sync. Empty maps stay: `emptyDir: {}` and `podSelector: {}` mean something.
func dropAbsent(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			if list, ok := member.([]any); member == nil || ok && len(list) == 0 {
				delete(v, key)
				continue
			}
			dropAbsent(member)
		}
	case []any:
		for _, element := range v {
			dropAbsent(element)
		}
	}
}

func encode(v any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buffer.Bytes(), "\n"), nil
}

func text(v any) string {
	s, _ := v.(string)
	return s
}
