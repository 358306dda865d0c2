package v1alpha1

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func TestDecodeSpecEmpty(t *testing.T) {
	for _, raw := range []string{"", "  ", "null", "{}", `{"sessionManager":null,"executorManager":{},"objectCache":null,"tls":null}`} {
		for _, decode := range []func([]byte) (*FlameClusterSpec, []string, field.ErrorList){DecodeSpec, DecodeSpecStrict} {
			spec, warnings, errs := decode([]byte(raw))
			assert.Equal(t, &FlameClusterSpec{}, spec, raw)
			assert.Empty(t, warnings)
			assert.Empty(t, errs)
		}
	}
}

func TestDecodeSpecTypeErrors(t *testing.T) {
	tests := map[string]struct {
		raw  string
		want []string
	}{
		"not JSON":      {`{`, []string{`spec: Invalid value: must be valid JSON`}},
		"not an object": {`[]`, []string{`spec: Invalid value: must be an object, not a list`}},
		"a text for a number": {
			`{"replicas":"3"}`,
			[]string{`spec.replicas: Invalid value: must be a whole number, not a string`},
		},
		"a fraction": {
			`{"replicas":1.5}`,
			[]string{`spec.replicas: Invalid value: must be a whole number, not a number`},
		},
		"a number without end": {
			`{"replicas":1e400,"networkPolicy":{"clients":1e400},"extraConfig":{"a":[1e400]}}`,
			[]string{
				`spec.extraConfig.a[0]: Invalid value: must be a number that 64 bits hold`,
				`spec.networkPolicy.clients: Invalid value: must be a list, not a number`,
				`spec.replicas: Invalid value: must be a whole number, not a number`,
			},
		},
		"two values": {`{} {}`, []string{`spec: Invalid value: must be valid JSON`}},
		"too large": {
			`{"replicas":4294967296,"executorManager":{"podDisruptionBudget":{"maxUnavailable":4294967296}}}`,
			[]string{
				`spec.executorManager.podDisruptionBudget.maxUnavailable: Invalid value: 4294967296: must fit 32 bits`,
				`spec.replicas: Invalid value: 4294967296: must fit 32 bits`,
			},
		},
		"a quantity": {
			`{"executorManager":{"resources":{"limits":{"cpu":"1x","memory":0.5}}}}`,
			[]string{
				`spec.executorManager.resources.limits[cpu]: Invalid value: "1x": must be a quantity such as "2", "500m" or "4Gi"`,
				`spec.executorManager.resources.limits[memory]: Invalid value: must be a quantity such as "2", "500m" or "4Gi" (put it in quotes), not a number`,
			},
		},
		"an exponent without end": {
			`{"sessionManager":{"slot":{"cpu":"1e999999999"}}}`,
			[]string{`spec.sessionManager.slot.cpu: Invalid value: "1e999999999": must be a quantity such as "2", "500m" or "4Gi"`},
		},
		"a long quantity": {
			`{"objectCache":{"eviction":{"maxMemory":"000000000000000000000000000000001"}}}`,
			[]string{`spec.objectCache.eviction.maxMemory: Too long: may not be more than 32 bytes`},
		},
		"a duration": {
			`{"sessionManager":{"scheduleInterval":"100"}}`,
			[]string{`spec.sessionManager.scheduleInterval: Invalid value: "100": must be a duration with a unit, such as "500ms" or "1s"`},
		},
		"a number for a text": {
			`{"executorManager":{"env":[{"name":"A","value":1},{"name":2}]}}`,
			[]string{
				`spec.executorManager.env[0].value: Invalid value: must be a string (put it in quotes), not a number`,
				`spec.executorManager.env[1].name: Invalid value: must be a string (put it in quotes), not a number`,
			},
		},
		"null in a list": {
			`{"imagePullSecrets":[null]}`,
			[]string{`spec.imagePullSecrets[0]: Invalid value: must not be null: give a value, or leave the entry out`},
		},
		"a missing field of a Kubernetes type": {
			`{"objectCache":{"volumeSource":{"persistentVolumeClaim":{}}}}`,
			[]string{`spec.objectCache.volumeSource.persistentVolumeClaim.claimName: Required value`},
		},
		"texts for objects": {
			`{"tls":"on","objectCache":true,"extraConfig":"a: b","sessionManager":{"podTemplate":[]}}`,
			[]string{
				`spec.extraConfig: Invalid value: must be an object, not a string`,
				`spec.objectCache: Invalid value: must be an object, not a boolean`,
				`spec.sessionManager.podTemplate: Invalid value: must be an object, not a list`,
				`spec.tls: Invalid value: must be an object, not a string`,
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			spec, _, errs := DecodeSpec([]byte(test.raw))
			require.NotNil(t, spec)
			assert.Equal(t, test.want, texts(errs))
		})
	}
}

// What has a wrong type is left out, and everything else is still decoded and judged.
func TestDecodeSpecKeepsTheRest(t *testing.T) {
	spec, _, errs := DecodeSpec([]byte(`{
		"replicas": 4,
		"sessionManager": {"slot": {"cpu": "x"}, "policy": "fair"},
		"executorManager": {"resources": {"limits": {"cpu": "x"}}, "image": "a b"}}`))
	assert.Len(t, errs, 2)
	assert.EqualValues(t, 4, *spec.Replicas)
	assert.Nil(t, spec.SessionManager.Slot)
	assert.Equal(t, PolicyFair, spec.SessionManager.Policy)
	assert.Equal(t, []string{"spec.executorManager.image"}, fieldsOf(Validate("flame", spec)))
}

func TestDecodeSpecValues(t *testing.T) {
	spec, warnings, errs := DecodeSpec([]byte(`{
		"replicas": 3.0,
		"unknown": {"a": 1},
		"Version": "1.0.0",
		"sessionManager": {"slot": {"cpu": 2, "memory": "4Gi"}, "scheduleInterval": "1.5s"},
		"executorManager": {"podDisruptionBudget": {"maxUnavailable": "25%"}, "podTemplate": {"spec": {"nodeSelector": {"a": null}}}},
		"objectCache": {"service": {"annotations": {"a": "b", "c": null}}}}`))
	require.Empty(t, errs)
	assert.Empty(t, warnings)
	assert.EqualValues(t, 3, *spec.Replicas)
	assert.Empty(t, spec.Version, "names of fields are case-sensitive")
	assert.Equal(t, "2", spec.SessionManager.Slot.CPU.String())
	assert.Equal(t, "1.5s", spec.SessionManager.ScheduleInterval.Duration.String())
	assert.Equal(t, "25%", spec.ExecutorManager.PodDisruptionBudget.MaxUnavailable.StrVal)
	assert.JSONEq(t, `{"spec":{"nodeSelector":{"a":null}}}`, string(spec.ExecutorManager.PodTemplate.Raw))
	assert.Equal(t, map[string]string{"a": "b"}, spec.ObjectCache.Service.Annotations)
}

func texts(errs field.ErrorList) []string {
	var all []string
	for _, err := range errs {
		all = append(all, err.Error())
	}
	return all
}

func fieldsOf(errs field.ErrorList) []string {
	var all []string
	for _, err := range errs {
		all = append(all, err.Field)
	}
	return all
}

// decoded is the spec of a test; it must have no type errors.
func decoded(t *testing.T, raw string) *FlameClusterSpec {
	t.Helper()
	spec, _, errs := DecodeSpec([]byte(raw))
	require.Empty(t, errs)
	return spec
}
