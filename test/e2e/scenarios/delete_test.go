package scenarios

import (
	"errors"
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/stretchr/testify/require"
)

// waitGone waits until nothing is left, which nothing but the garbage collector
// takes care of.
func (c *flameCluster) waitGone() {
	c.t.Helper()
	eventually(c.t, "nothing left", func() error {
		if left := c.snapshot(); len(left) > 0 {
			return fmt.Errorf("%d objects", len(left))
		}
		return nil
	})
}

// isGone turns the error of a GET into one about an object that should not be there.
func isGone(err error) error {
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return err
	}
	return errors.New("still there")
}

func TestDeleteBackground(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, nil)
		c.waitRunning()
		c.delete(metav1.DeletePropagationBackground)
		eventually(t, "the FlameCluster is gone", func() error {
			_, err := c.get()
			return isGone(err)
		})
		c.waitGone()
		require.Empty(t, c.syncErrors())
	})
}

// Under foreground deletion the FlameCluster stays, terminating, until its children
// are gone, and the hook is still asked about it.
func TestDeleteForeground(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, nil)
		c.waitRunning()
		c.delete(metav1.DeletePropagationForeground)
		c.waitGone()
		require.Empty(t, c.syncErrors())
	})
}

// A namespace must not hang because of us, also with a cluster that never got far.
func TestDeleteNamespace(t *testing.T) {
	inEachMode(t, func(t *testing.T, e *environment) {
		c := newFlameCluster(t, e, nil)
		createFlameCluster(t, e, c.namespace, "hopeless", map[string]any{"version": "0.7.0", "executorManager": map[string]any{"shim": "docker"}})
		c.waitRunning()
		require.NoError(t, bed.kube.CoreV1().Namespaces().Delete(bed.ctx, c.namespace, metav1.DeleteOptions{}))
		eventually(t, "the namespace is gone", func() error {
			_, err := bed.kube.CoreV1().Namespaces().Get(bed.ctx, c.namespace, metav1.GetOptions{})
			return isGone(err)
		})
	})
}
