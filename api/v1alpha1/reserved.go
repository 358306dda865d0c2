package v1alpha1

import corev1 "k8s.io/api/core/v1"

// ReservedEnv says whether a variable of a daemon's environment can't be set by users,
// and what to do instead.
func ReservedEnv(name string) (advice string, reserved bool) {
	advice, reserved = reservedEnv[name]
	return advice, reserved
}

// ReservedKey says whether a label or annotation belongs to this controller or to
// Metacontroller, so that users can't set it.
func ReservedKey(key string) bool { return reservedKey(key) }

// Overcommitable says whether a container's request may be lower than its limit: not for
// huge pages and devices.
func Overcommitable(name corev1.ResourceName) bool { return overcommitable(name) }
