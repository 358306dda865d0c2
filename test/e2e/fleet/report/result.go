// Package report says in Markdown what a fleet cost.
package report

import (
	"slices"
	"time"

	"github.com/xflops/flame-operator/test/e2e/process"
)

// Names of the two hooks that are compared.
const (
	FlameHook = "flame-hook"
	Constant  = "constant"
)

// Result is what one fleet cost with one hook.
type Result struct {
	// Hook is FlameHook or Constant.
	Hook string
	// Size is the number of FlameClusters.
	Size int
	// Running are the times at which clusters came to run, counted from the creation
	// of the first, in ascending order.
	Running []time.Duration
	Syncs   Syncs
	// Requests to the API server until the fleet was at rest.
	Requests Requests
	// Used is what was used until the fleet was at rest.
	Used Used
}

// Syncs are numbers of sync calls. All but the last are counted until the fleet is
// at rest.
type Syncs struct {
	All int
	// Asked are those that only came since the hook asked for them, by
	// resyncAfterSeconds: nothing had changed.
	Asked int
	// Late are the others about a cluster that ran already, LateNews those of them
	// before which something had changed.
	Late, LateNews int
	// Failed are those without a good answer.
	Failed int
	// Resting are those in a while after the fleet came to rest.
	Resting int
}

// Requests are numbers of requests to the API server: those of the engine, and those
// of all others, such as the control plane's controllers and the fake kubelet.
type Requests struct{ Engine, Others int }

// Used is what the processes used.
type Used struct {
	// Hook is nil where the hook has no process of its own, Engine likewise.
	Hook, Engine           *process.Usage
	APIServer, Controllers process.Usage
}

// Took is the time until all clusters ran.
func (r *Result) Took() time.Duration {
	if len(r.Running) == 0 {
		return 0
	}
	return slices.Max(r.Running)
}

// per is a number per cluster.
func (r *Result) per(n int) float64 { return float64(n) / float64(max(1, r.Size)) }

// hookShare is the hook's part of the processor time of the hook, the engine and,
// if asked for, the control plane, in percent. It is not known where one of them
// has no process of its own.
func (r *Result) hookShare(controlPlane bool) (percent float64, known bool) {
	if r.Used.Hook == nil || r.Used.Engine == nil {
		return 0, false
	}
	total := r.Used.Hook.CPU + r.Used.Engine.CPU
	if controlPlane {
		total += r.Used.APIServer.CPU + r.Used.Controllers.CPU
	}
	if total == 0 {
		return 0, false
	}
	return 100 * float64(r.Used.Hook.CPU) / float64(total), true
}
