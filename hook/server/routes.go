package server

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/xflops/flame-operator/hook"
)

// Names of the hooks, as metrics and logs show them. hookNone is for calls to
// anything else.
const (
	hookSync      = "sync"
	hookFinalize  = "finalize"
	hookCustomize = "customize"
	hookNone      = "none"
)

// hookRoutes matches paths exactly and never redirects: Go clients turn a
// redirected POST into a GET without a body. Queries are ignored; the manifests
// use one to make Metacontroller call again after an update of the hook.
func (s *Server) hookRoutes() http.Handler {
	router := s.newRouter()
	router.Post("/"+hookSync, s.serveCall(hookSync, func(r *hook.Request) (encoder, error) {
		return s.config.Hooks.Sync(r, s.config.Now())
	}))
	router.Post("/"+hookFinalize, s.serveCall(hookFinalize, func(r *hook.Request) (encoder, error) {
		return s.config.Hooks.Finalize(r, s.config.Now())
	}))
	router.Post("/"+hookCustomize, s.serveCall(hookCustomize, func(r *hook.Request) (encoder, error) {
		return s.config.Hooks.Customize(r)
	}))
	s.addHealthRoutes(router)
	return router
}

func (s *Server) newRouter() *chi.Mux {
	router := chi.NewRouter()
	router.NotFound(s.serveRefusal(http.StatusNotFound, "there is nothing at this path"))
	router.MethodNotAllowed(s.serveRefusal(http.StatusMethodNotAllowed, "wrong method: hooks are posted to, everything else is read with GET"))
	return router
}

// serveRefusal answers calls that match no route.
func (s *Server) serveRefusal(code int, message string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := newCall(hookNone)
		a := refusal(code, message)
		if code == http.StatusMethodNotAllowed {
			a.allow = http.MethodPost
			if r.Method == http.MethodPost {
				a.allow = http.MethodGet + ", " + http.MethodHead
			}
		}
		s.finish(w, r, c, a)
	}
}
