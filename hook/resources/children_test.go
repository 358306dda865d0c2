package resources

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

func TestChildrenOfAnEmptySpec(t *testing.T) {
	objects := children(t, "{}")
	assert.Equal(t, []string{"demo-config", "demo-client", "demo-last-good"}, names[*corev1.ConfigMap](objects))
	assert.Equal(t, []string{"demo-session-manager", "demo-object-cache"}, names[*corev1.Service](objects))
	assert.Equal(t, []string{"demo-session-manager", "demo-object-cache", "demo-executor-manager"}, names[*appsv1.Deployment](objects))
	assert.Len(t, objects, 8)
	for _, o := range objects {
		assert.Equal(t, "flame", o.GetNamespace())
		assert.NotEmpty(t, o.GetObjectKind().GroupVersionKind().Kind)
		assert.NotEmpty(t, o.GetObjectKind().GroupVersionKind().Version)
	}
}

func TestNoExecutorsBeforeTheyAreWanted(t *testing.T) {
	c := newCluster(t, decodeSpec(t, "{replicas: 3, executorManager: {podDisruptionBudget: {}}}"))
	c.Executors.Wanted = false
	objects := allChildren(t, c)
	assert.Equal(t, []string{"demo-session-manager", "demo-object-cache"}, names[*appsv1.Deployment](objects))
	assert.Empty(t, names[*policyv1.PodDisruptionBudget](objects))
}

func TestNoCacheObjectsWhenDisabled(t *testing.T) {
	text := toYAML(t, asAny(children(t, `
objectCache: {enabled: false}
networkPolicy: {enabled: true}`))...)
	assert.NotContains(t, text, "object-cache")
	assert.NotContains(t, text, "9090")
}

func TestSuspendTakesWorkloadsToZeroAndKeepsObjects(t *testing.T) {
	spec := "{replicas: 3, suspend: %s, executorManager: {podDisruptionBudget: {}}, networkPolicy: {enabled: true}}"
	running := children(t, withValue(spec, "false"))
	suspended := children(t, withValue(spec, "true"))
	require.Equal(t, len(running), len(suspended))
	for i, o := range suspended {
		assert.Equal(t, running[i].GetName(), o.GetName())
		if d, ok := o.(*appsv1.Deployment); ok {
			assert.Zero(t, *d.Spec.Replicas, d.Name)
			assert.Equal(t, running[i].(*appsv1.Deployment).Spec.Template, d.Spec.Template, "nothing restarts on resume")
		}
	}
}

func TestPodDisruptionBudgetOnlyForSeveralExecutors(t *testing.T) {
	for replicas, want := range map[string]int{"0": 0, "1": 0, "2": 1, "100": 1} {
		objects := children(t, withValue("{replicas: %s, executorManager: {podDisruptionBudget: {maxUnavailable: 25%}}}", replicas))
		assert.Len(t, names[*policyv1.PodDisruptionBudget](objects), want, replicas)
	}
	assert.Empty(t, names[*policyv1.PodDisruptionBudget](children(t, "replicas: 5")))
	b := find[*policyv1.PodDisruptionBudget](t, children(t, "{replicas: 5, executorManager: {podDisruptionBudget: {}}}"), "demo-executor-manager")
	assert.Equal(t, "1", b.Spec.MaxUnavailable.String())
}

func TestExternalServiceHasTheFrontendOnly(t *testing.T) {
	for _, serviceType := range []string{"NodePort", "LoadBalancer"} {
		objects := children(t, withValue(`sessionManager: {service: {type: %s, port: 18080, annotations: {a: b}}}`, serviceType))
		internal := find[*corev1.Service](t, objects, "demo-session-manager")
		assert.Equal(t, corev1.ServiceTypeClusterIP, internal.Spec.Type, "the backend asks nobody who they are")
		assert.Empty(t, internal.Annotations)
		external := find[*corev1.Service](t, objects, "demo-session-manager-external")
		assert.Equal(t, corev1.ServiceType(serviceType), external.Spec.Type)
		require.Len(t, external.Spec.Ports, 1)
		assert.EqualValues(t, 18080, external.Spec.Ports[0].Port)
		assert.Equal(t, map[string]string{"a": "b"}, external.Annotations)
	}
	assert.Equal(t, []string{"demo-session-manager", "demo-object-cache"}, names[*corev1.Service](children(t, "{}")))
}

// Executors look for the backend at the frontend's port + 1 on the same host, and Flame
// listens where it is reached.
func TestServicePorts(t *testing.T) {
	objects := children(t, "{sessionManager: {service: {port: 18080}}, objectCache: {service: {port: 19090}}}")
	for name, want := range map[string]map[string]int32{
		"demo-session-manager": {"frontend": 18080, "backend": 18081},
		"demo-object-cache":    {"cache": 19090},
	} {
		got := map[string]int32{}
		for _, p := range find[*corev1.Service](t, objects, name).Spec.Ports {
			got[p.Name] = p.Port
			assert.Equal(t, p.Port, p.TargetPort.IntVal)
			assert.Equal(t, "grpc", *p.AppProtocol)
		}
		assert.Equal(t, want, got)
		listening := map[string]int32{}
		for _, p := range container(t, find[*appsv1.Deployment](t, objects, name)).Ports {
			listening[p.Name] = p.ContainerPort
		}
		assert.Equal(t, want, listening)
	}
}

func TestNoAppProtocolWithTLS(t *testing.T) {
	objects := children(t, "tls: {sessionManager: {secretName: a}, objectCache: {secretName: b}}")
	for _, name := range names[*corev1.Service](objects) {
		for _, p := range find[*corev1.Service](t, objects, name).Spec.Ports {
			assert.Nil(t, p.AppProtocol, "a service mesh takes grpc for clear text")
		}
	}
}

