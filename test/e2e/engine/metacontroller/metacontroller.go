// Package metacontroller runs a binary of Metacontroller as an engine.
package metacontroller

import (
	"context"
	"time"

	"github.com/xflops/flame-operator/test/e2e/engine"
	"github.com/xflops/flame-operator/test/e2e/process"
)

// Binary returns a Start function for the Metacontroller binary at path. Its
// rate limits are set far above Metacontroller's defaults, which are meant for a
// shared API server; flags are added to the command line; metrics and health checks are off, since several run side by side.
func Binary(path string, flags ...string) engine.Start {
	return func(_ context.Context, config engine.Config) (engine.Engine, error) {
		args := []string{
			"--kubeconfig=" + config.Kubeconfig, "--apply-strategy=" + string(config.Mode), "--discovery-interval=1s",
			"--client-go-qps=500", "--client-go-burst=1000", "--events-qps=100", "--events-burst=1000",
			"--metrics-address=0", "--health-probe-bind-address=0", "--pprof-address=0", "--zap-log-level=4",
		}
		if config.Selector != "" {
			args = append(args, "--target-label-selector="+config.Selector)
		}
		args = append(args, flags...)
		var environment []string
		if config.Proxy != "" {
			// Loopback addresses, and so the API server, never go through a proxy.
			environment = []string{"HTTP_PROXY=" + config.Proxy, "HTTPS_PROXY=" + config.Proxy}
		}
		p, err := process.Start(config.Log, path, args, environment...)
		if err != nil {
			return nil, err
		}
		return running{p}, nil
	}
}

type running struct{ process *process.Process }

func (r running) Stop(patience time.Duration) { r.process.Stop(patience) }
func (r running) Exited() bool                { return r.process.Exited() }
