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

// fleet is the part of the fleet that one engine takes care of.
type fleet struct {
	e         *environment
	namespace string
	size      int
}

// running counts the FlameClusters that run.
func (f *fleet) running(t *testing.T) (n int, err error) {
	list, err := bed.dynamic.Resource(flameClusters).Namespace(f.namespace).List(bed.ctx, metav1.ListOptions{})
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

// Many FlameClusters at once, shared out among the apply modes. This test is not
// parallel to others, so that its times mean something.
func TestFleet(t *testing.T) {
	var fleets []*fleet
	var environments []*environment
	for _, mode := range modes() {
		e, err := bed.newEnvironment(mode, options{resyncPeriod: 3600})
		require.NoError(t, err)
		t.Cleanup(e.stop)
		environments = append(environments, e)
		fleets = append(fleets, &fleet{e, newNamespace(t, nil), fleetSize(t) / len(modes())})
	}
	start := time.Now()
	for _, f := range fleets {
		for i := range f.size {
			require.NoError(t, reference(t, f.e, f.namespace, fmt.Sprintf("flame-%d", i)).create(nil))
		}
	}
	created := time.Since(start)
	for _, f := range fleets {
		within(t, 10*time.Minute, "all clusters run", func() error {
			n, err := f.running(t)
			if err != nil {
				return err
			}
			time.Sleep(time.Second)
			return atLeast(f.size, n)
		})
		calls, failures := f.e.tap.syncs()
		t.Logf("%s: %d FlameClusters, the whole fleet created in %s, these running after %s, %d sync calls",
			f.e.mode, f.size, created.Round(time.Second), time.Since(start).Round(time.Second), calls)
		assert.Zero(t, failures, "failed calls")
	}
	waitQuiet(t, 20*time.Second, environments...)
	before := make([]int, len(fleets))
	for i, f := range fleets {
		before[i], _ = f.e.tap.syncs()
	}
	time.Sleep(10 * time.Second)
	for i, f := range fleets {
		after, _ := f.e.tap.syncs()
		assert.Equal(t, before[i], after, "calls in 10 s of rest")
		require.NoError(t, bed.kube.CoreV1().Namespaces().Delete(bed.ctx, f.namespace, metav1.DeleteOptions{}))
	}
}
