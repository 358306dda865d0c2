// Package process runs programs that must not outlive this one.
package process

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Process is a program that was started.
type Process struct {
	command *exec.Cmd
	stdin   io.Closer
	done    chan struct{}
}

// Start runs the program at path. Its output is appended to the file log. Its
// standard input stays open as long as this process lives; on Linux the program
// is killed when this process ends, however that happens.
func Start(log, path string, args []string, environment ...string) (*Process, error) {
	output, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer output.Close()
	command := exec.Command(path, args...)
	command.Env = append(os.Environ(), environment...)
	command.Stdout, command.Stderr = output, output
	command.SysProcAttr = attributes()
	stdin, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	p := &Process{command: command, stdin: stdin, done: make(chan struct{})}
	go func() {
		_ = command.Wait()
		close(p.done)
	}()
	return p, nil
}

// Kill ends the process at once and waits until it is gone. It may be called
// again, and on nil.
func (p *Process) Kill() {
	if p == nil {
		return
	}
	_ = p.command.Process.Kill()
	<-p.done
	_ = p.stdin.Close()
}

// Stop asks the process to end, and kills it if it has not ended after the given
// time. It says whether the process ended when asked.
func (p *Process) Stop(patience time.Duration) bool {
	if p == nil {
		return true
	}
	p.Terminate()
	select {
	case <-p.done:
		return true
	case <-time.After(patience):
		p.Kill()
		return false
	}
}

// Terminate asks the process to end and does not wait for it.
func (p *Process) Terminate() { _ = p.command.Process.Signal(syscall.SIGTERM) }

// Exited says whether the process has ended.
func (p *Process) Exited() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// ExitCode is the exit code of a process that has ended, -1 if a signal ended it.
func (p *Process) ExitCode() int {
	<-p.done
	return p.command.ProcessState.ExitCode()
}
