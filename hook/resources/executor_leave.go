package resources

import (
	_ "embed"

	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/hook/flameconf"
)

// LeaveScriptKey is the file with the script that executors run before they end. It is in
// the ConfigMap and not in the pods, so that a better script restarts no executor.
const LeaveScriptKey = "leave.py"

// executorExecutable is the name of the daemon's executable in Flame's images.
const executorExecutable = "flame-executor-manager"

//go:embed leave.py
var leaveScript string

// leaveHook takes the executor's node out of Flame's scheduling before the pod ends.
// Without it the node stays a target for ever, and every session that Flame places there
// waits for ever. Flame's images have a python3. In an image without, the kubelet records
// an event FailedPreStopHook and stops the executor as if there were no hook.
func leaveHook(c Cluster) *corev1.LifecycleHandler {
	command := []string{
		"python3", "-I", configDir + "/" + LeaveScriptKey,
		executorExecutable, flameconf.SessionManagerEndpoint(c.Name, c.Namespace, c.Spec),
	}
	if c.Spec.SessionManagerTLS() != nil {
		command = append(command, sessionManagerTLSDir+"/"+tlsCAKey)
	}
	return &corev1.LifecycleHandler{Exec: &corev1.ExecAction{Command: command}}
}
