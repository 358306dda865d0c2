package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/client-go/util/workqueue"

	"github.com/xflops/flame-operator/test/e2e/engine"
	"github.com/xflops/flame-operator/test/e2e/fleet/report"
	"github.com/xflops/flame-operator/test/e2e/process"
)

const (
	namespace     = "fleet"
	executors     = 3
	warmUpCluster = "warm-up"
	// settle is how long no call may have come before the fleet counts as resting.
	settle = 10 * time.Second
	// resting is how long the fleet is watched from then on.
	resting = 30 * time.Second
)

func clusterName(i int) string { return fmt.Sprintf("flame-%04d", i) }

// measure creates a fleet in an environment that is up, and returns what that cost.
func (e *environment) measure(ctx context.Context, hook string, size int, patience time.Duration) (report.Result, error) {
	result := report.Result{Hook: hook, Size: size}
	before, err := e.used()
	if err != nil {
		return result, err
	}
	start := time.Now()
	if err := e.createAll(ctx, size); err != nil {
		return result, err
	}
	// The cluster that came first runs too.
	if err := e.waitFor(ctx, size+1, patience); err != nil {
		return result, err
	}
	if err := e.comeToRest(ctx, patience); err != nil {
		return result, err
	}
	settled := time.Now()
	after, err := e.used()
	if err != nil {
		return result, err
	}
	result.Used = difference(before, after)
	if result.Requests, err = e.requests(start, settled); err != nil {
		return result, err
	}
	for _, at := range e.progress.times(start) {
		if at > 0 {
			result.Running = append(result.Running, at)
		}
	}
	if len(result.Running) != size {
		return result, fmt.Errorf("%d of %d FlameClusters run, after all of them did", len(result.Running), size)
	}
	if err := pause(ctx, time.Until(settled.Add(resting))); err != nil {
		return result, err
	}
	result.Syncs = e.syncs(size, settled)
	return result, nil
}

// comeToRest waits until a fleet that runs causes no more calls: Metacontroller's queue
// has to go through the last events, and keeps what was asked for while clusters were
// not ready.
func (e *environment) comeToRest(ctx context.Context, patience time.Duration) error {
	for deadline := time.Now().Add(patience); ; {
		left := settle - time.Since(e.tap.Latest())
		switch {
		case left <= 0:
			return nil
		case time.Now().After(deadline):
			return fmt.Errorf("calls still come %s after all clusters run", patience)
		}
		if err := pause(ctx, left); err != nil {
			return err
		}
	}
}

// createAll creates the fleet, many at a time, so that the first is not done before
// the last is there.
func (e *environment) createAll(ctx context.Context, size int) error {
	failures := make([]error, size)
	workqueue.ParallelizeUntil(ctx, workers, size, func(i int) { failures[i] = e.create(ctx, clusterName(i)) })
	return errors.Join(failures...)
}

// syncs counts the calls about the fleet.
func (e *environment) syncs(size int, settled time.Time) report.Syncs {
	s := report.Syncs{Failed: e.tap.Failures()}
	for i := range size {
		since, _ := e.progress.runsSince(clusterName(i))
		for _, c := range e.tap.Of(namespace + "/" + clusterName(i)) {
			if c.At.After(settled) {
				s.Resting++
				continue
			}
			s.All++
			switch {
			case c.Asked:
				s.Asked++
			case c.At.After(since):
				s.Late++
				if c.News {
					s.LateNews++
				}
			}
		}
	}
	return s
}

// requests counts those to the API server.
func (e *environment) requests(from, until time.Time) (report.Requests, error) {
	all, err := e.sandbox.Plane.Requests(from, until)
	var r report.Requests
	for client, n := range all {
		if strings.HasPrefix(client, "metacontroller") {
			r.Engine += n
		} else {
			r.Others += n
		}
	}
	return r, err
}

// used returns what all processes have used so far.
func (e *environment) used() (u report.Used, err error) {
	if e.hook != nil {
		if u.Hook, err = usage(e.hook.Process); err != nil {
			return u, err
		}
	}
	if measured, ok := e.engine.(engine.Measured); ok {
		if u.Engine, err = usage(measured); err != nil {
			return u, err
		}
	}
	u.APIServer, u.Controllers, err = e.sandbox.Plane.Usage()
	return u, err
}

func usage(of engine.Measured) (*process.Usage, error) {
	u, err := of.Usage()
	return &u, err
}

// difference is what was used between two moments. The peak of memory is that of
// the process' whole life.
func difference(before, after report.Used) report.Used {
	for _, pair := range [][2]*process.Usage{
		{before.Hook, after.Hook}, {before.Engine, after.Engine}, {&before.APIServer, &after.APIServer}, {&before.Controllers, &after.Controllers},
	} {
		if pair[0] != nil {
			pair[1].CPU -= pair[0].CPU
		}
	}
	return after
}
