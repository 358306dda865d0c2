package server

import (
	"net/http"
	"time"

	"github.com/xflops/flame-operator/hook"
)

// encoder is the answer of a hook before it becomes bytes.
type encoder interface{ Encode() ([]byte, error) }

// call is what metrics and the log want to know about one call.
type call struct {
	hook      string
	started   time.Time
	bodyBytes int
	request   *hook.Request
	response  *hook.Response
	guarded   bool
}

func newCall(name string) *call { return &call{hook: name, started: time.Now()} }

// serveCall answers one of the hooks.
func (s *Server) serveCall(name string, answerHook func(*hook.Request) (encoder, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := newCall(name)
		reserved := s.inFlight.reservation()
		defer reserved.release()
		s.finish(w, r, c, s.answer(c, r, reserved, answerHook))
	}
}

func (s *Server) answer(c *call, r *http.Request, reserved *reservation, answerHook func(*hook.Request) (encoder, error)) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a = s.recovered(p)
		}
	}()
	if refused := s.authenticate(r); refused != nil {
		return *refused
	}
	body, refused := s.readBody(r, reserved)
	if refused != nil {
		return *refused
	}
	c.bodyBytes = len(body)
	request, err := hook.DecodeRequest(body)
	if err != nil {
		return refusalOf(err)
	}
	c.request = request
	response, err := answerHook(request)
	if err != nil {
		return s.failed(c, err)
	}
	encoded, err := response.Encode()
	if err != nil {
		return s.failed(c, err)
	}
	c.response, _ = response.(*hook.Response)
	a = answer{code: http.StatusOK, body: encoded}
	if s.config.ETag {
		a = a.tagged(r.Header)
	}
	return a
}

// finish sends the answer, counts and logs it.
func (s *Server) finish(w http.ResponseWriter, r *http.Request, c *call, a answer) {
	if a.code >= http.StatusBadRequest {
		s.discardBody(r)
	}
	s.closeWhileDraining(w)
	a.write(w)
	s.metrics.count(c, a)
	s.logCall(r.Context(), c, a)
	s.logStateChange(r.Context(), c)
}

// closeWhileDraining asks the client to use no connection again that is about to be
// closed. Closing idle ones instead would hit some just as a call arrives.
func (s *Server) closeWhileDraining(w http.ResponseWriter) {
	if s.draining.Load() {
		w.Header().Set("Connection", "close")
	}
}
