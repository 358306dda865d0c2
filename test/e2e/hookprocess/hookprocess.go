// Package hookprocess builds flame-hook and runs it as a process on loopback.
package hookprocess

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/xflops/flame-operator/test/e2e/controlplane"
	"github.com/xflops/flame-operator/test/e2e/process"
)

// Repository returns the root of the repository that this module is part of, seen
// from the working directory.
func Repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		content, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(content), "module github.com/xflops/flame-operator\n") {
			return dir, nil
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		return "", fmt.Errorf("no directory above the working directory is the repository")
	}
}

// Build compiles flame-hook into dir and returns the path of the binary.
func Build(ctx context.Context, dir string) (string, error) {
	root, err := Repository()
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "flame-hook")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/flame-hook")
	build.Dir = root
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/flame-hook: %w\n%s", err, output)
	}
	return binary, nil
}

// Hook is a running flame-hook.
type Hook struct {
	*process.Process
	// URL is the base of the webhook addresses, without a slash at the end.
	URL string
	// Admin is the base of the admin addresses.
	Admin string
}

// Start runs the binary on free loopback ports, or on the given one, with more
// flags if there are any, and waits until it is ready.
func Start(ctx context.Context, binary, log string, port int, flags ...string) (*Hook, error) {
	ports, err := controlplane.FreePorts(2)
	if err != nil {
		return nil, err
	}
	if port == 0 {
		port = ports[1]
	}
	listen, admin := fmt.Sprintf("127.0.0.1:%d", port), fmt.Sprintf("127.0.0.1:%d", ports[0])
	args := append([]string{"serve", "--listen=" + listen, "--admin-listen=" + admin, "--log-level=debug"}, flags...)
	p, err := process.Start(log, binary, args)
	if err != nil {
		return nil, err
	}
	h := &Hook{Process: p, URL: "http://" + listen, Admin: "http://" + admin}
	if err := h.waitReady(ctx); err != nil {
		p.Kill()
		return nil, err
	}
	return h, nil
}

// Ready says whether the hook answers its readiness probe. A hook that is slow to answer,
// as on a busy machine, counts as ready.
func (h *Hook) Ready(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, h.Admin+"/readyz", nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// patience is how long a start may take, on a busy machine too.
const patience = 5 * time.Minute

func (h *Hook) waitReady(ctx context.Context) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if h.Exited() {
			return fmt.Errorf("flame-hook ended with exit code %d", h.ExitCode())
		}
		if h.Ready(ctx) {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return fmt.Errorf("flame-hook was not ready after %s", patience)
}
