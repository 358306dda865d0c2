package resources

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// legalNames are names of every length that a FlameCluster may have: letters only, dashes
// wherever they may be, and random ones.
func legalNames(longest int) []string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(from string) string { return string(from[random.IntN(len(from))]) }
	var names []string
	for n := 1; n <= longest; n++ {
		names = append(names, strings.Repeat("a", n))
		if n > 2 {
			names = append(names, "a"+strings.Repeat("-", n-2)+"0")
		}
		for range 50 {
			name := pick(letters)
			for len(name) < n-1 {
				name += pick(letters + "0123456789-")
			}
			if n > 1 {
				name += pick(letters + "0123456789")
			}
			names = append(names, name)
		}
	}
	return names
}

func TestEveryLegalNameGivesLegalChildren(t *testing.T) {
	spec := decodeSpec(t, `
replicas: 2
executorManager: {podDisruptionBudget: {}}
networkPolicy: {enabled: true}`)
	c := newCluster(t, spec)
	for _, name := range legalNames(v1alpha1.MaxNameLength) {
		require.Empty(t, v1alpha1.Validate(name, spec))
		c.Name = name
		for _, o := range allChildren(t, c) {
			child := o.GetName()
			require.True(t, strings.HasPrefix(child, name), "no name is cut")
			require.Empty(t, validation.IsDNS1123Label(child), child)
			if _, service := o.(*corev1.Service); service {
				require.Empty(t, validation.IsDNS1035Label(child), child)
			}
			for key, value := range o.GetLabels() {
				require.Empty(t, validation.IsQualifiedName(key))
				require.Empty(t, validation.IsValidLabelValue(value), value)
			}
		}
	}
}

func TestExternalServiceNeedsAShorterName(t *testing.T) {
	c := newCluster(t, decodeSpec(t, `sessionManager: {service: {type: NodePort}}`))
	for _, name := range legalNames(v1alpha1.MaxNameLength) {
		c.Name = name
		_, err := Children(c)
		if len(name) <= v1alpha1.MaxExternalNameLength {
			require.NoError(t, err)
			require.Empty(t, validation.IsDNS1035Label(ExternalServiceName(name)))
		} else {
			require.Error(t, err, "never a name that is cut")
			require.NotEmpty(t, validation.IsDNS1035Label(ExternalServiceName(name)), "the limit is as high as it can be")
		}
	}
}

func TestChildNames(t *testing.T) {
	for want, got := range map[string]string{
		"a-config":                   ConfigName("a"),
		"a-client":                   ClientConfigName("a"),
		"a-last-good":                LastGoodName("a"),
		"a-session-manager":          SessionManagerName("a"),
		"a-session-manager-external": ExternalServiceName("a"),
		"a-executor-manager":         ExecutorManagerName("a"),
		"a-object-cache":             ObjectCacheName("a"),
		"a":                          NetworkPolicyName("a"),
	} {
		assert.Equal(t, want, got)
	}
}
