package resources

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

func forgetNodesContainer(t *testing.T, storage string) *corev1.Container {
	t.Helper()
	d := deployments(t, withValue("sessionManager: {storage: %s, resources: {limits: {cpu: 2, example.com/fpga: 1}}}", storage))
	return findContainer(d[v1alpha1.ComponentSessionManager].Spec.Template.Spec.InitContainers, v1alpha1.ForgetNodesContainer)
}

func TestOnlyADirectoryOfNodesIsForgotten(t *testing.T) {
	for storage, want := range map[string]string{
		"{}":                                   "/var/lib/flame/session/nodes",
		"{type: filesystem}":                   "/var/lib/flame/session/nodes",
		"{path: /var/lib/flame/session}":       "/var/lib/flame/session/nodes",
		"{path: /var/lib/flame//session/a.b/}": "/var/lib/flame/session/a.b/nodes",
		"{path: /var/lib/flame/session/-rf}":   "/var/lib/flame/session/-rf/nodes",
		"{type: sqlite}":                       "",
		"{type: none}":                         "",
		"{secretRef: {name: a, key: b}}":       "",
		"{type: sqlite, path: /var/lib/flame/session/nodes}": "",
	} {
		c := forgetNodesContainer(t, storage)
		if want == "" {
			assert.Nil(t, c, storage)
			continue
		}
		require.NotNil(t, c, storage)
		assert.Equal(t, []string{want}, c.Args, storage)
	}
}

func TestForgetNodesContainer(t *testing.T) {
	c := forgetNodesContainer(t, "{}")
	assert.Equal(t, "xflops/flame-session-manager:v0.6.0", c.Image)
	assert.Equal(t, []corev1.VolumeMount{{Name: "state", MountPath: "/var/lib/flame/session", SubPath: "session"}}, c.VolumeMounts, "nothing else is in reach")
	assert.True(t, *c.SecurityContext.ReadOnlyRootFilesystem)
	assert.False(t, *c.SecurityContext.AllowPrivilegeEscalation)
	assert.Equal(t, []corev1.Capability{"ALL"}, c.SecurityContext.Capabilities.Drop)
	assert.Equal(t, "2", c.Resources.Limits.Cpu().String())
	assert.NotContains(t, c.Resources.Limits, corev1.ResourceName("example.com/fpga"), "a device would be occupied")
}

func TestForgetNodesKeepsEverythingElse(t *testing.T) {
	for shellName, shell := range shells(t) {
		t.Run(shellName, func(t *testing.T) {
			state := filepath.Join(t.TempDir(), "a state")
			c := forgetNodesContainer(t, "{}")
			run := func() string {
				args := append([]string{}, shell[1:]...)
				for _, a := range append(c.Command[1:], c.Args...) {
					args = append(args, strings.Replace(a, "/var/lib/flame/session", state, 1))
				}
				out, err := exec.Command(shell[0], args...).CombinedOutput()
				require.NoError(t, err, string(out))
				return string(out)
			}
			assert.Empty(t, run(), "a volume that is new")

			for _, file := range []string{"nodes/a/metadata.json", "nodes/a/executors/b.json", "sessions/c/metadata.json", "applications/d.json"} {
				require.NoError(t, os.MkdirAll(filepath.Join(state, filepath.Dir(file)), 0o750))
				require.NoError(t, os.WriteFile(filepath.Join(state, file), []byte("{}"), 0o600))
			}
			assert.Empty(t, run())
			assert.NoDirExists(t, filepath.Join(state, "nodes"))
			assert.FileExists(t, filepath.Join(state, "sessions/c/metadata.json"))
			assert.FileExists(t, filepath.Join(state, "applications/d.json"))
		})
	}
}
