package hook

import (
	"encoding/json"
	"errors"
	"net/http"

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
		return nil, &Error{Status: http.StatusInternalServerError, Guard: true, Message: "flame-hook refused its own answer: " + err.Error()}
	}
	return json.Marshal(struct {
		Status             *v1alpha1.FlameClusterStatus `json:"status"`
		Children           []canonical.Object           `json:"children"`
		ResyncAfterSeconds float64                      `json:"resyncAfterSeconds,omitempty"`
		Finalized          bool                         `json:"finalized,omitempty"`
	}{r.Status, r.Children, r.ResyncAfterSeconds, r.Finalized})
}

func (r *Response) check() error {
	if r.Status == nil {
		return errors.New("it has no status: the old one would be wiped")
	}
	return canonical.Check(r.namespace, r.Children)
}
