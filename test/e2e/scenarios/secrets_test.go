package scenarios

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func toJSON(t *testing.T, v any) string {
	t.Helper()
	content, err := json.Marshal(v)
	require.NoError(t, err)
	return string(content)
}

func createSecret(t *testing.T, namespace, name string, kind corev1.SecretType, data map[string]string) {
	t.Helper()
	_, err := bed.kube.CoreV1().Secrets(namespace).Create(bed.ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: name}, Type: kind, StringData: data,
	}, metav1.CreateOptions{})
	require.NoError(t, err)
}

// searchStored returns the keys of etcd below which value is stored, plain or in
// base64, besides those with one of the given prefixes.
func searchStored(value string, except ...string) ([]string, error) {
	plain, encoded := []byte(value), []byte(base64.RawStdEncoding.EncodeToString([]byte(value)))
	var found []string
	err := bed.plane.StoredKeys(bed.ctx, func(key, content []byte) {
		for _, prefix := range except {
			if strings.HasPrefix(string(key), prefix) {
				return
			}
		}
		if bytes.Contains(content, plain) || bytes.Contains(content, encoded) {
			found = append(found, string(key))
		}
	})
	return found, err
}

// searchLogs returns the log files that hold value: those of hooks, engines, the
// API server, its audit log and the controllers.
func searchLogs(value string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(bed.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".log") {
			return err
		}
		content, err := os.ReadFile(path)
		if err == nil && bytes.Contains(content, []byte(value)) {
			found = append(found, filepath.Base(path))
		}
		return err
	})
	return found, err
}

// What a Secret holds is in no other object, no event and no log.
func TestCredentialsStaySecret(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		namespace := newNamespace(t, nil)
		value := "sqlite:///var/lib/flame/session/" + rand.String(20) + ".db"
		createSecret(t, namespace, "storage", corev1.SecretTypeOpaque, map[string]string{"url": value})
		c := createFlameCluster(t, e, namespace, "flame", map[string]any{
			"sessionManager": map[string]any{"storage": map[string]any{"type": "sqlite", "secretRef": map[string]any{"name": "storage", "key": "url"}}},
		})
		c.waitRunning()
		c.mustSet("fair", "sessionManager", "policy")
		c.waitRunning()
		require.Error(t, c.set("/somewhere", "sessionManager", "storage", "path"), "path together with secretRef")

		found, err := searchStored(value, "/registry/secrets/")
		require.NoError(t, err)
		assert.Empty(t, found, "keys of etcd that hold the connection string")
		stored, err := searchStored(value)
		require.NoError(t, err)
		assert.NotEmpty(t, stored, "the search itself works")
		logs, err := searchLogs(value)
		require.NoError(t, err)
		assert.Empty(t, logs, "logs that hold the connection string")
		exchange := e.tap.of(c.namespace, c.name)
		assert.NotContains(t, string(exchange.request), value, "the last request to the hook")
		assert.NotContains(t, string(exchange.response), value, "the last answer of the hook")
	})
}

// A Secret or key that is not there is waited for, named, and picked up when it comes.
func TestCredentialsMissing(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		namespace := newNamespace(t, nil)
		create := func(name string) *flameCluster {
			return createFlameCluster(t, e, namespace, name, map[string]any{
				"sessionManager": map[string]any{"storage": map[string]any{"type": "sqlite", "secretRef": map[string]any{"name": name, "key": "url"}}},
			})
		}
		data := map[string]string{"url": "sqlite:///var/lib/flame/session/flame.db"}
		createSecret(t, namespace, "keyless", corev1.SecretTypeOpaque, map[string]string{"other": "x"})
		whole, key := create("late"), create("keyless")
		for c, words := range map[*flameCluster][]string{whole: {`secret "late" not found`, "Secret late, key url"}, key: {"couldn't find key url in Secret " + namespace + "/keyless"}} {
			s := c.waitStalledWithin(troubleTime, "CreateContainerConfigError")
			for _, word := range words {
				assert.Contains(t, s.condition("Stalled").Message, word)
			}
			assert.Equal(t, "Failed", s.State)
		}
		createSecret(t, namespace, "late", corev1.SecretTypeOpaque, data)
		_, err := bed.kube.CoreV1().Secrets(namespace).Update(bed.ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "keyless"}, StringData: data}, metav1.UpdateOptions{})
		require.NoError(t, err)
		whole.waitRunning()
		key.waitRunning()
	})
}
