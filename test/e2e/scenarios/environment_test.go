package scenarios

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/xflops/flame-operator/test/e2e/engine"
	"github.com/xflops/flame-operator/test/e2e/hookprocess"
	"github.com/xflops/flame-operator/test/e2e/install"
)

// Labels that keep environments apart.
const (
	controllerLabel = "e2e.xflops.io/engine"
	parentLabel     = "e2e.xflops.io/environment"
)

// environment is a hook, a tap before it, an engine, and the CompositeController
// that joins them. It takes care of the FlameClusters with its label and no others.
type environment struct {
	dir  string
	name string
	mode engine.ApplyMode
	tap  *tap
	hook *hookprocess.Hook

	once    sync.Once
	mu      sync.Mutex
	running engine.Engine
}

// options change an environment from what manifests/install.yaml describes.
type options struct {
	// resyncPeriod is the CompositeController's resyncPeriodSeconds, if not 0.
	resyncPeriod int64
	// hookVersion is the version of all hooks, if not empty.
	hookVersion string
	// withoutCustomize leaves the customize hook out, and finalize adds that hook.
	withoutCustomize, finalize bool
	// base replaces the tap as what the engine calls, if not empty.
	base string
	// hookFlags are more flags for flame-hook.
	hookFlags []string
}

var environments atomic.Int64

func (b *testbed) newEnvironment(mode engine.ApplyMode, o options) (*environment, error) {
	e := &environment{dir: b.dir, name: fmt.Sprintf("environment-%d", environments.Add(1)), mode: mode}
	b.mu.Lock()
	b.all = append(b.all, e)
	b.mu.Unlock()
	var err error
	if e.hook, err = hookprocess.Start(b.ctx, b.hook, e.hookLog(), 0, o.hookFlags...); err != nil {
		return nil, err
	}
	if e.tap, err = newTap(e.hook.URL); err != nil {
		return nil, err
	}
	base := e.tap.url
	if o.base != "" {
		base = o.base
	}
	controller, err := b.compositeController(e.name, base, o)
	if err != nil {
		return nil, err
	}
	if err := b.sandbox.Apply(b.ctx, controller); err != nil {
		return nil, err
	}
	return e, e.startEngine()
}

// compositeController returns the one of our manifests, for that environment.
func (b *testbed) compositeController(name, base string, o options) (*unstructured.Unstructured, error) {
	found := install.OfKind(b.manifests, "CompositeController")
	if len(found) != 1 {
		return nil, fmt.Errorf("manifests/install.yaml has %d CompositeControllers", len(found))
	}
	controller := found[0].DeepCopy()
	if err := install.PointAt(controller, base); err != nil {
		return nil, err
	}
	if err := install.Isolate(controller, name, controllerLabel, parentLabel); err != nil {
		return nil, err
	}
	if o.resyncPeriod != 0 {
		if err := unstructured.SetNestedField(controller.Object, o.resyncPeriod, "spec", "resyncPeriodSeconds"); err != nil {
			return nil, err
		}
	}
	return controller, o.changeHooks(controller)
}

// changeHooks changes the hooks of a CompositeController.
func (o options) changeHooks(controller *unstructured.Unstructured) error {
	hooks, _, err := unstructured.NestedMap(controller.Object, "spec", "hooks")
	if err != nil {
		return err
	}
	if o.withoutCustomize {
		delete(hooks, "customize")
	}
	if o.finalize {
		address, _, err := unstructured.NestedString(hooks, "sync", "webhook", "url")
		if err != nil {
			return err
		}
		hooks["finalize"] = map[string]any{
			"version": "v2", "webhook": map[string]any{"url": strings.Replace(address, "/sync", "/finalize", 1)},
		}
	}
	if o.hookVersion != "" {
		for name := range hooks {
			if err := unstructured.SetNestedField(hooks, o.hookVersion, name, "version"); err != nil {
				return err
			}
		}
	}
	return unstructured.SetNestedMap(controller.Object, hooks, "spec", "hooks")
}

func (e *environment) hookLog() string   { return filepath.Join(e.dir, e.name+"-hook.log") }
func (e *environment) engineLog() string { return filepath.Join(e.dir, e.name+"-engine.log") }

func (e *environment) startEngine() error {
	running, err := bed.startEngine(bed.ctx, engine.Config{
		Kubeconfig: bed.plane.Kubeconfig(), Mode: e.mode, Selector: controllerLabel + "=" + e.name, Log: e.engineLog(),
	})
	e.mu.Lock()
	defer e.mu.Unlock()
	e.running = running
	return err
}

func (e *environment) stopEngine() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.running != nil {
		e.running.Stop(stopTime)
		e.running = nil
	}
}

// waitQuiet waits until no hook of these environments has been asked to sync for that
// long. A call that was asked for before a cluster was ready comes up to 15 s later.
func waitQuiet(t *testing.T, period time.Duration, environments ...*environment) {
	t.Helper()
	calls := func() (n int) {
		for _, e := range environments {
			asked, _ := e.tap.syncs()
			n += asked
		}
		return n
	}
	last, since := calls(), time.Now()
	eventually(t, "no sync call for "+period.String(), func() error {
		if now := calls(); now != last {
			last, since = now, time.Now()
		}
		if quiet := time.Since(since); quiet < period {
			return fmt.Errorf("the last of %d calls came %s ago", last, quiet.Round(time.Second))
		}
		return nil
	})
}

// restartHook replaces the hook's process by a new one behind the same tap.
func (e *environment) restartHook() error {
	e.hook.Stop(stopTime)
	hook, err := hookprocess.Start(bed.ctx, bed.hook, e.hookLog(), 0)
	if err != nil {
		return err
	}
	e.hook = hook
	e.tap.pointAt(hook.URL)
	return nil
}

func (e *environment) stop() {
	e.once.Do(func() {
		e.stopEngine()
		if e.tap != nil {
			e.tap.close()
		}
		if e.hook != nil {
			e.hook.Stop(stopTime)
		}
	})
}
