package server

import (
	"net/http"
	"net/http/pprof"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// adminRoutes are for people, probes and Prometheus. The admin port has neither
// TLS nor tokens, since the kubelet has none, and shows nothing that needs them.
func (s *Server) adminRoutes() http.Handler {
	router := s.newRouter()
	s.addHealthRoutes(router)
	router.Method(http.MethodGet, "/metrics", promhttp.HandlerFor(s.metrics.registry, promhttp.HandlerOpts{}))
	if s.config.PProf {
		router.Get("/debug/pprof/", pprof.Index)
		router.Get("/debug/pprof/{profile}", pprof.Index)
		router.Get("/debug/pprof/profile", pprof.Profile)
		router.Get("/debug/pprof/trace", pprof.Trace)
	}
	return router
}
