// Package sandbox brings up what scenarios and the demo have in common: a control
// plane, a fake kubelet and Metacontroller's custom resources.
package sandbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

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

// Sandbox is a running control plane with a fake kubelet.
type Sandbox struct {
	Plane   *controlplane.ControlPlane
	Config  *rest.Config
	Kube    kubernetes.Interface
	Dynamic dynamic.Interface
}

// Start brings a sandbox up, with its files below dir and more flags for the
// kube-apiserver if there are any. The kubelet lives as long as ctx.
func Start(ctx context.Context, dir string, flags ...string) (*Sandbox, error) {
	plane, err := controlplane.Start(ctx, dir, flags...)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{Plane: plane}
	if err := s.start(ctx); err != nil {
		plane.Stop()
		return nil, err
	}
	return s, nil
}

func (s *Sandbox) start(ctx context.Context) error {
	var err error
	if s.Config, err = s.Plane.RESTConfig(); err != nil {
		return err
	}
	if s.Kube, err = kubernetes.NewForConfig(s.Config); err != nil {
		return err
	}
	if s.Dynamic, err = dynamic.NewForConfig(s.Config); err != nil {
		return err
	}
	if err := kubelet.Run(ctx, s.Config); err != nil {
		return fmt.Errorf("fake kubelet: %w", err)
	}
	definitions, err := install.Objects(crds.Metacontroller)
	if err != nil {
		return err
	}
	if err := s.Apply(ctx, definitions...); err != nil {
		return fmt.Errorf("the definitions of Metacontroller: %w", err)
	}
	return nil
}

// DefineNeighbors applies the definitions of what examples and components use beside
// FlameClusters.
func (s *Sandbox) DefineNeighbors(ctx context.Context) error {
	definitions, err := install.Objects(crds.Neighbors)
	if err != nil {
		return err
	}
	return s.Apply(ctx, definitions...)
}

// Apply does what `kubectl apply` does.
func (s *Sandbox) Apply(ctx context.Context, objects ...*unstructured.Unstructured) error {
	installer, err := install.New(s.Config)
	if err != nil {
		return err
	}
	return installer.Apply(ctx, objects...)
}

// Manifests decodes a YAML file of the repository.
func Manifests(path string) ([]*unstructured.Unstructured, error) {
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

// Engine is Metacontroller where METACONTROLLER_BIN names its binary, and the
// stand-in otherwise.
func Engine() engine.Start {
	if binary := os.Getenv("METACONTROLLER_BIN"); binary != "" {
		return metacontroller.Binary(binary)
	}
	return standin.Start
}

// Hook returns the path of the binary that FLAME_HOOK_BIN names, or builds one in dir.
func Hook(ctx context.Context, dir string) (string, error) {
	if binary := os.Getenv("FLAME_HOOK_BIN"); binary != "" {
		return binary, nil
	}
	return hookprocess.Build(ctx, dir)
}
