package v1alpha1

import (
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
)

// With credentials in a Secret, no filter may let Flame print them.
func TestLogLevelsBesideASecret(t *testing.T) {
	secret := &Storage{SecretRef: &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: "s"}, Key: "k"}}
	judge := func(level string, storage *Storage) []string {
		return fieldsOf(Validate("flame", &FlameClusterSpec{SessionManager: SessionManagerSpec{Storage: storage, ComponentSpec: ComponentSpec{LogLevel: level}}}))
	}
	for _, level := range []string{"", "info", "INFO", "warn", "error,", "off", "3", "info,flame_session_manager::scheduler=info", DefaultLogLevel, "info,flame_session_manager::storage=warn"} {
		assert.Empty(t, judge(level, secret), level)
	}
	for _, level := range []string{
		"debug", "trace", "Debug", "4", "5", "info,flame_session_manager=debug", "sqlx=trace", "flame_session_manager", "info,sqlx",
		"flame_session_manager::storage::engine=info", "warn,flame_session_manager::storage=info", "[span]=info", "info,flame[span{a=b}]=info",
	} {
		assert.Equal(t, []string{"spec.sessionManager.logLevel"}, judge(level, secret), level)
		assert.Empty(t, judge(level, nil), level)
	}
}