func TestNetworkPolicy(t *testing.T) {
	assert.Empty(t, names[*networkingv1.NetworkPolicy](children(t, "{}")))
	assert.Empty(t, names[*networkingv1.NetworkPolicy](children(t, "networkPolicy: {enabled: false, clients: [{podSelector: {}}]}")))

	p := find[*networkingv1.NetworkPolicy](t, children(t, `
networkPolicy:
  enabled: true
  clients: [{namespaceSelector: {matchLabels: {team: a}}}]`), "demo")
	assert.Equal(t, []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}, p.Spec.PolicyTypes)
	assert.Equal(t, map[string]string{v1alpha1.LabelCluster: "demo"}, p.Spec.PodSelector.MatchLabels)
	who := func(rule networkingv1.NetworkPolicyIngressRule) (executors, clients bool) {
		for _, peer := range rule.From {
			switch {
			case peer.NamespaceSelector != nil:
				clients = true
			case peer.PodSelector != nil:
				assert.Equal(t, Selector("demo", v1alpha1.ComponentExecutorManager), peer.PodSelector.MatchLabels)
				executors = true
			}
		}
		return executors, clients
	}
	ports := map[int32][2]bool{}
	for _, rule := range p.Spec.Ingress {
		executors, clients := who(rule)
		for _, port := range rule.Ports {
			assert.Equal(t, corev1.ProtocolTCP, *port.Protocol)
			ports[port.Port.IntVal] = [2]bool{executors, clients}
		}
	}
	assert.Equal(t, map[int32][2]bool{8080: {true, true}, 8081: {true, false}, 9090: {true, true}}, ports)
}

// A NetworkPolicy is for all pods of the cluster: where the cache has the number of the
// backend, the number alone would let clients reach the backend.
func TestNetworkPolicyWhenPortsAreTheSame(t *testing.T) {
	p := find[*networkingv1.NetworkPolicy](t, children(t, `
sessionManager: {service: {port: 9089}}
objectCache: {service: {port: 9090}}
networkPolicy: {enabled: true}`), "demo")
	var clients []string
	for _, port := range p.Spec.Ingress[0].Ports {
		clients = append(clients, port.Port.String())
	}
	assert.Equal(t, []string{"9089", "cache"}, clients)
	assert.Equal(t, "9090", p.Spec.Ingress[1].Ports[0].Port.String())
	assert.Len(t, p.Spec.Ingress[1].From, 1, "executors alone")
}

func TestConfigMaps(t *testing.T) {
	c := newCluster(t, decodeSpec(t, "{}"))
	c.LastGood = LastGood{Spec: `{"version":"0.6.0"}`, Generation: 7}
	objects := allChildren(t, c)
	assert.Equal(t, map[string]string{"flame-cluster.yaml": c.Config.Cluster, "leave.py": leaveScript}, find[*corev1.ConfigMap](t, objects, "demo-config").Data)
	assert.Equal(t, map[string]string{"flame.yaml": c.Config.Client}, find[*corev1.ConfigMap](t, objects, "demo-client").Data)

	record, err := ParseLastGood(find[*corev1.ConfigMap](t, objects, "demo-last-good").Data)
	require.NoError(t, err)
	assert.Equal(t, c.LastGood, record)
	for _, o := range objects {
		if d, ok := o.(*appsv1.Deployment); ok {
			text := toYAML(t, d)
			assert.NotContains(t, text, "demo-client", "a client's configuration restarts nothing")
			assert.NotContains(t, text, "demo-last-good")
		}
	}
}

func TestParseLastGoodRefusesABadRecord(t *testing.T) {
	for name, data := range map[string]map[string]string{
		"nothing":           nil,
		"no spec":           {"generation": "1"},
		"no generation":     {"spec": "{}"},
		"no number":         {"spec": "{}", "generation": "one"},
		"a negative number": {"spec": "{}", "generation": "-1"},
		"generation zero":   {"spec": "{}", "generation": "0"},
		"more than 64 bits": {"spec": "{}", "generation": "99999999999999999999"},
		"blanks around it":  {"spec": "{}", "generation": " 1"},
	} {
		_, err := ParseLastGood(data)
		assert.Error(t, err, name)
	}
}

// Builders share nothing with the spec: what is done to their objects does not change it,
// and twice the same cluster gives the same objects.
func TestBuildersArePure(t *testing.T) {
	specs := inputs(t, "cluster")
	for name, text := range inputs(t, "podtemplate") {
		specs["podtemplate/"+name] = text
	}
	for name, text := range specs {
		t.Run(name, func(t *testing.T) {
			spec := decodeSpec(t, text)
			before := spec.DeepCopy()
			c := newCluster(t, spec)
			first := toYAML(t, asAny(allChildren(t, c))...)
			for range 5 {
				require.Equal(t, first, toYAML(t, asAny(allChildren(t, c))...))
			}
			assert.Equal(t, before, spec)
		})
	}
}

// Metacontroller compares JSON: a null or an empty list, which the API server drops, would
// be a difference for ever.
func TestNothingThatTheAPIServerDrops(t *testing.T) {
	specs := inputs(t, "cluster")
	for name, text := range inputs(t, "podtemplate") {
		specs["podtemplate/"+name] = text
	}
	for name, text := range specs {
		for _, o := range children(t, text) {
			encoded, err := json.Marshal(o)
			require.NoError(t, err)
			for _, dropped := range []string{":null", ",null", "[null", "[]", `:""`} {
				assert.NotContains(t, string(encoded), dropped, "%s: %s", name, o.GetName())
			}
		}
	}
}
