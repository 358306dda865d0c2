package scenarios

import (
	"testing"
	"time"
)

// patience is how long scenarios wait for something that should happen soon. It is
// generous, since many scenarios share few cores; waiting ends when it happens.
const patience = 5 * time.Minute

// stopTime is how long a process that is asked to end may take. The hook goes on for 5 s,
// and then waits up to 20 s for the calls that it is answering.
const stopTime = time.Minute

// eventually repeats check until it returns nil, at most as long as patience.
func eventually(t *testing.T, what string, check func() error) {
	t.Helper()
	within(t, patience, what, check)
}

// within repeats check until it returns nil, at most as long as limit.
func within(t *testing.T, limit time.Duration, what string, check func() error) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		if err = check(); err == nil {
			return
		}
		if bed.ctx.Err() != nil {
			break
		}
	}
	t.Fatalf("waited %s for: %s\nlast seen: %v", limit, what, err)
}
