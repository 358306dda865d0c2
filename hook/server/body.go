package server

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
)

// firstChunkBytes is what a body of unknown length gets at first. Most requests
// about a young cluster fit.
const firstChunkBytes = 64 << 10

// readBody reads the whole body within the limits. Metacontroller always announces
// the length, so that a body which doesn't fit is refused before it is read.
func (s *Server) readBody(r *http.Request, reserved *reservation) (string, *answer) {
	// Metacontroller never compresses, and a few compressed bytes can stand for any
	// number of bytes in memory.
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return "", refused(http.StatusUnsupportedMediaType, "compressed bodies are not accepted")
	}
	if r.ContentLength > s.config.MaxBodyBytes {
		return "", s.tooLarge()
	}
	if r.ContentLength >= 0 {
		return s.readAnnounced(r, reserved)
	}
	return s.readChunked(r, reserved)
}

// readAnnounced makes a string at once, since what is read of a request are parts of
// a string.
func (s *Server) readAnnounced(r *http.Request, reserved *reservation) (string, *answer) {
	if !reserved.grow(r.ContentLength) {
		return "", busy()
	}
	var body strings.Builder
	body.Grow(int(r.ContentLength))
	if err := copyBytes(&body, r.Body, r.ContentLength); err != nil {
		return "", cut(err)
	}
	return body.String(), nil
}

func (s *Server) readChunked(r *http.Request, reserved *reservation) (string, *answer) {
	var body []byte
	for size := min(firstChunkBytes, s.config.MaxBodyBytes); ; size = min(2*size, s.config.MaxBodyBytes) {
		if !reserved.grow(size) {
			return "", busy()
		}
		// One byte more than the limit tells a body at the limit from one beyond it.
		grown := make([]byte, size+1)
		filled := copy(grown, body)
		n, err := io.ReadFull(r.Body, grown[filled:])
		body = grown[:filled+n]
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return string(body), nil
		case err != nil:
			return "", cut(err)
		case size == s.config.MaxBodyBytes:
			return "", s.tooLarge()
		}
	}
}

// chunk is what a body is copied with, part by part.
type chunk [32 << 10]byte

var chunks = sync.Pool{New: func() any { return new(chunk) }}

// copyBytes copies that many bytes. It returns io.EOF if there are fewer.
func copyBytes(into io.Writer, from io.Reader, bytes int64) error {
	through := chunks.Get().(*chunk) //nolint:forcetypeassert // nothing else is in the pool
	defer chunks.Put(through)
	copied, err := io.CopyBuffer(into, io.LimitReader(from, bytes), through[:])
	if err == nil && copied < bytes {
		err = io.EOF
	}
	return err
}

// discardBody reads what is left of the body of a refused call. A client that is
// still sending when the connection is closed would see a broken connection, not
// the refusal.
func (s *Server) discardBody(r *http.Request) {
	if r.Header.Get("Expect") != "" {
		return
	}
	// The answer is the same whether or not the rest arrives.
	_, _ = io.CopyN(io.Discard, r.Body, s.config.MaxBodyBytes)
}

func (s *Server) tooLarge() *answer {
	return refused(http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is larger than %d bytes", s.config.MaxBodyBytes))
}

func busy() *answer {
	return refused(http.StatusTooManyRequests, "too many bytes in flight: ask again")
}

func cut(err error) *answer {
	a := refusal(http.StatusBadRequest, "the body ended early")
	if errors.Is(err, os.ErrDeadlineExceeded) {
		a = refusal(http.StatusRequestTimeout, "the body came too slowly")
	}
	a.close = true
	return &a
}

func refused(code int, message string) *answer {
	a := refusal(code, message)
	return &a
}
