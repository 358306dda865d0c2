package scenarios

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"

	"github.com/xflops/flame-operator/test/e2e/controlplane"
	"github.com/xflops/flame-operator/test/e2e/engine"
	"github.com/xflops/flame-operator/test/e2e/install"
	"github.com/xflops/flame-operator/test/e2e/sandbox"
)

// testbed is a control plane with our manifests applied, and what it takes to run
// hooks and engines against it.
type testbed struct {
	ctx         context.Context
	cancel      context.CancelFunc
	dir         string
	sandbox     *sandbox.Sandbox
	plane       *controlplane.ControlPlane
	kube        kubernetes.Interface
	dynamic     dynamic.Interface
	metadata    metadata.Interface
	hook        string
	startEngine engine.Start
	manifests   []*unstructured.Unstructured
	warnings    []string

	sharing sync.Mutex
	shared  map[engine.ApplyMode]*environment
	// podless are environments without the customize hook.
	podless map[engine.ApplyMode]*environment

	mu  sync.Mutex
	all []*environment
}

func newTestbed(ctx context.Context, dir string) (*testbed, error) {
	b := &testbed{dir: dir, startEngine: sandbox.Engine(), shared: map[engine.ApplyMode]*environment{}, podless: map[engine.ApplyMode]*environment{}}
	b.ctx, b.cancel = context.WithCancel(ctx)
	built := make(chan error, 1)
	go func() {
		var err error
		b.hook, err = sandbox.Hook(ctx, dir)
		built <- err
	}()
	if err := b.start(); err != nil {
		b.stop()
		return nil, err
	}
	if err := <-built; err != nil {
		b.stop()
		return nil, err
	}
	return b, nil
}

func (b *testbed) start() error {
	var err error
	if b.sandbox, err = sandbox.Start(b.ctx, b.dir); err != nil {
		return err
	}
	b.plane, b.kube, b.dynamic = b.sandbox.Plane, b.sandbox.Kube, b.sandbox.Dynamic
	if b.metadata, err = metadata.NewForConfig(b.sandbox.Config); err != nil {
		return err
	}
	installer, err := install.New(b.sandbox.Config)
	if err != nil {
		return err
	}
	if err := b.createOldObjects(installer); err != nil {
		return fmt.Errorf("the first release: %w", err)
	}
	if b.manifests, err = sandbox.Manifests("manifests/install.yaml"); err != nil {
		return err
	}
	if err := installer.Apply(b.ctx, b.manifests...); err != nil {
		return fmt.Errorf("manifests/install.yaml: %w", err)
	}
	b.warnings = installer.Warnings()
	if err := b.sandbox.DefineNeighbors(b.ctx); err != nil {
		return err
	}
	_, err = b.kube.SchedulingV1().PriorityClasses().Create(b.ctx, &schedulingv1.PriorityClass{
		ObjectMeta: metav1.ObjectMeta{Name: examplePriorityClass}, Value: 1000,
	}, metav1.CreateOptions{})
	return err
}

// examplePriorityClass is one that examples/production.yaml expects to exist.
const examplePriorityClass = "batch"

func (b *testbed) stop() {
	b.mu.Lock()
	environments := b.all
	b.mu.Unlock()
	for _, e := range environments {
		e.stop()
	}
	b.cancel()
	if b.plane != nil {
		b.plane.Stop()
	}
}

// modes are the apply modes that this run covers.
func modes() []engine.ApplyMode {
	if only := os.Getenv("E2E_APPLY_MODE"); only != "" {
		return []engine.ApplyMode{engine.ApplyMode(only)}
	}
	return []engine.ApplyMode{engine.DynamicApply, engine.ServerSideApply}
}

// inEachMode runs a scenario in each apply mode, in an environment that it shares
// with other scenarios: it must not disturb hook and engine.
func inEachMode(t *testing.T, scenario func(t *testing.T, e *environment)) {
	t.Parallel()
	for _, mode := range modes() {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			e, err := bed.sharedEnvironment(mode)
			if err != nil {
				t.Fatal(err)
			}
			scenario(t, e)
		})
	}
}

// alone runs a scenario in each apply mode, in an environment of its own.
func alone(t *testing.T, o options, scenario func(t *testing.T, e *environment)) {
	t.Parallel()
	for _, mode := range modes() {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			e, err := bed.newEnvironment(mode, o)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(e.stop)
			scenario(t, e)
		})
	}
}

func (b *testbed) sharedEnvironment(mode engine.ApplyMode) (*environment, error) {
	b.sharing.Lock()
	defer b.sharing.Unlock()
	if e := b.shared[mode]; e != nil {
		return e, nil
	}
	e, err := b.newEnvironment(mode, options{})
	if err == nil {
		b.shared[mode] = e
	}
	return e, err
}
