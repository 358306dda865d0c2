package v1alpha1

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNamesOfClusters(t *testing.T) {
	for _, name := range []string{"a", "flame", "a-1", "f0", strings.Repeat("a", 46)} {
		assert.Empty(t, Validate(name, &FlameClusterSpec{}), name)
	}
	for _, name := range []string{"", "A", "1a", "-a", "a-", "a.b", "a_b", "a b", "é", strings.Repeat("a", 47), strings.Repeat("a", 253)} {
		assert.Equal(t, []string{"metadata.name"}, fieldsOf(Validate(name, &FlameClusterSpec{})), name)
	}
}

func TestNamesOfObjects(t *testing.T) {
	const rule = `must be the name of an object: at most 253 of a-z, 0-9, - and ., with a letter or digit at both ends`
	invalid(t, map[string][]string{
		`{"serviceAccountName":"a.b-c"}`:                     nil,
		`{"serviceAccountName":"A"}`:                         {`spec.serviceAccountName: Invalid value: "A": ` + rule},
		`{"imagePullSecrets":[{"name":"a"},{"name":"b"}]}`:   nil,
		`{"imagePullSecrets":[{"name":"a"},{"name":"a"}]}`:   {`spec.imagePullSecrets[1]: Duplicate value: "a"`},
		`{"imagePullSecrets":[{}]}`:                          {`spec.imagePullSecrets[0].name: Required value: name a Secret with registry credentials`},
		`{"tls":{"sessionManager":{"secretName":"a_b"}}}`:    {`spec.tls.sessionManager.secretName: Invalid value: "a_b": ` + rule},
		`{"tls":{"objectCache":{"secretName":"a"}}}`:         {`spec.tls.objectCache: Forbidden: needs tls.sessionManager too: tasks get the session manager's CA only, and both certificates must come from it`},
		`{"restartedAt":"` + strings.Repeat("é", 256) + `"}`: nil,
		`{"restartedAt":"` + strings.Repeat("é", 257) + `"}`: {`spec.restartedAt: Too long: may not be more than 256 characters`},
	})
}
