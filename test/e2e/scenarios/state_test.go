package scenarios

import (
	"fmt"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A session manager's pod that is lost, to a drained node for instance, takes what
// it knew of its executors with it, also when its sessions are on a claim.
func TestSessionManagerPodLost(t *testing.T) {
	t.Parallel()
	for name, persistent := range map[string]bool{"ephemeral": false, "persistent": true} {
		t.Run(name, func(t *testing.T) {
			inEachMode(t, func(t *testing.T, e *environment) {
				namespace := newNamespace(t, nil)
				spec := map[string]any{"replicas": 2}
				if persistent {
					createClaim(t, namespace, "state")
					spec["sessionManager"] = persistentState()
				}
				c := createFlameCluster(t, e, namespace, "flame", spec)
				c.waitRunning()
				before := c.podsByComponent()
				pods := c.pods("session-manager")
				require.Len(t, pods, 1)
				require.NoError(t, bed.kube.CoreV1().Pods(namespace).Delete(bed.ctx, pods[0].Name, metav1.DeleteOptions{}))
				follow := []string{"session-manager", "executor-manager"}
				eventually(t, "another session manager, and other executors", func() error {
					if changed := c.restarted(before); !slices.Equal(follow, changed) {
						return fmt.Errorf("only %v changed", changed)
					}
					return nil
				})
				c.waitRunning()
				assert.Equal(t, follow, c.restarted(before))
			})
		})
	}
}
