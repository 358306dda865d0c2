//go:build !linux

package process

import "syscall"

// attributes keep the program out of this process's group, so that an interrupt
// from the terminal reaches this process alone, which then stops things in order.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
