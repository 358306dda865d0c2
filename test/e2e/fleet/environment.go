package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/xflops/flame-operator/test/e2e/controlplane"
	"github.com/xflops/flame-operator/test/e2e/engine"
	"github.com/xflops/flame-operator/test/e2e/engine/metacontroller"
	"github.com/xflops/flame-operator/test/e2e/engine/standin"
	"github.com/xflops/flame-operator/test/e2e/hookprocess"
	"github.com/xflops/flame-operator/test/e2e/install"
	"github.com/xflops/flame-operator/test/e2e/sandbox"
)

// How Metacontroller is set up: as it has to be for a fleet, see docs/operations.md.
const (
	qps     = 200
	burst   = 400
	workers = 20
)

// resyncPeriod is longer than any run, so that no call comes from it.
const resyncPeriod = 24 * time.Hour

// environment is all that one fleet needs: a control plane of its own, the hook or
// its constant answers, and an engine.
type environment struct {
	sandbox  *sandbox.Sandbox
	hook     *hookprocess.Hook
	tap      *tap
	engine   engine.Engine
	progress *progress
	cancel   context.CancelFunc
}

// newEnvironment brings an environment up, with its files in dir. The hook is the
// binary, unless there are constant answers.
func newEnvironment(ctx context.Context, dir, binary string, constant map[exchange][]byte) (*environment, error) {
	e := &environment{}
	ctx, e.cancel = context.WithCancel(ctx)
	if err := e.start(ctx, dir, binary, constant); err != nil {
		e.stop()
		return nil, err
	}
	return e, nil
}

func (e *environment) start(ctx context.Context, dir, binary string, constant map[exchange][]byte) error {
	flags, err := controlplane.AuditEverything(dir)
	if err != nil {
		return err
	}
	if e.sandbox, err = sandbox.Start(ctx, dir, flags...); err != nil {
		return err
	}
	target := ""
	if constant == nil {
		if e.hook, err = hookprocess.Start(ctx, binary, filepath.Join(dir, "hook.log"), 0, "--log-level=info"); err != nil {
			return err
		}
		target = e.hook.URL
	}
	if e.tap, err = newTap(ctx, target, constant); err != nil {
		return err
	}
	if err := e.install(ctx); err != nil {
		return err
	}
	if e.progress, err = follow(ctx, e.sandbox.Config); err != nil {
		return err
	}
	e.engine, err = startEngine()(ctx, engine.Config{
		Kubeconfig: e.sandbox.Plane.Kubeconfig(), Mode: engine.DynamicApply, Log: filepath.Join(dir, "engine.log"),
	})
	if err != nil {
		return err
	}
	return e.warmUp(ctx)
}

// startEngine is like sandbox.Engine, with a Metacontroller that is set up for a
// fleet.
func startEngine() engine.Start {
	if binary := os.Getenv("METACONTROLLER_BIN"); binary != "" {
		return metacontroller.Command(binary, []string{
			fmt.Sprintf("--client-go-qps=%d", qps), fmt.Sprintf("--client-go-burst=%d", burst), fmt.Sprintf("--workers=%d", workers), "--zap-log-level=info",
		}, nil)
	}
	return standin.Start
}

// engineName says what startEngine starts.
func engineName() string {
	if os.Getenv("METACONTROLLER_BIN") != "" {
		return fmt.Sprintf("Metacontroller with `--client-go-qps=%d --client-go-burst=%d --workers=%d`", qps, burst, workers)
	}
	return "a stand-in for Metacontroller, without a rate limit"
}

// install applies our manifests, with the webhooks pointed at the tap.
func (e *environment) install(ctx context.Context) error {
	objects, err := sandbox.Manifests("manifests/install.yaml")
	if err != nil {
		return err
	}
	for _, controller := range install.OfKind(objects, "CompositeController") {
		if err := install.PointAt(controller, e.tap.url); err != nil {
			return err
		}
		if err := unstructured.SetNestedField(controller.Object, int64(resyncPeriod.Seconds()), "spec", "resyncPeriodSeconds"); err != nil {
			return err
		}
	}
	if err := e.sandbox.Apply(ctx, objects...); err != nil {
		return err
	}
	_, err = e.sandbox.Kube.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	return err
}

// warmUp brings one FlameCluster up that does not count, so that the fleet finds
// everything started.
func (e *environment) warmUp(ctx context.Context) error {
	if err := e.create(ctx, warmUpCluster); err != nil {
		return err
	}
	const patience = 2 * time.Minute
	if err := e.waitFor(ctx, 1, patience); err != nil {
		return fmt.Errorf("the first FlameCluster: %w", err)
	}
	return e.comeToRest(ctx, patience)
}

func (e *environment) create(ctx context.Context, name string) error {
	_, err := e.sandbox.Dynamic.Resource(flameClusters).Namespace(namespace).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": flameClusters.GroupVersion().String(), "kind": "FlameCluster",
		"metadata": map[string]any{"name": name}, "spec": map[string]any{"replicas": int64(executors)},
	}}, metav1.CreateOptions{})
	return err
}

// waitFor waits until as many FlameClusters run, and says every now and then how
// many do.
func (e *environment) waitFor(ctx context.Context, size int, patience time.Duration) error {
	begin := time.Now()
	said := begin
	for {
		n := e.progress.count()
		switch {
		case n >= size:
			return nil
		case e.engine.Exited():
			return fmt.Errorf("the engine has ended")
		case time.Since(begin) > patience:
			return fmt.Errorf("only %d of %d FlameClusters run after %s", n, size, patience)
		case time.Since(said) > 15*time.Second:
			said = time.Now()
			fmt.Fprintf(os.Stderr, "%4.0f s: %d of %d FlameClusters run\n", said.Sub(begin).Seconds(), n, size)
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

func (e *environment) stop() {
	if e.engine != nil {
		e.engine.Stop(10 * time.Second)
	}
	if e.tap != nil {
		e.tap.close()
	}
	if e.hook != nil {
		e.hook.Stop(10 * time.Second)
	}
	e.cancel()
	if e.sandbox != nil {
		e.sandbox.Plane.Stop()
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
