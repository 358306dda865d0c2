package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func tree(t *testing.T) filesys.FileSystem {
	t.Helper()
	tree, err := readTree("../..")
	require.NoError(t, err)
	return tree
}

func TestStampReachesInstallAndComponents(t *testing.T) {
	tree := tree(t)
	stamped, err := stamp(tree, "7.8.9-rc.1")
	require.NoError(t, err)
	assert.Contains(t, stamped, "manifests/base/deployment.yaml")
	assert.Contains(t, stamped, "docs/components.md")
	assert.NotContains(t, stamped, installPath)
	install, err := buildInstall(tree)
	require.NoError(t, err)
	assert.Contains(t, string(install), "image: xflops/flame-hook:v7.8.9-rc.1\n")
	assert.Contains(t, string(install), "/sync?v=7.8.9-rc.1\n")
	assert.Contains(t, string(install), "/customize?v=7.8.9-rc.1\n")

	controller, err := controllerWith(tree, []string{"tls", "finalizer"})
	require.NoError(t, err)
	assert.Contains(t, controller, "https://flame-hook.flame-system/sync?v=7.8.9-rc.1\n")
	assert.Contains(t, controller, "https://flame-hook.flame-system/finalize?v=7.8.9-rc.1\n")
}

func TestStampRefusesWhatIsNoVersion(t *testing.T) {
	for _, version := range []string{"", "v1.2.3", "1.2", "1.2.3+build", "1.2.3 "} {
		_, err := stamp(tree(t), version)
		assert.Error(t, err, version)
	}
}

func TestBuildsAreRepeatable(t *testing.T) {
	first, err := buildInstall(tree(t))
	require.NoError(t, err)
	second, err := buildInstall(tree(t))
	require.NoError(t, err)
	assert.Equal(t, string(first), string(second))
}

// Everything that calls the hook uses TLS once the component is there, in
// whichever order the components are listed.
func TestComponentsCombine(t *testing.T) {
	require.NoError(t, checkComponents(tree(t)))
	for _, components := range [][]string{
		{"tls", "pod-diagnostics", "finalizer", "auth"},
		{"auth", "finalizer", "pod-diagnostics", "tls"},
	} {
		controller, err := controllerWith(tree(t), components)
		require.NoError(t, err)
		assert.Equal(t, 3, strings.Count(controller, "url: https://"), controller)
		assert.NotContains(t, controller, "url: http://")
		assert.Contains(t, controller, "caBundle:")
		assert.Contains(t, controller, "authorization:")
	}
}

func TestABrokenComponentIsNamed(t *testing.T) {
	tree := tree(t)
	require.NoError(t, tree.WriteFile("manifests/components/broken/kustomization.yaml",
		[]byte("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [missing.yaml]\n")))
	require.NoError(t, tree.WriteFile("manifests/components/idle/kustomization.yaml",
		[]byte("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"+
			"patches: [{patch: \"{apiVersion: apps/v1, kind: Deployment, metadata: {name: flame-hook, namespace: flame-system}, spec: {replicas: 2}}\"}]\n")))
	err := checkComponents(tree)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "component broken")
	assert.Contains(t, err.Error(), "component idle changes nothing")
}
