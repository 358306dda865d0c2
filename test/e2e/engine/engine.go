// Package engine is what runs a CompositeController: Metacontroller itself, or the
// stand-in for it.
package engine

import (
	"context"
	"time"

	"github.com/xflops/flame-operator/test/e2e/process"
)

// ApplyMode is how children are written, Metacontroller's --apply-strategy.
type ApplyMode string

// The apply modes that Metacontroller has.
const (
	DynamicApply    ApplyMode = "dynamic-apply"
	ServerSideApply ApplyMode = "server-side-apply"
)

// Config is what an engine is started with.
type Config struct {
	// Kubeconfig is the path of the kubeconfig to use.
	Kubeconfig string
	// Mode is how children are written.
	Mode ApplyMode
	// Selector selects, by label, the CompositeControllers to run. Empty: all.
	Selector string
	// Proxy, if not empty, is the URL of a proxy through which hooks are called. It
	// stands in for the cluster's DNS and network, which have no place here.
	Proxy string
	// Log is the file to which the log is appended.
	Log string
}

// Engine is a running engine.
type Engine interface {
	// Stop asks it to end and waits for it, at most as long as patience.
	Stop(patience time.Duration)
	// Exited says that it ended although nobody asked it to.
	Exited() bool
}

// Measured is an engine that is a process of its own.
type Measured interface {
	// Usage is what it has used so far.
	Usage() (process.Usage, error)
}

// Start starts an engine. It may return before the engine has done anything.
type Start func(ctx context.Context, config Config) (Engine, error)
