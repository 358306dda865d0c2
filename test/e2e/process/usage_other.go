//go:build !linux

package process

import "errors"

// UsageOf returns an error: only Linux tells.
func UsageOf(int) (Usage, error) {
	return Usage{}, errors.New("what a process has used is only known on Linux")
}
