package server

import "time"

// SetTimeouts replaces the timeouts against slow clients, so that tests need not
// wait for the real ones.
func (s *Server) SetTimeouts(idle, read, write time.Duration) {
	s.timeouts.idle, s.timeouts.read, s.timeouts.write = idle, read, write
}

// DefaultIdleTimeout is how long a connection may be idle.
var DefaultIdleTimeout = defaultTimeouts.idle
