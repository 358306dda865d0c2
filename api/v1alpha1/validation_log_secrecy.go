package v1alpha1

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateLogSecrecy refuses log levels that would print the connection string.
// Flame logs it at info in flame_session_manager::storage::engine, and its
// database library may at debug. The controller silences the former with a
// directive of its own, which a more specific one must not undo.
func validateLogSecrecy(manager *SessionManagerSpec, path *field.Path) field.ErrorList {
	if manager.Storage == nil || manager.Storage.SecretRef == nil {
		return nil
	}
	for directive := range strings.SplitSeq(manager.LogLevel, ",") {
		if directive = strings.TrimSpace(directive); directive != "" && !quiet(directive) {
			return field.ErrorList{field.Forbidden(path.Child("logLevel"),
				"may log the connection string of storage.secretRef: use info, warn, error or off, and at most warn for flame_session_manager::storage")}
		}
	}
	return nil
}

// quiet judges one directive, TARGET[SPAN{FIELD}]=LEVEL in the grammar of Rust's
// EnvFilter. Every part may be missing; a target without a level means trace, and
// a level is also a number, 5 being trace.
func quiet(directive string) bool {
	target, level := "", directive
	if cut := strings.LastIndex(directive, "="); cut >= 0 {
		target, level = directive[:cut], directive[cut+1:]
	}
	switch strings.ToLower(strings.TrimSpace(level)) {
	case "off", "error", "warn", "0", "1", "2":
		return true
	case "info", "3":
		return !strings.Contains(target, "flame_session_manager::storage") && !strings.Contains(target, "[")
	}
	return false
}
