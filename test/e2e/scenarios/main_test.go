package scenarios

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/xflops/flame-operator/test/e2e/clientlog"
	"github.com/xflops/flame-operator/test/e2e/controlplane"
)

// bed is what all scenarios share.
var bed *testbed

func TestMain(m *testing.M) {
	controlplane.Main()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	flag.Parse()
	// Scenarios wait much more than they work, so many of them fit on few cores.
	if parallel := flag.Lookup("test.parallel"); parallel.Value.String() == parallel.DefValue {
		_ = parallel.Value.Set("48")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "flame-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := clientlog.ToFile(filepath.Join(dir, "client-go.log")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	bed, err = newTestbed(ctx, dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "the test bed does not come up:", err)
		fmt.Fprintln(os.Stderr, "logs are in", dir)
		return 1
	}
	if err := bed.createPatientTroubles(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		bed.stop()
		return 1
	}
	code := m.Run()
	bed.stop()
	if code != 0 || os.Getenv("E2E_KEEP") != "" {
		fmt.Fprintln(os.Stderr, "logs are in", dir)
		return code
	}
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}
