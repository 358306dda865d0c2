// Package clientlog keeps the terminal free of what client libraries log.
package clientlog

import (
	"flag"
	"os"

	"k8s.io/klog/v2"
)

// ToFile sends what Kubernetes client libraries log, such as connections that
// were refused while an API server restarts, to a file instead of the terminal.
func ToFile(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "alsologtostderr": "false", "stderrthreshold": "FATAL"} {
		if err := flags.Set(name, value); err != nil {
			return err
		}
	}
	klog.SetOutput(file)
	return nil
}
