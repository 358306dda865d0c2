package v1alpha1

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
)

func TestExternalServiceNeedsAShorterName(t *testing.T) {
	for _, serviceType := range []corev1.ServiceType{corev1.ServiceTypeNodePort, corev1.ServiceTypeLoadBalancer} {
		spec := &FlameClusterSpec{}
		spec.SessionManager.Service.Type = serviceType
		assert.Empty(t, Validate(strings.Repeat("a", 38), spec))
		errs := Validate(strings.Repeat("a", 39), spec)
		require.Len(t, errs, 1)
		assert.Equal(t, "spec.sessionManager.service.type", errs[0].Field)
	}
	spec := &FlameClusterSpec{}
	spec.SessionManager.Service.Type = corev1.ServiceTypeClusterIP
	assert.Empty(t, Validate(strings.Repeat("a", 46), spec))
}
