// Package canonical is the last step before the wire. It writes children as
// canonical JSON, in which equal objects have equal bytes and which compares equal
// to what the API server stores, and it refuses answers that would do harm.
package canonical

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"sync"

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

	// text is the canonical JSON of the object, sent what the guard read of it.
	text string
	sent sent
}

// New returns the canonical form of a typed object, which must have its apiVersion
// and kind set, and adds the annotation v1alpha1.AnnotationHash: a hash of
// everything else in it. obj is as before when New returns; meanwhile nobody else may
// use it.
func New(obj runtime.Object) (Object, error) { return NewMarked(obj, nil) }

// NewMarked is New with further annotations, which are not in the hash.
func NewMarked(obj runtime.Object, marks map[string]string) (Object, error) {
	o, err := newObject(obj, marks)
	if err != nil {
		return Object{}, fmt.Errorf("%T: %w", obj, err)
	}
	return o, nil
}

func newObject(obj runtime.Object, marks map[string]string) (Object, error) {
	metadata, ok := obj.(metav1.Object)
	v := reflect.Indirect(reflect.ValueOf(obj))
	if !ok || v.Kind() != reflect.Struct {
		return Object{}, errors.New("has no metadata")
	}
	buffer := buffers.Get().(*buffer) //nolint:forcetypeassert // nothing else is in the pool
	defer buffers.Put(buffer)
	m, err := membersOf(v, buffer.plain[:0])
	if err != nil {
		return Object{}, err
	}
	buffer.plain = m.text
	apiVersion, kind := obj.GetObjectKind().GroupVersionKind().ToAPIVersionAndKind()
	o := Object{
		APIVersion: apiVersion, Kind: kind,
		Namespace: metadata.GetNamespace(), Name: metadata.GetName(),
		Hash: hashOf(m.text),
	}
	annotations := metadata.GetAnnotations()
	defer metadata.SetAnnotations(annotations)
	metadata.SetAnnotations(withHash(annotations, o.Hash, marks))
	annotated, err := m.withMetadata(v, buffer.annotated[:0])
	if err != nil {
		return Object{}, err
	}
	buffer.annotated = annotated
	o.text = string(annotated)
	o.sent = readSent(o.text)
	return o, nil
}

// buffer is what an object is written to before its length is known.
type buffer struct{ plain, annotated []byte }

var buffers = sync.Pool{New: func() any { return &buffer{} }}

// members are an object's text, in which the metadata is text[from:to].
type members struct {
	text     []byte
	from, to int
	metadata *field
}

func membersOf(v reflect.Value, into []byte) (members, error) {
	m := members{text: append(into, '{')}
	fields := shapeOf(v.Type()).fields
	for i := range fields {
		f := &fields[i]
		// Metacontroller puts the observed status back whatever is sent.
		if f.name == "status" {
			continue
		}
		before := len(m.text)
		var err error
		if m.text, err = f.append(m.text, 1, v); err != nil {
			return members{}, err
		}
		if f.name == "metadata" {
			m.from, m.to, m.metadata = before, len(m.text), f
		}
	}
	m.text = append(m.text, '}')
	return m, nil
}

// withMetadata is the text with the metadata that the object has by now.
func (m members) withMetadata(v reflect.Value, into []byte) ([]byte, error) {
	if m.metadata == nil {
		return nil, errors.New("has no metadata")
	}
	text, err := m.metadata.append(append(into, m.text[:m.from]...), 1, v)
	if err != nil {
		return nil, err
	}
	return append(text, m.text[m.to:]...), nil
}

func withHash(annotations map[string]string, hash string, marks map[string]string) map[string]string {
	with := make(map[string]string, len(annotations)+len(marks)+1)
	maps.Copy(with, annotations)
	maps.Copy(with, marks)
	with[v1alpha1.AnnotationHash] = hash
	return with
}

// MarshalJSON returns the object as canonical JSON.
func (o Object) MarshalJSON() ([]byte, error) { return o.AppendJSON(nil), nil }

// AppendJSON appends the object as canonical JSON.
func (o Object) AppendJSON(text []byte) []byte {
	if o.text == "" {
		return append(text, "null"...)
	}
	return append(text, o.text...)
}

// Text is the object as canonical JSON, "" for the zero Object.
func (o Object) Text() string { return o.text }

// Size is the number of bytes of the canonical JSON.
func (o Object) Size() int { return len(o.text) }

// Decode fills a typed object from the canonical form, for tests and printing.
func (o Object) Decode(into metav1.Object) error { return json.Unmarshal([]byte(o.text), into) }

// JSON returns any value as canonical JSON: names sorted, no null members, no empty
// lists, numbers as they were written. What a runtime.RawExtension holds keeps them all.
func JSON(v any) ([]byte, error) { return appendValue(nil, reflect.ValueOf(v)) }

// hashLength is how many hexadecimal digits of SHA-256 a hash has.
const hashLength = 16

// Hash returns 16 hexadecimal digits that stand for the value's canonical JSON.
func Hash(v any) (string, error) {
	buffer := buffers.Get().(*buffer) //nolint:forcetypeassert // nothing else is in the pool
	defer buffers.Put(buffer)
	text, err := appendValue(buffer.plain[:0], reflect.ValueOf(v))
	if err != nil {
		return "", err
	}
	buffer.plain = text
	return hashOf(text), nil
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:hashLength/2])
}
