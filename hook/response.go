package hook

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/canonical"
)

// Response is the answer to a sync or finalize call.
type Response struct {
	// Status replaces the parent's status as a whole.
	Status *v1alpha1.FlameClusterStatus
	// Children are all objects that should exist, in canonical form. An object that
	// is left out is deleted.
	Children []canonical.Object
	// ResyncAfterSeconds asks for another call after that time; 0 does not.
	ResyncAfterSeconds float64
	// Finalized says that the parent may go. Only the answer to finalize may set
	// it: Metacontroller would otherwise remove and add the finalizer for ever.
	Finalized bool

	namespace string
}

// Encode returns the body of the answer, which is the same for the same Response.
// It returns an *Error with status 500 when the guard refuses the answer.
func (r *Response) Encode() ([]byte, error) {
	if err := r.check(); err != nil {
		return nil, &Error{Status: statusInternalServerError, Guard: true, Message: "flame-hook refused its own answer: " + err.Error()}
	}
	status, err := json.Marshal(r.Status)
	if err != nil {
		return nil, err
	}
	body := append(make([]byte, 0, r.size(len(status))), `{"status":`...)
	body = append(append(body, status...), `,"children":[`...)
	for i, child := range r.Children {
		if i > 0 {
			body = append(body, ',')
		}
		body = child.AppendJSON(body)
	}
	body = append(body, ']')
	if r.ResyncAfterSeconds != 0 {
		body = strconv.AppendFloat(append(body, `,"resyncAfterSeconds":`...), r.ResyncAfterSeconds, 'f', -1, 64)
	}
	if r.Finalized {
		body = append(body, `,"finalized":true`...)
	}
	return append(body, '}'), nil
}

// size is at least the length of the body.
func (r *Response) size(status int) int {
	const theRest = 128
	size := status + theRest
	for _, child := range r.Children {
		size += child.Size() + len(",")
	}
	return size
}

func (r *Response) check() error {
	if r.Status == nil {
		return errors.New("it has no status: the old one would be wiped")
	}
	return canonical.Check(r.namespace, r.Children)
}
