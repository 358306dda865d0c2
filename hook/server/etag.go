package server

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// etagOf is a hash of the body alone. Metacontroller keeps answers by namespace and
// name, so a tag made of a generation would match that of an older FlameCluster of
// the same name.
func etagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// tagged adds the ETag, and leaves out the body if the caller has it.
func (a answer) tagged(request http.Header) answer {
	a.etag = etagOf(a.body)
	if matches(request.Values("If-None-Match"), a.etag) {
		a.code, a.body = http.StatusNotModified, nil
	}
	return a
}

// matches compares weakly, as RFC 9110 asks for If-None-Match. A * is no match: who
// sends it does not say that it has the body.
func matches(headers []string, etag string) bool {
	for _, header := range headers {
		for candidate := range strings.SplitSeq(header, ",") {
			if strings.TrimPrefix(strings.TrimSpace(candidate), "W/") == etag {
				return true
			}
		}
	}
	return false
}
