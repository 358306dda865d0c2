package v1alpha1

import "testing"

func TestServices(t *testing.T) {
	service := func(object string) string { return `{"sessionManager":{"service":` + object + `}}` }
	const path = `spec.sessionManager.service.`
	const key = `must be a key such as "team" or "example.com/team": letters, digits, -, _ and ., at most 63 after the prefix`
	invalid(t, map[string][]string{
		service(`{"type":"NodePort","port":1024,"annotations":{"Example.com/A":"é"},"labels":{"a":""}}`): nil,
		service(`{"type":"ExternalName"}`):                      {path + `type: Unsupported value: "ExternalName": supported values: "ClusterIP", "NodePort", "LoadBalancer"`},
		service(`{"port":80}`):                                  {path + `port: Invalid value: 80: must be at least 1024`},
		service(`{"port":65535}`):                               {path + `port: Invalid value: 65535: must be at most 65534`},
		service(`{"annotations":{"a b":""}}`):                   {path + `annotations: Invalid value: "a b": ` + key},
		service(`{"labels":{"a/b/c":""}}`):                      {path + `labels: Invalid value: "a/b/c": ` + key},
		service(`{"labels":{"a":"b c"}}`):                       {path + `labels[a]: Invalid value: "b c": must be a label's value: at most 63 letters, digits, -, _ and ., with a letter or digit at both ends`},
		service(`{"annotations":{"flame.xflops.io/hash":"x"}}`): {path + `annotations[flame.xflops.io/hash]: Forbidden: belongs to the controller; use another key`},
		service(`{"annotations":{"metacontroller.k8s.io/last-applied-configuration":"x"}}`): {
			path + `annotations[metacontroller.k8s.io/last-applied-configuration]: Forbidden: belongs to the controller; use another key`,
		},
		service(`{"labels":{"controller-uid":"x"}}`):              {path + `labels[controller-uid]: Forbidden: belongs to the controller; use another key`},
		service(`{"labels":{"app.kubernetes.io/instance":"x"}}`):  {path + `labels[app.kubernetes.io/instance]: Forbidden: belongs to the controller; use another key`},
		service(`{"annotations":{"app.kubernetes.io/name":"x"}}`): nil,
		`{"objectCache":{"service":{"type":"LoadBalancer"}}}`: {
			`spec.objectCache.service.type: Forbidden: must be ClusterIP, not LoadBalancer: the cache hands out the addresses of its pods, so a Service from outside leads nowhere`,
		},
	})
}
