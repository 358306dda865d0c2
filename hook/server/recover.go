package server

import (
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"
)

// recovered turns a panic into a refusal, so that one odd object does not stop the
// service for all others.
func (s *Server) recovered(p any) answer {
	s.metrics.panics.Inc()
	// The stack has places and addresses in it, no contents.
	s.log.Error("panic", "cause", describePanic(p), "stack", string(debug.Stack()))
	return refusal(http.StatusInternalServerError, internalError)
}

// describePanic returns the text of what the Go runtime complains about. The text
// of any other value may quote the request, so that only its type is told.
func describePanic(p any) string {
	if err, ok := p.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%T", p)
}
