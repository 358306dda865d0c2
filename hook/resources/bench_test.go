package resources

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func BenchmarkChildren(b *testing.B) {
	for name, spec := range map[string]string{
		"plain":       "{}",
		"podTemplate": "executorManager: {podTemplate: {spec: {nodeSelector: {a: b}, containers: [{name: x, image: x}]}}}",
	} {
		b.Run(name, func(b *testing.B) {
			c := newCluster(b, decodeSpec(b, spec))
			for b.Loop() {
				errs, _ := CheckPodTemplates(c.Name, c.Spec)
				require.Empty(b, errs)
				allChildren(b, c)
			}
		})
	}
}
