package server

import "time"

// SetTimeouts replaces the timeouts against slow clients, so that tests need not
// wait for the real ones.
func (s *Server) SetTimeouts(readHeader, read, write time.Duration) {
	s.timeouts.readHeader, s.timeouts.read, s.timeouts.write = readHeader, read, write
}

// DefaultIdleTimeout is how long a connection may be idle.
var DefaultIdleTimeout = defaultTimeouts.idle
