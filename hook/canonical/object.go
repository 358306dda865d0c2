// Package canonical is the last step before the wire. It turns children into
// canonical JSON, in which equal objects have equal bytes and which compares equal
// to what the API server stores, and it refuses answers that would do harm.
package canonical

import "encoding/json"

// Object is one child as it is sent.
type Object struct {
	APIVersion string
	Kind       string
	Namespace  string
	Name       string
	// Hash is the value of the annotation AnnotationHash on the object.
	Hash string
	// JSON is the whole object as canonical JSON, the annotation included.
	JSON json.RawMessage
}

// MarshalJSON returns the object's JSON.
func (o Object) MarshalJSON() ([]byte, error) { return o.JSON, nil }
