package server_test

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook/server"
)

// callSync makes a sync call and says what went wrong, if anything did.
func callSync(t *testing.T, client *http.Client, url string, header ...string) error {
	t.Helper()
	answer, err := try(client, request(t, http.MethodPost, url+"/sync", strings.NewReader(syncBody("team-a")), header...))
	if err != nil {
		return err
	}
	if answer.code != http.StatusOK {
		return fmt.Errorf("%d %s", answer.code, answer.body)
	}
	return nil
}

func TestTokens(t *testing.T) {
	s := start(t, server.Config{
		TokenFile: writeFile(t, "tokens", "# rotated monthly\n\n  first-token\r\nsecond-token\n#third-token\nlast-token"),
		Hooks:     running(t),
	})
	tests := map[string]struct {
		authorization string
		code          int
	}{
		"first":              {"Bearer first-token", 200},
		"second":             {"Bearer second-token", 200},
		"last, no newline":   {"Bearer last-token", 200},
		"scheme in capitals": {"BEARER first-token", 200},
		"none":               {"", 401},
		"no scheme":          {"first-token", 401},
		"basic":              {"Basic first-token", 401},
		"no token":           {"Bearer ", 401},
		"comment":            {"Bearer #third-token", 401},
		"in a comment":       {"Bearer third-token", 401},
		"prefix":             {"Bearer first-toke", 401},
		"longer":             {"Bearer first-token2", 401},
		"two tokens":         {"Bearer first-token second-token", 401},
		"the whole file":     {"Bearer # rotated monthly", 401},
	}
	for name, test := range tests {
		for _, path := range []string{"/sync", "/finalize", "/customize"} {
			t.Run(name+path, func(t *testing.T) {
				r := request(t, http.MethodPost, s.url+path, strings.NewReader(syncBody("team-a")))
				if test.authorization != "" {
					r.Header.Set("Authorization", test.authorization)
				}
				answer := send(t, newClient(t), r)
				assert.Equal(t, test.code, answer.code)
				if test.code == http.StatusUnauthorized {
					assert.Equal(t, "unauthorized", answer.refusal(t))
					assert.Equal(t, "Bearer", answer.header.Get("WWW-Authenticate"))
				}
			})
		}
	}
	t.Run("two headers", func(t *testing.T) {
		r := request(t, http.MethodPost, s.url+"/sync", strings.NewReader(syncBody("team-a")))
		r.Header["Authorization"] = []string{"Bearer wrong", "Bearer first-token"}
		assert.Equal(t, http.StatusUnauthorized, send(t, newClient(t), r).code)
	})
	t.Run("health needs none", func(t *testing.T) {
		assert.Equal(t, http.StatusOK, get(t, s.url+"/readyz").code)
		assert.Equal(t, http.StatusOK, get(t, s.adminURL+"/metrics").code)
	})
}

// A stranger learns nothing about the body limit or the JSON.
func TestATokenIsAskedForFirst(t *testing.T) {
	s := start(t, server.Config{TokenFile: writeFile(t, "tokens", "good"), MaxBodyBytes: 1000})
	for _, body := range []string{"", "{", strings.Repeat("x", 2000)} {
		assert.Equal(t, http.StatusUnauthorized, post(t, s.url+"/sync", body, "Authorization", "Bearer bad").code)
	}
}

// The rotation that the documentation describes: add the new token, change the
// client, remove the old token.
func TestTokensRotateUnderLoad(t *testing.T) {
	volume := newSecretVolume(t, map[string][]byte{"tokens": []byte("token-0\n")})
	s := start(t, server.Config{TokenFile: volume.path("tokens"), Hooks: running(t)})
	var using sync.RWMutex
	token := "token-0"
	client := newClient(t)
	l := startLoad(t, 4, func(int) error {
		using.RLock()
		defer using.RUnlock()
		return callSync(t, client, s.url, "Authorization", "Bearer "+token)
	})
	for i := range 10 {
		older, newer := fmt.Sprintf("token-%d", i), fmt.Sprintf("token-%d", i+1)
		volume.update(t, map[string][]byte{"tokens": []byte(older + "\n" + newer + "\n")})
		l.moreAnswers(t, 20)
		using.Lock()
		token = newer
		using.Unlock()
		volume.update(t, map[string][]byte{"tokens": []byte(newer + "\n")})
		require.ErrorContains(t, callSync(t, client, s.url, "Authorization", "Bearer "+older), "401", "a removed token is refused at once")
		l.moreAnswers(t, 20)
	}
	l.finish(t)
}

func TestAWrongTokenFileKeepsTheOldTokens(t *testing.T) {
	path := writeFile(t, "tokens", "good")
	s := start(t, server.Config{TokenFile: path, Hooks: running(t)})
	client := newClient(t)
	for _, content := range []string{"", "# nothing\n", "two tokens\n"} {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		require.NoError(t, callSync(t, client, s.url, "Authorization", "Bearer good"))
		require.Error(t, callSync(t, client, s.url, "Authorization", "Bearer "))
	}
	require.NoError(t, os.Remove(path))
	require.NoError(t, callSync(t, client, s.url, "Authorization", "Bearer good"))
	require.NoError(t, os.WriteFile(path, []byte("better"), 0o600))
	require.NoError(t, callSync(t, client, s.url, "Authorization", "Bearer better"))
	require.Error(t, callSync(t, client, s.url, "Authorization", "Bearer good"))
}
