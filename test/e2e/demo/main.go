// Command demo shows a FlameCluster come up: a Kubernetes control plane on
// loopback, our manifests, flame-hook, and Metacontroller (METACONTROLLER_BIN) or its
// stand-in. It runs until it is interrupted and leaves nothing behind.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/xflops/flame-operator/test/e2e/clientlog"
	"github.com/xflops/flame-operator/test/e2e/controlplane"
)

func main() {
	controlplane.Main()
	example := flag.String("example", "minimal", "the file in examples/ to apply, without .yaml")
	leave := flag.Bool("leave", false, "end when the FlameCluster is Running, instead of following it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *example, *leave)
	stop()
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, example string, leave bool) error {
	dir, err := os.MkdirTemp("", "flame-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := clientlog.ToFile(filepath.Join(dir, "client-go.log")); err != nil {
		return err
	}
	d := &demo{dir: dir, example: example, begin: time.Now()}
	defer d.stop()
	if err := d.start(ctx); err != nil {
		return err
	}
	if err := d.follow(ctx, true); err != nil {
		return err
	}
	if leave {
		return nil
	}
	fmt.Printf(`
It runs. In another terminal:

  export KUBECONFIG=%s
  kubectl -n %s get fc,deploy,pods
  kubectl -n %s scale fc/%s --replicas=4
  kubectl -n %s describe fc/%s

Press Ctrl-C to end.

`, filepath.Join(dir, "kubeconfig"), namespace, namespace, d.name, namespace, d.name)
	return d.follow(ctx, false)
}
