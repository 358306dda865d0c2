package scenarios

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var components = []string{"session-manager", "executor-manager", "object-cache"}

// createClaim creates a claim. The fake kubelet only looks whether it exists.
func createClaim(t *testing.T, namespace, name string) {
	t.Helper()
	_, err := bed.kube.CoreV1().PersistentVolumeClaims(namespace).Create(bed.ctx, &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{"storage": resource.MustParse("1Gi")}},
		},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
}

// persistentState keeps the session manager's state on the claim "state".
func persistentState() map[string]any {
	return map[string]any{"volumeSource": map[string]any{"persistentVolumeClaim": map[string]any{"claimName": "state"}}}
}

// newPersistentFlameCluster creates a FlameCluster with persistent state and two
// executors, and its claim, in a namespace of its own.
func newPersistentFlameCluster(t *testing.T, e *environment) *flameCluster {
	t.Helper()
	namespace := newNamespace(t, nil)
	createClaim(t, namespace, "state")
	return createFlameCluster(t, e, namespace, "flame", map[string]any{"replicas": 2, "sessionManager": persistentState()})
}

// restarted returns the components whose pods are not those of before.
func (c *flameCluster) restarted(before map[string][]string) []string {
	c.t.Helper()
	var changed []string
	for _, component := range components {
		now := uids(c.pods(component))
		slices.Sort(now)
		if !slices.Equal(now, before[component]) {
			changed = append(changed, component)
		}
	}
	return changed
}

func (c *flameCluster) podsByComponent() map[string][]string {
	c.t.Helper()
	all := map[string][]string{}
	for _, component := range components {
		all[component] = uids(c.pods(component))
		slices.Sort(all[component])
	}
	return all
}

// edit is a change of a FlameCluster, and the components whose pods it replaces.
type edit struct {
	name     string
	value    any
	path     []string
	restarts []string
}

// An edit restarts exactly the daemons that read what it changes, and executors after
// the session manager. The edits of a row are made one after the other on one cluster;
// there are several rows because one with all edits would outlast all other scenarios.
func TestEditRestartsOnlyWhatItConcerns(t *testing.T) {
	rows := map[string][]edit{"configuration": {
		{"policy", "fair", []string{"sessionManager", "policy"}, []string{"session-manager", "executor-manager"}},
		{"slot", map[string]any{"cpu": 2, "memory": "4Gi"}, []string{"sessionManager", "slot"}, []string{"session-manager", "executor-manager"}},
		{"eviction", map[string]any{"maxObjects": 100}, []string{"objectCache", "eviction"}, []string{"object-cache"}},
	}, "pods": {
		{"executor's image", "registry.example.com/flame-executor-manager:v0.6.0-custom", []string{"executorManager", "image"}, []string{"executor-manager"}},
		{"executor's log level", "debug", []string{"executorManager", "logLevel"}, []string{"executor-manager"}},
		{"executor's environment", []any{map[string]any{"name": "TEAM", "value": "blue"}}, []string{"executorManager", "env"}, []string{"executor-manager"}},
		{"cache's resources", map[string]any{"limits": map[string]any{"memory": "8Gi"}}, []string{"objectCache", "resources"}, []string{"object-cache"}},
		{"restartedAt", "now", []string{"restartedAt"}, components},
	}, "around the pods": {
		{"annotations of a Service", map[string]any{"example.com/owner": "blue"}, []string{"sessionManager", "service", "annotations"}, nil},
		{"network policy", map[string]any{"enabled": true}, []string{"networkPolicy"}, nil},
		{"disruption budget", map[string]any{"maxUnavailable": "50%"}, []string{"executorManager", "podDisruptionBudget"}, nil},
		{"replicas", 4, []string{"replicas"}, []string{"executor-manager"}},
	}}
	inEachMode(t, func(t *testing.T, e *environment) {
		for name, edits := range rows {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				restartsOnlyWhatItConcerns(t, newPersistentFlameCluster(t, e), edits)
			})
		}
	})
}

func restartsOnlyWhatItConcerns(t *testing.T, c *flameCluster, edits []edit) {
	t.Helper()
	c.waitRunning()
	for _, edit := range edits {
		before := c.podsByComponent()
		c.mustSet(edit.value, edit.path...)
		c.waitRunning()
		assert.Equal(t, edit.restarts, c.restarted(before), "components with other pods after: %s", edit.name)
	}
}

// What a policy changes: the session manager, and after it the executors, whatever
// the storage: no session manager takes over what another one knew of executors.
func TestPolicyEdit(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		restartsSessionManagerThenExecutors(t, newFlameCluster(t, e, map[string]any{"replicas": 2}))
	})
}

// A claim keeps sessions, and does not change who restarts.
func TestPolicyEditWithPersistentState(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		restartsSessionManagerThenExecutors(t, newPersistentFlameCluster(t, e))
	})
}

func restartsSessionManagerThenExecutors(t *testing.T, c *flameCluster) {
	t.Helper()
	c.waitRunning()
	before, pods := c.snapshot(), c.podsByComponent()
	c.mustSet("priority", "sessionManager", "policy")
	c.waitRunning()
	assert.Equal(t, []string{"session-manager", "executor-manager"}, c.restarted(pods))
	c.requireSame(before, "FlameCluster/", "ConfigMap/flame-config", "ConfigMap/flame-last-good",
		"Deployment/flame-session-manager", "Pod/flame-session-manager-", "Deployment/flame-executor-manager", "Pod/flame-executor-manager-")

	session := c.pods("session-manager")
	require.Len(t, session, 1)
	available := metav1.Time{}
	for _, condition := range c.deployment("flame-session-manager").Status.Conditions {
		if condition.Type == "Available" {
			available = condition.LastTransitionTime
		}
	}
	for _, executor := range c.pods("executor-manager") {
		assert.False(t, executor.CreationTimestamp.Before(&session[0].CreationTimestamp), "an executor is older than its session manager")
		assert.False(t, executor.CreationTimestamp.Before(&available), "an executor is older than the session manager's availability")
	}
}
