package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/xflops/flame-operator/hook"
)

// maxMessageBytes bounds the text of a refusal: Metacontroller puts it into Events,
// whose messages Kubernetes limits to 1 KiB.
const maxMessageBytes = 512

// internalError is all that a caller hears of a fault of this program. It is the
// same every time, so that Events about it are counted and not repeated.
const internalError = "internal error: nothing is changed; see the log of flame-hook"

// answer is what is sent.
type answer struct {
	code       int
	body       []byte
	message    string
	retryAfter int
	etag       string
	allow      string
	close      bool
}

// refusal is an answer that makes Metacontroller change nothing.
func refusal(code int, message string) answer {
	if len(message) > maxMessageBytes {
		message = strings.ToValidUTF8(message[:maxMessageBytes], "") + "..."
	}
	body, err := json.Marshal(map[string]string{"error": message})
	if err != nil {
		body = []byte(`{"error":"internal error"}`)
	}
	a := answer{code: code, body: append(body, '\n'), message: message}
	if code == http.StatusTooManyRequests {
		a.retryAfter = 1
	}
	return a
}

// refusalOf is the refusal that a hook asked for. Every other error is a fault, and
// its text is not repeated: it may quote the request.
func refusalOf(err error) answer {
	var refused *hook.Error
	if !errors.As(err, &refused) || refused.Status < 400 || refused.Status > 599 {
		return refusal(http.StatusInternalServerError, internalError)
	}
	a := refusal(refused.Status, refused.Message)
	if a.code == http.StatusTooManyRequests {
		a.retryAfter = max(1, refused.RetryAfterSeconds)
	}
	return a
}

func (s *Server) failed(c *call, err error) answer {
	var refused *hook.Error
	if errors.As(err, &refused) {
		c.guarded = refused.Guard
	} else {
		s.logFault(c, err)
	}
	return refusalOf(err)
}

func (a answer) write(w http.ResponseWriter) {
	header := w.Header()
	if a.etag != "" {
		header.Set("ETag", a.etag)
	}
	if a.allow != "" {
		header.Set("Allow", a.allow)
	}
	if a.retryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(a.retryAfter))
	}
	if a.close {
		header.Set("Connection", "close")
	}
	switch a.code {
	case http.StatusUnauthorized:
		header.Set("WWW-Authenticate", bearerScheme)
	case http.StatusUnsupportedMediaType:
		header.Set("Accept-Encoding", "identity")
	}
	if a.code == http.StatusNotModified {
		w.WriteHeader(a.code)
		return
	}
	header.Set("Content-Type", "application/json")
	header.Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.code)
	// A caller that is gone asks again.
	_, _ = w.Write(a.body)
}
