package scenarios

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fleetSize is the number of FlameClusters of TestFleet, 200 unless E2E_FLEET says
// otherwise.
func fleetSize(t *testing.T) int {
	t.Helper()
	if n := os.Getenv("E2E_FLEET"); n != "" {
		size, err := strconv.Atoi(n)
		require.NoError(t, err)
		return size
	}
	return 200
}

// Many FlameClusters at once. This test is not parallel to others, so that its
// times mean something.
func TestFleet(t *testing.T) {
	for _, mode := range modes() {
		t.Run(string(mode), func(t *testing.T) {
			e, err := bed.newEnvironment(mode, options{resyncPeriod: 3600})
			require.NoError(t, err)
			t.Cleanup(e.stop)
			size, namespace := fleetSize(t), newNamespace(t, nil)
			start := time.Now()
			for i := range size {
				require.NoError(t, reference(t, e, namespace, fmt.Sprintf("flame-%d", i)).create(nil))
			}
			created := time.Since(start)
			running := func() (n int, err error) {
				list, err := bed.dynamic.Resource(flameClusters).Namespace(namespace).List(bed.ctx, metav1.ListOptions{})
				if err != nil {
					return 0, err
				}
				for i := range list.Items {
					if s := readStatus(t, &list.Items[i]); s.State == "Running" && s.is("Ready") {
						n++
					}
				}
				return n, nil
			}
			within(t, 5*time.Minute, "all clusters run", func() error {
				time.Sleep(time.Second)
				n, err := running()
				if err != nil {
					return err
				}
				return atLeast(size, n)
			})
			calls, failures := e.tap.syncs()
			t.Logf("%d FlameClusters created in %s, all running after %s, %d sync calls", size, created.Round(time.Second), time.Since(start).Round(time.Second), calls)
			assert.Zero(t, failures, "failed calls")
			// A call that was asked for before a cluster was ready comes up to 15 s later.
			time.Sleep(20 * time.Second)
			before, _ := e.tap.syncs()
			time.Sleep(10 * time.Second)
			after, _ := e.tap.syncs()
			assert.Equal(t, before, after, "calls in 10 s of rest")
			deleted := time.Now()
			require.NoError(t, bed.kube.CoreV1().Namespaces().Delete(bed.ctx, namespace, metav1.DeleteOptions{}))
			within(t, 5*time.Minute, "nothing left", func() error {
				time.Sleep(time.Second)
				pods, err := bed.kube.CoreV1().Pods(namespace).List(bed.ctx, metav1.ListOptions{Limit: 1})
				if err != nil {
					return err
				}
				return none(len(pods.Items))
			})
			t.Logf("all gone %s after deleting the namespace", time.Since(deleted).Round(time.Second))
		})
	}
}
