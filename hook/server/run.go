package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	// maxHeaderBytes is plenty for a bearer token and an ETag.
	maxHeaderBytes = 32 << 10
	// adminWriteTimeout is long enough for a profile of 30 seconds, Go's default.
	adminWriteTimeout = 60 * time.Second
	// adminShutdownTimeout is for a scrape that is under way; a profile is cut.
	adminShutdownTimeout = time.Second
)

// Listening is closed once both ports are open.
func (s *Server) Listening() <-chan struct{} { return s.listening }

// Addr is the address of the hook port, "" before Listening.
func (s *Server) Addr() string { return stringOf(s.addr.Load()) }

// AdminAddr is the address of the admin port, "" before Listening.
func (s *Server) AdminAddr() string { return stringOf(s.adminAddr.Load()) }

func stringOf(v any) string { text, _ := v.(string); return text }

// Run opens both ports and serves until ctx ends. Then it reports itself not
// ready, goes on serving for DrainDelay, and waits up to ShutdownTimeout for the
// calls that are being answered. It returns nil after such an end, and an error when
// a port can't be opened or calls had to be cut. It can be called once.
func (s *Server) Run(ctx context.Context) error {
	var config net.ListenConfig
	hookListener, err := config.Listen(ctx, "tcp", s.config.Listen)
	if err != nil {
		return fmt.Errorf("hook port: %w", err)
	}
	adminListener, err := config.Listen(ctx, "tcp", s.config.AdminListen)
	if err != nil {
		return errors.Join(fmt.Errorf("admin port: %w", err), hookListener.Close())
	}
	hookServer, adminServer := s.hookServer(), s.adminServer()
	ended := make(chan error, 2)
	go func() { ended <- s.serveHook(hookServer, hookListener) }()
	go func() { ended <- adminServer.Serve(adminListener) }()

	s.addr.Store(hookListener.Addr().String())
	s.adminAddr.Store(adminListener.Addr().String())
	s.log.Info("serving", "hook", s.Addr(), "admin", s.AdminAddr(), "tls", s.certificate != nil,
		"clientCertificates", s.clientCA != nil, "tokens", s.tokens != nil, "version", s.config.Version)
	close(s.listening)

	select {
	case err := <-ended:
		return errors.Join(err, hookServer.Close(), adminServer.Close())
	case <-ctx.Done():
	}
	return s.stop(hookServer, adminServer, ended)
}

func (s *Server) stop(hookServer, adminServer *http.Server, ended <-chan error) error {
	s.draining.Store(true)
	s.log.Info("draining", "delay", s.config.DrainDelay.String())
	select {
	case err := <-ended:
		return errors.Join(err, hookServer.Close(), adminServer.Close())
	case <-time.After(s.config.DrainDelay):
	}
	err := shutdown(hookServer, s.config.ShutdownTimeout)
	if err != nil {
		err = fmt.Errorf("calls were cut after %s: %w", s.config.ShutdownTimeout, err)
	}
	if adminErr := shutdown(adminServer, adminShutdownTimeout); adminErr != nil {
		s.log.Debug("admin port closed while in use")
	}
	s.log.Info("stopped")
	return err
}

func shutdown(server *http.Server, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}

func (s *Server) hookServer() *http.Server {
	server := s.httpServer(s.Handler())
	if s.certificate != nil {
		server.TLSConfig = s.tlsConfig()
	}
	return server
}

func (s *Server) adminServer() *http.Server {
	server := s.httpServer(s.AdminHandler())
	server.WriteTimeout = adminWriteTimeout
	return server
}

func (s *Server) httpServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           s.limitReading(handler),
		ReadHeaderTimeout: s.timeouts.idle,
		WriteTimeout:      s.timeouts.write,
		IdleTimeout:       s.timeouts.idle,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),

		DisableGeneralOptionsHandler: true,
	}
}

// limitReading is what ReadTimeout of an http.Server does, but for the time that a
// new connection waits for its first call: ReadTimeout would count that too.
func (s *Server) limitReading(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.timeouts.read)); err != nil {
			s.log.Debug("a body is read without a time limit", "error", err)
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) serveHook(server *http.Server, listener net.Listener) error {
	if server.TLSConfig != nil {
		return server.ServeTLS(listener, "", "")
	}
	return server.Serve(listener)
}
