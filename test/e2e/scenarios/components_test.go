package scenarios

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/test/e2e/install"
)

// The API server accepts what all components bring along, without a warning, and the
// hook's pods come up in their namespace, which admits only "restricted". Monitoring is
// left out: its kinds are the Prometheus operator's.
func TestComponentsAreAccepted(t *testing.T) {
	t.Parallel()
	server, client := newAuthority(t, "server CA"), newAuthority(t, "client CA")
	createSecret(t, systemNamespace, "flame-hook-tokens", corev1.SecretTypeOpaque, map[string]string{"tokens": "token"})
	createSecret(t, systemNamespace, "flame-hook-tls", corev1.SecretTypeTLS, server.issue(t, hookHost))
	createSecret(t, systemNamespace, "flame-hook-client-ca", corev1.SecretTypeOpaque, map[string]string{"ca.crt": client.pem})
	installer, err := install.New(bed.sandbox.Config)
	require.NoError(t, err)
	for _, object := range buildWith(t, "auth", "finalizer", "ha", "metacontroller-rbac", "metacontroller-rbac-secrets", "mutual-tls", "network-policy", "pod-diagnostics", "tls") {
		// The definition is there, and scenarios have CompositeControllers of their own.
		if kind := object.GetKind(); kind != "CustomResourceDefinition" && kind != "CompositeController" {
			require.NoError(t, installer.Apply(bed.ctx, object), "%s %s", kind, object.GetName())
		}
	}
	assert.Empty(t, installer.Warnings())
	eventually(t, "three hooks of the new kind are available", func() error {
		deployment, err := bed.kube.AppsV1().Deployments(systemNamespace).Get(bed.ctx, "flame-hook", metav1.GetOptions{})
		if err != nil {
			return err
		}
		s := deployment.Status
		if s.ObservedGeneration != deployment.Generation || s.UpdatedReplicas != 3 || s.AvailableReplicas != 3 || s.Replicas != 3 {
			return fmt.Errorf("%+v", s)
		}
		return nil
	})
	policy, err := bed.kube.NetworkingV1().NetworkPolicies(systemNamespace).Get(bed.ctx, "flame-hook", metav1.GetOptions{})
	require.NoError(t, err)
	assert.Len(t, policy.Spec.Ingress, 2)
}
