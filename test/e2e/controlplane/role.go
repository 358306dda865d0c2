package controlplane

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"

	"github.com/xflops/flame-operator/test/e2e/process"
)

// roleVariable tells a process started by this package what it is.
const roleVariable = "FLAME_E2E_ROLE"

const (
	roleAPIServer         = "kube-apiserver"
	roleControllerManager = "kube-controller-manager"
)

// Main turns the process into a part of the control plane, and does not return,
// if that is what the process was started for. Otherwise it does nothing.
func Main() {
	role := os.Getenv(roleVariable)
	if role == "" {
		return
	}
	var command *cobra.Command
	switch role {
	case roleAPIServer:
		command = apiserver.NewAPIServerCommand()
	case roleControllerManager:
		command = controllermanager.NewControllerManagerCommand()
	default:
		fmt.Fprintf(os.Stderr, "%s=%s is no part of a control plane\n", roleVariable, role)
		os.Exit(2)
	}
	go exitWithParent()
	command.SetArgs(os.Args[1:])
	os.Exit(cli.Run(command))
}

// exitWithParent ends the process when the other end of its standard input
// closes, which happens however the parent ends.
func exitWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}

func startRole(role, log string, args ...string) (*process.Process, error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return process.Start(log, executable, args, roleVariable+"="+role)
}
