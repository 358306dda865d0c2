// Package server is flame-hook as an HTTP service: Metacontroller posts to its hook
// port, people and Prometheus look at its admin port. It is the only part of the
// hook that knows HTTP, files or a clock.
package server
