package scenarios

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/xflops/flame-operator/test/e2e/controlplane"
	"github.com/xflops/flame-operator/test/e2e/crds"
	"github.com/xflops/flame-operator/test/e2e/engine"
	"github.com/xflops/flame-operator/test/e2e/engine/metacontroller"
	"github.com/xflops/flame-operator/test/e2e/engine/standin"
	"github.com/xflops/flame-operator/test/e2e/hookprocess"
	"github.com/xflops/flame-operator/test/e2e/install"
	"github.com/xflops/flame-operator/test/e2e/kubelet"
)

// testbed is a control plane with our manifests applied, and what it takes to run
// hooks and engines against it.
type testbed struct {
	ctx         context.Context
	cancel      context.CancelFunc
	dir         string
	plane       *controlplane.ControlPlane
	config      *rest.Config
	kube        kubernetes.Interface
	dynamic     dynamic.Interface
	hook        string
	startEngine engine.Start
	manifests   []*unstructured.Unstructured
	warnings    []string

	sharing sync.Mutex
	shared  map[engine.ApplyMode]*environment

	mu  sync.Mutex
	all []*environment
}

func newTestbed(ctx context.Context, dir string) (*testbed, error) {
	b := &testbed{dir: dir, startEngine: standin.Start, shared: map[engine.ApplyMode]*environment{}}
	b.ctx, b.cancel = context.WithCancel(ctx)
	if binary := os.Getenv("METACONTROLLER_BIN"); binary != "" {
		b.startEngine = metacontroller.Binary(binary)
	}
	built := make(chan error, 1)
	go func() {
		var err error
		if b.hook = os.Getenv("FLAME_HOOK_BIN"); b.hook == "" {
			b.hook, err = hookprocess.Build(ctx, dir)
		}
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
	if b.plane, err = controlplane.Start(b.ctx, b.dir); err != nil {
		return err
	}
	if b.config, err = b.plane.RESTConfig(); err != nil {
		return err
	}
	if b.kube, err = kubernetes.NewForConfig(b.config); err != nil {
		return err
	}
	if b.dynamic, err = dynamic.NewForConfig(b.config); err != nil {
		return err
	}
	if err := kubelet.Run(b.ctx, b.config); err != nil {
		return err
	}
	installer, err := install.New(b.config)
	if err != nil {
		return err
	}
	definitions, err := install.Objects(crds.Metacontroller)
	if err != nil {
		return err
	}
	if err := installer.Apply(b.ctx, definitions...); err != nil {
		return fmt.Errorf("Metacontroller's definitions: %w", err)
	}
	if err := b.createOldObjects(installer); err != nil {
		return fmt.Errorf("the first release: %w", err)
	}
	if b.manifests, err = readManifests("manifests/install.yaml"); err != nil {
		return err
	}
	if err := installer.Apply(b.ctx, b.manifests...); err != nil {
		return fmt.Errorf("manifests/install.yaml: %w", err)
	}
	b.warnings = installer.Warnings()
	_, err = b.kube.SchedulingV1().PriorityClasses().Create(b.ctx, &schedulingv1.PriorityClass{
		ObjectMeta: metav1.ObjectMeta{Name: examplePriorityClass}, Value: 1000,
	}, metav1.CreateOptions{})
	return err
}

// examplePriorityClass is one that examples/production.yaml expects to exist.
const examplePriorityClass = "batch"

// readManifests decodes a file of the repository.
func readManifests(path string) ([]*unstructured.Unstructured, error) {
	root, err := hookprocess.Repository()
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		return nil, err
	}
	return install.Objects(content)
}

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
