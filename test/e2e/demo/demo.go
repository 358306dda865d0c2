package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/xflops/flame-operator/test/e2e/engine"
	"github.com/xflops/flame-operator/test/e2e/hookprocess"
	"github.com/xflops/flame-operator/test/e2e/install"
	"github.com/xflops/flame-operator/test/e2e/sandbox"
)

// namespace is where the example is applied.
const namespace = metav1.NamespaceDefault

var flameClusters = schema.GroupVersionResource{Group: "flame.xflops.io", Version: "v1alpha1", Resource: "flameclusters"}

type demo struct {
	dir     string
	example string
	begin   time.Time
	name    string
	sandbox *sandbox.Sandbox
	hook    *hookprocess.Hook
	engine  engine.Engine
	cancel  context.CancelFunc
	last    string
}

func (d *demo) say(format string, arguments ...any) {
	fmt.Printf("%5.1fs  %s\n", time.Since(d.begin).Seconds(), fmt.Sprintf(format, arguments...))
}

func (d *demo) start(ctx context.Context) error {
	ctx, d.cancel = context.WithCancel(ctx)
	d.say("building flame-hook")
	binary, err := sandbox.Hook(ctx, d.dir)
	if err != nil {
		return err
	}
	d.say("starting etcd, kube-apiserver, controllers and a fake kubelet")
	if d.sandbox, err = sandbox.Start(ctx, d.dir); err != nil {
		return err
	}
	d.say("starting flame-hook")
	if d.hook, err = hookprocess.Start(ctx, binary, filepath.Join(d.dir, "hook.log"), 0); err != nil {
		return err
	}
	if err := d.install(ctx); err != nil {
		return err
	}
	d.say("starting Metacontroller, or its stand-in")
	if d.engine, err = sandbox.Engine()(ctx, engine.Config{
		Kubeconfig: d.sandbox.Plane.Kubeconfig(), Mode: engine.DynamicApply, Log: filepath.Join(d.dir, "engine.log"),
	}); err != nil {
		return err
	}
	return d.applyExample(ctx)
}

func (d *demo) install(ctx context.Context) error {
	d.say("kubectl apply -f manifests/install.yaml, with the webhooks pointed at %s", d.hook.URL)
	objects, err := sandbox.Manifests("manifests/install.yaml")
	if err != nil {
		return err
	}
	for _, controller := range install.OfKind(objects, "CompositeController") {
		if err := install.PointAt(controller, d.hook.URL); err != nil {
			return err
		}
	}
	return d.sandbox.Apply(ctx, objects...)
}

func (d *demo) applyExample(ctx context.Context) error {
	d.say("kubectl apply -f examples/%s.yaml", d.example)
	objects, err := sandbox.Manifests("examples/" + d.example + ".yaml")
	if err != nil {
		return err
	}
	clusters := install.OfKind(objects, "FlameCluster")
	if len(clusters) != 1 {
		return fmt.Errorf("examples/%s.yaml has %d FlameClusters", d.example, len(clusters))
	}
	d.name = clusters[0].GetName()
	return d.sandbox.Apply(ctx, objects...)
}

// follow prints the status of the FlameCluster whenever it changes, until ctx ends
// or, if asked for, until it is Running.
func (d *demo) follow(ctx context.Context, untilRunning bool) error {
	client := d.sandbox.Dynamic.Resource(flameClusters).Namespace(namespace)
	for {
		object, err := client.Get(ctx, d.name, metav1.GetOptions{})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case apierrors.IsNotFound(err):
			d.show("deleted")
		case err != nil:
			return err
		default:
			if state := d.describe(object); state == "Running" && untilRunning {
				return nil
			}
		}
		if d.engine.Exited() {
			return fmt.Errorf("the engine has ended")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func (d *demo) describe(object *unstructured.Unstructured) (state string) {
	status, _ := object.Object["status"].(map[string]any)
	state, _ = status["state"].(string)
	message, _ := status["message"].(string)
	ready, _ := status["readyReplicas"].(int64)
	wanted, _, _ := unstructured.NestedInt64(object.Object, "spec", "replicas")
	d.show(fmt.Sprintf("%s/%s  %-9s executors %d/%d  %s", namespace, d.name, state, ready, wanted, message))
	return state
}

func (d *demo) show(line string) {
	if line != d.last {
		d.last = line
		d.say("%s", line)
	}
}

func (d *demo) stop() {
	if d.engine != nil {
		d.engine.Stop(10 * time.Second)
	}
	if d.hook != nil {
		d.hook.Stop(10 * time.Second)
	}
	if d.cancel != nil {
		d.cancel()
	}
	if d.sandbox != nil {
		d.sandbox.Plane.Stop()
	}
}
