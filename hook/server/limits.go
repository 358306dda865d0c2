package server

import "sync"

// inFlight counts the bytes of the bodies of all calls that are being answered.
type inFlight struct {
	limit int64

	mu    sync.Mutex
	bytes int64
}

func (f *inFlight) current() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bytes
}

func (f *inFlight) reservation() *reservation { return &reservation{of: f} }

// reservation is one call's share.
type reservation struct {
	of    *inFlight
	bytes int64
}

// grow makes the share that large. It says no when all shares together would be
// over the limit, unless there is no other share: a body larger than the limit has
// to be answered too.
func (r *reservation) grow(bytes int64) bool {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	others := r.of.bytes - r.bytes
	if others > 0 && others+bytes > r.of.limit {
		return false
	}
	r.of.bytes = others + bytes
	r.bytes = bytes
	return true
}

func (r *reservation) release() {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	r.of.bytes -= r.bytes
	r.bytes = 0
}
