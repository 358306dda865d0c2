package server

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

const bearerScheme = "Bearer"

// tokens are the hashes of the tokens that are accepted. Hashes have one length, so
// comparing them tells nothing about the length of a token.
type tokens [][sha256.Size]byte

// parseTokens reads a file with one token a line. Its errors never repeat a line.
func parseTokens(contents [][]byte) (tokens, error) {
	var parsed tokens
	number := 0
	for line := range bytes.Lines(contents[0]) {
		number++
		token := bytes.TrimSpace(line)
		if len(token) == 0 || token[0] == '#' {
			continue
		}
		if bytes.ContainsAny(token, " \t") {
			return nil, fmt.Errorf("line %d: a token has no spaces in it", number)
		}
		parsed = append(parsed, sha256.Sum256(token))
	}
	if len(parsed) == 0 {
		return nil, errors.New("there is no token in it")
	}
	return parsed, nil
}

// contain compares in a time that depends on the number of tokens only.
func (t tokens) contain(token string) bool {
	sum := sha256.Sum256([]byte(token))
	found := 0
	for i := range t {
		found |= subtle.ConstantTimeCompare(t[i][:], sum[:])
	}
	return found == 1
}

// authenticate refuses a call without a valid token, or over a connection whose
// client certificate came from an authority that is no longer trusted.
func (s *Server) authenticate(r *http.Request) *answer {
	if s.clientCA != nil && !s.clientCA.get().vouchFor(r.TLS) {
		a := refusal(http.StatusUnauthorized, "unauthorized")
		a.close = true
		return &a
	}
	if s.tokens == nil {
		return nil
	}
	if token, ok := bearerToken(r.Header); ok && s.tokens.get().contain(token) {
		return nil
	}
	return refused(http.StatusUnauthorized, "unauthorized")
}

func bearerToken(header http.Header) (string, bool) {
	values := header.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, token, found := strings.Cut(values[0], " ")
	return strings.TrimSpace(token), found && strings.EqualFold(scheme, bearerScheme)
}
