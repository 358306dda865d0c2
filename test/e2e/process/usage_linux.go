package process

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// tick is the unit of processor time in /proc, 1/100 s on every architecture that Go
// knows (USER_HZ).
const tick = 10 * time.Millisecond

// UsageOf returns what the process with that id has used so far.
func UsageOf(pid int) (Usage, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return Usage{}, err
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return Usage{}, err
	}
	return parseUsage(stat, status)
}

// parseUsage reads /proc/PID/stat, whose second field is a name in parentheses that
// may hold anything, and /proc/PID/status.
func parseUsage(stat, status []byte) (Usage, error) {
	// From the third field on: utime is the 14th, stime the 15th of all.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 13 {
		return Usage{}, fmt.Errorf("/proc/PID/stat has %d fields after the name", len(fields))
	}
	var u Usage
	for _, field := range fields[11:13] {
		ticks, err := strconv.ParseInt(string(field), 10, 64)
		if err != nil {
			return Usage{}, err
		}
		u.CPU += time.Duration(ticks) * tick
	}
	for line := range bytes.Lines(status) {
		if value, found := bytes.CutPrefix(line, []byte("VmHWM:")); found {
			if _, err := fmt.Sscanf(string(value), "%d kB", &u.PeakMemory); err != nil {
				return Usage{}, fmt.Errorf("VmHWM in /proc/PID/status: %w", err)
			}
			u.PeakMemory *= 1024
			return u, nil
		}
	}
	return Usage{}, fmt.Errorf("no VmHWM in /proc/PID/status")
}
