// Package metacontroller runs a binary of Metacontroller as an engine.
package metacontroller

import (
	"context"
	"slices"
	"time"

	"github.com/xflops/flame-operator/test/e2e/engine"
	"github.com/xflops/flame-operator/test/e2e/process"
)

// Binary returns a Start function for the Metacontroller binary at path.
func Binary(path string) engine.Start { return Command(path, nil, nil) }

// Command is Binary with more flags and environment variables. Metacontroller's rate
// limits are set far above its defaults, which are meant for a shared API server;
// metrics and health checks are off, since several run side by side.
func Command(path string, flags, environment []string) engine.Start {
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
		environment := slices.Clone(environment)
		if config.Proxy != "" {
			// Loopback addresses, and so the API server, never go through a proxy.
			environment = append(environment, "HTTP_PROXY="+config.Proxy, "HTTPS_PROXY="+config.Proxy)
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

// Usage is what the process has used so far.
func (r running) Usage() (process.Usage, error) { return r.process.Usage() }
