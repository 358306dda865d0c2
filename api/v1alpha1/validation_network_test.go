package v1alpha1

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNetworkPolicyPeers(t *testing.T) {
	clients := func(peer string) string { return `{"networkPolicy":{"clients":[` + peer + `]}}` }
	const path = `spec.networkPolicy.clients[0]`
	const members = path + `: Invalid value: must have podSelector, namespaceSelector or both, or ipBlock alone`
	invalid(t, map[string][]string{
		clients(`{"podSelector":{}}`):                        nil,
		clients(`{"podSelector":{},"namespaceSelector":{}}`): nil,
		clients(`{"ipBlock":{"cidr":"fd00::/8"}}`):           nil,
		clients(`{}`): {members},
		clients(`{"ipBlock":{"cidr":"10.0.0.0/8"},"podSelector":{}}`): {members},
		clients(`{"ipBlock":{"cidr":"10.0.0.0"}}`):                    {path + `.ipBlock.cidr: Invalid value: "10.0.0.0": must be a block of addresses, such as "10.0.0.0/8"`},
		clients(`{"ipBlock":{"cidr":"10.0.0.0/8","except":["11.0.0.0/16"]}}`): {
			path + `.ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a part of cidr, 10.0.0.0/8`,
		},
	})
	errs := Validate("flame", decoded(t, clients(`{"podSelector":{"matchLabels":{"a b":"c"}}}`)))
	assert.Equal(t, []string{path + ".podSelector.matchLabels"}, fieldsOf(errs))
}
