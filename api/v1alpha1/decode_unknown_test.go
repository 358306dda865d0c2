package v1alpha1

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDecodeSpecStrictNamesTheNearestField(t *testing.T) {
	tests := map[string]struct {
		raw  string
		want []string
	}{
		"a typo":       {`{"sessionManger":{}}`, []string{`spec.sessionManger: Forbidden: there is no such field; did you mean "sessionManager"?`}},
		"case":         {`{"Replicas":3}`, []string{`spec.Replicas: Forbidden: there is no such field; did you mean "replicas"?`}},
		"nothing near": {`{"ingress":{}}`, []string{`spec.ingress: Forbidden: there is no such field`}},
		"inside a Kubernetes type": {
			`{"executorManager":{"env":[{"nam":"A","name":"A"}]}}`,
			[]string{`spec.executorManager.env[0].nam: Forbidden: there is no such field; did you mean "name"?`},
		},
		"given twice": {
			`{"replicas":1,"replicas":2,"executorManager":{"env":[{"name":"A","name":"B"}]}}`,
			[]string{`spec.replicas: Forbidden: is given twice`, `spec.executorManager.env[0].name: Forbidden: is given twice`},
		},
		"free fields": {`{"extraConfig":{"anything":{}},"objectCache":{"podTemplate":{"anything":1}}}`, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, errs := DecodeSpecStrict([]byte(test.raw))
			assert.Equal(t, test.want, texts(errs))
			_, _, errs = DecodeSpec([]byte(test.raw))
			assert.Empty(t, errs, "a stored object is read without what the API server prunes")
		})
	}
}
