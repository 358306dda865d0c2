package resources

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Environment variables that Flame reads.
const (
	envLogFilter = "RUST_LOG"
	envFlameHome = "FLAME_HOME"
	envHome      = "HOME"
)

// environment is the daemon's environment: what it needs, then what the user adds, in
// the user's order, since $(NAME) refers to earlier variables only. A variable of the
// same name is the user's.
func environment(d daemon) []corev1.EnvVar {
	own := append([]corev1.EnvVar{
		{Name: envLogFilter, Value: d.logFilter},
		{Name: envFlameHome, Value: flameHome},
	}, d.env...)
	env := slices.DeleteFunc(own, func(e corev1.EnvVar) bool { return hasEnv(d.spec.Env, e.Name) })
	for i := range d.spec.Env {
		env = append(env, *d.spec.Env[i].DeepCopy())
	}
	return env
}

func hasEnv(env []corev1.EnvVar, name string) bool {
	return slices.ContainsFunc(env, func(e corev1.EnvVar) bool { return e.Name == name })
}
