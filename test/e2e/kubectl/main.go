// Command kubectl is the one of Kubernetes, built from source: the commands of the
// documentation run where nothing but Go is installed.
package main

import (
	"k8s.io/component-base/cli"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
)

func main() {
	if err := cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand()); err != nil {
		// It prints the error and exits.
		util.CheckErr(err)
	}
}
