package v1alpha1

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Comparing such a quantity with anything would keep the hook busy for ever.
func TestPodTemplateQuantitiesHaveAnEnd(t *testing.T) {
	const path = "spec.executorManager.podTemplate.spec"
	for template, want := range map[string][]string{
		`{"containers":[{"name":"a","resources":{"limits":{"cpu":"1e999999999"}}}]}`:                {path + `.containers[0].resources.limits[cpu]: Invalid value: "1e999999999": must be a quantity such as "2", "500m" or "4Gi"`},
		`{"volumes":[{"name":"a","emptyDir":{"sizeLimit":"-1E+1000"}}]}`:                            {path + `.volumes[0].emptyDir.sizeLimit: Invalid value: "-1E+1000": must be a quantity such as "2", "500m" or "4Gi"`},
		`{"containers":[{"name":"a","resources":{"limits":{"cpu":"1e3"}},"args":["1e999999999"]}]}`: nil,
		`{"nodeSelector":{"capacity":"a-text-of-more-than-32-characters-1","limits":"1e9999"}}`:     nil,
	} {
		spec, _, errs := DecodeSpec([]byte(`{"executorManager":{"podTemplate":{"spec":` + template + `}}}`))
		assert.Equal(t, want, texts(errs))
		assert.Equal(t, want == nil, spec.ExecutorManager.PodTemplate != nil, "a template with an error is left out")
	}
	_, _, errs := DecodeSpec([]byte(`{"extraConfig":{"limits":{"a":"1e999999999"}}}`))
	assert.Empty(t, errs, "extraConfig has no quantities")
}
