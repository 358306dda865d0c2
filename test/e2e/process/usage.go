package process

import "time"

// Usage is what a process has used so far, without its children.
type Usage struct {
	// CPU is the time that processors spent on it, in user and in system mode.
	CPU time.Duration
	// PeakMemory is the most memory that was resident at any time, in bytes.
	PeakMemory int64
}

// Usage returns what the process has used so far. It has to be running.
func (p *Process) Usage() (Usage, error) { return UsageOf(p.command.Process.Pid) }
