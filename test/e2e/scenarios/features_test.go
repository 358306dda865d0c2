package scenarios

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A namespace with the level "restricted" admits every pod, whatever is switched on.
func TestPodSecurityRestricted(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		namespace := newNamespace(t, map[string]string{"pod-security.kubernetes.io/enforce": "restricted"})
		clusters := []*flameCluster{createFlameCluster(t, e, namespace, "minimal", nil)}
		for _, example := range []string{"credentials", "gpu", "persistent", "production"} {
			clusters = append(clusters, applyExample(t, e, namespace, example))
		}
		for _, c := range clusters {
			c.waitRunning()
		}
		events, err := bed.kube.CoreV1().Events(namespace).List(bed.ctx, metav1.ListOptions{FieldSelector: "reason=FailedCreate"})
		require.NoError(t, err)
		for _, event := range events.Items {
			t.Errorf("%s: %s", event.InvolvedObject.Name, event.Message)
		}
	})
}

// TLS is one switch: endpoints say https and grpcs, executors get the CA and no key.
func TestTLS(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		namespace := newNamespace(t, nil)
		for _, name := range []string{"session-tls", "cache-tls"} {
			createSecret(t, namespace, name, corev1.SecretTypeTLS, map[string]string{"tls.crt": "certificate", "tls.key": "private", "ca.crt": "authority"})
		}
		c := createFlameCluster(t, e, namespace, "flame", map[string]any{"tls": map[string]any{
			"sessionManager": map[string]any{"secretName": "session-tls"}, "objectCache": map[string]any{"secretName": "cache-tls"},
		}})
		s := c.waitRunning()
		assert.True(t, strings.HasPrefix(s.Endpoint, "https://"), s.Endpoint)
		assert.True(t, strings.HasPrefix(s.CacheEndpoint, "grpcs://"), s.CacheEndpoint)
		executors := c.pods("executor-manager")
		require.Len(t, executors, 1)
		found := 0
		for _, v := range executors[0].Spec.Volumes {
			if v.Secret == nil {
				continue
			}
			found++
			require.Len(t, v.Secret.Items, 1, v.Name)
			assert.Equal(t, "ca.crt", v.Secret.Items[0].Key)
		}
		assert.Equal(t, 2, found, "Secrets that executors mount")
	})
}

// Suspend takes the pods and keeps everything else; resume starts executors only
// after the session manager.
func TestSuspendAndResume(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, map[string]any{"replicas": 3})
		c.waitRunning()
		before := c.children()
		c.mustSet(true, "suspend")
		s := c.waitState("Suspended")
		assert.True(t, s.is("Suspended"))
		eventually(t, "no pods", func() error { return none(len(c.pods(""))) })
		now := c.children()
		for key, child := range before {
			if assert.Contains(t, now, key) {
				assert.Equal(t, child.GetUID(), now[key].GetUID(), key)
			}
		}
		c.scale(2)
		c.waitState("Suspended")
		require.Empty(t, c.pods(""))

		c.mustSet(false, "suspend")
		s = c.waitRunning()
		assert.EqualValues(t, 2, s.ReadyReplicas)
		session := c.pods("session-manager")
		require.Len(t, session, 1)
		for _, executor := range c.pods("executor-manager") {
			assert.True(t, session[0].CreationTimestamp.Before(&executor.CreationTimestamp), "an executor started together with the session manager")
		}
	})
}

// The customary tools must read a cluster that is on its way as not yet ready.
func TestNeverReadyBeforeReady(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, map[string]any{"replicas": 2, "executorManager": map[string]any{"podTemplate": podBehavior("ready-after=3s")}})
		watcher, err := c.client().Watch(bed.ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + c.name})
		require.NoError(t, err)
		t.Cleanup(watcher.Stop)
		versions := make(chan []*unstructured.Unstructured, 1)
		go func() {
			var seen []*unstructured.Unstructured
			for event := range watcher.ResultChan() {
				if object, ok := event.Object.(*unstructured.Unstructured); ok {
					seen = append(seen, object)
				}
			}
			versions <- seen
		}()
		c.waitRunning()
		c.mustSet("fair", "sessionManager", "policy")
		c.waitRunning()
		c.scale(4)
		c.waitRunning()
		watcher.Stop()
		seen := <-versions
		assert.Greater(t, len(seen), 5, "versions of the FlameCluster")
		for _, object := range seen {
			s := readStatus(t, object)
			if s.ObservedGeneration == 0 || s.ObservedGeneration != object.GetGeneration() {
				continue
			}
			assert.NotNil(t, s.condition("Ready"), "Ready is always there")
			assert.False(t, s.is("Stalled"), s.Message)
			if s.is("Ready") {
				assert.Equal(t, "Running", s.State)
				assert.Equal(t, s.Replicas, s.ReadyReplicas)
				assert.Nil(t, s.condition("Reconciling"))
			}
		}
	})
}
