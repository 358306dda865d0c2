package controlplane

import (
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
)

// withCodec returns a copy of config that can read the API server's errors.
func withCodec(config *rest.Config) *rest.Config {
	c := rest.CopyConfig(config)
	c.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	return c
}
