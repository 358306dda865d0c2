package server

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

// addHealthRoutes adds /healthz, which answers as long as the process can, and
// /readyz, which fails from the moment the process is told to end. Neither asks
// for a token.
func (s *Server) addHealthRoutes(router *chi.Mux) {
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		router.MethodFunc(method, "/healthz", func(w http.ResponseWriter, _ *http.Request) {
			s.writeHealth(w, http.StatusOK, "ok")
		})
		router.MethodFunc(method, "/readyz", func(w http.ResponseWriter, _ *http.Request) {
			if s.draining.Load() {
				s.writeHealth(w, http.StatusServiceUnavailable, "draining")
				return
			}
			s.writeHealth(w, http.StatusOK, "ok")
		})
	}
}

func (s *Server) writeHealth(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	s.closeWhileDraining(w)
	w.WriteHeader(code)
	// A probe that is gone needs no answer.
	_, _ = w.Write([]byte(text + "\n"))
}
