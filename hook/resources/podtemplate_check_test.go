package resources

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// checkTemplate checks a podTemplate, in YAML, of one component. The spec around it has
// storage credentials and TLS, so that every generated part is there.
func checkTemplate(t testing.TB, component, template string) (errs, warnings []string) {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(template))
	require.NoError(t, err)
	spec := decodeSpec(t, `
sessionManager: {storage: {secretRef: {name: a, key: b}}}
tls: {sessionManager: {secretName: sm}, objectCache: {secretName: oc}}`)
	setTemplate(spec, component, raw)
	list, warnings := CheckPodTemplates("demo", spec)
	for _, e := range list {
		errs = append(errs, e.Error())
	}
	return errs, warnings
}

func setTemplate(spec *v1alpha1.FlameClusterSpec, component string, raw []byte) {
	template := &runtime.RawExtension{Raw: raw}
	switch component {
	case "sessionManager":
		spec.SessionManager.PodTemplate = template
	case "executorManager":
		spec.ExecutorManager.PodTemplate = template
	case "objectCache":
		spec.ObjectCache.PodTemplate = template
	}
}

func TestPodTemplateRefusals(t *testing.T) {
	for _, tc := range []struct {
		name, component, template string
		// want are the beginnings of all errors, below spec.<component>.podTemplate.
		want []string
	}{
		// Decoding.
		{"unknown field", "executorManager", "spec: {containers: [{name: executor-manager, imagee: x}]}",
			[]string{`.spec.containers[0].imagee: Forbidden: there is no such field; did you mean "image"?`}},
		{"several unknown fields", "executorManager", "{metdata: {}, spec: {tolerations: [{key: a}, {kee: b}]}}",
			[]string{`.metdata: Forbidden: there is no such field; did you mean "metadata"?`, `.spec.tolerations[1].kee: Forbidden: there is no such field; did you mean "key"?`}},
		{"wrong case", "executorManager", "spec: {NodeSelector: {a: b}}", []string{`.spec.NodeSelector: Forbidden: there is no such field; did you mean "nodeSelector"?`}},
		{"directive of a patch", "executorManager", "spec: {containers: [{name: executor-manager, $patch: delete}]}",
			[]string{".spec.containers[0].$patch: Forbidden: there is no such field"}},
		{"wrong type", "executorManager", "spec: {containers: [{name: a, image: 1}, {name: b, image: [c]}]}",
			[]string{".spec.containers[0].image: Invalid value: must be a string", ".spec.containers[1].image: Invalid value: must be a string"}},
		{"bad quantity", "executorManager", "spec: {containers: [{name: a, resources: {limits: {cpu: 1 core, memory: 1Gi}}}]}",
			[]string{`.spec.containers[0].resources.limits[cpu]: Invalid value: must be a quantity`}},
		{"list for an object", "executorManager", "spec: []", []string{".spec: Invalid value: must be an object"}},
		{"object for a list", "executorManager", "spec: {containers: {}}", []string{".spec.containers: Invalid value: must be a list"}},
		{"number too large", "executorManager", "spec: {terminationGracePeriodSeconds: 99999999999999999999}",
			[]string{".spec.terminationGracePeriodSeconds: Invalid value: must be a whole number in range"}},
		{"label of a wrong type", "executorManager", "metadata: {labels: {a: 1}}", []string{".metadata.labels[a]: Invalid value: must be a string"}},
		{"no object", "executorManager", "[]", []string{": Invalid value: must be an object"}},
		{"text", "executorManager", "nonsense", []string{": Invalid value: must be an object"}},

		// Selectors and private metadata.
		{"selecting label", "executorManager", "metadata: {labels: {flame.xflops.io/cluster: other}}", []string{".metadata.labels[flame.xflops.io/cluster]: Forbidden"}},
		{"selecting component", "objectCache", "metadata: {labels: {flame.xflops.io/component: session-manager}}", []string{".metadata.labels[flame.xflops.io/component]: Forbidden"}},
		{"another private label", "executorManager", "metadata: {labels: {flame.xflops.io/x: z}}", []string{".metadata.labels[flame.xflops.io/x]: Forbidden"}},
		{"Metacontroller's label", "executorManager", "metadata: {labels: {controller-uid: x}}", []string{".metadata.labels[controller-uid]: Forbidden"}},
		{"private annotation", "executorManager", "metadata: {annotations: {flame.xflops.io/config-hash: x}}", []string{".metadata.annotations[flame.xflops.io/config-hash]: Forbidden"}},
		{"labels removed", "executorManager", "metadata: {labels: null}", nil},
		{"illegal label", "executorManager", `metadata: {labels: {team: "a b"}}`, []string{".metadata.labels[team]: Invalid value"}},
		{"name", "executorManager", "metadata: {name: x}", []string{".metadata: Forbidden: only labels and annotations"}},
		{"owner", "executorManager", "metadata: {finalizers: [x]}", []string{".metadata: Forbidden: only labels and annotations"}},

		// The daemon's container.
		{"command", "executorManager", "spec: {containers: [{name: executor-manager, command: [sh]}]}", []string{".spec.containers[0].command: Forbidden"}},
		{"args", "sessionManager", "spec: {containers: [{name: session-manager, args: [--config, /mine.yaml]}]}", []string{".spec.containers[0].args: Forbidden"}},
		{"args without the configuration", "executorManager", "spec: {containers: [{name: executor-manager, args: [--verbose]}]}", []string{".spec.containers[0].args: Forbidden"}},
		{"args removed", "executorManager", "spec: {containers: [{name: executor-manager, args: null}]}", []string{".spec.containers[executor-manager].args: Forbidden"}},
		{"working directory", "sessionManager", "spec: {containers: [{name: session-manager, workingDir: /}]}", []string{".spec.containers[0].workingDir: Forbidden"}},
		{"log filter", "sessionManager", "spec: {containers: [{name: session-manager, env: [{name: RUST_LOG, value: debug}]}]}", []string{".spec.containers[0].env[0]: Forbidden: RUST_LOG"}},
		{"log filter removed", "sessionManager", "spec: {containers: [{name: session-manager, env: null}]}",
			[]string{".spec.containers[session-manager].env: Forbidden: RUST_LOG", ".spec.containers[session-manager].env: Forbidden: FLAME_HOME"}},
		{"home", "executorManager", "spec: {containers: [{name: executor-manager, env: [{name: HOME, value: /x}]}]}", []string{".spec.containers[0].env[0]: Forbidden: HOME"}},
		{"cache variable", "executorManager", "spec: {containers: [{name: executor-manager, env: [{name: FLAME_CACHE_STORAGE, value: x}]}]}", []string{".spec.containers[0].env[0]: Forbidden"}},
		{"containers removed", "executorManager", "spec: {containers: null}", []string{".spec.containers: Forbidden: the container executor-manager can't be removed"}},
		{"spec removed", "executorManager", "spec: null", []string{".spec.containers: Forbidden: the container executor-manager can't be removed"}},
		{"resources removed", "executorManager", "spec: {containers: [{name: executor-manager, resources: null}]}", []string{".spec.containers[executor-manager].resources: Forbidden"}},
		{"limits and requests removed", "executorManager", "spec: {containers: [{name: executor-manager, resources: {limits: null, requests: null}}]}", []string{".spec.containers[executor-manager].resources: Forbidden"}},
		{"UDP on the daemon's port", "sessionManager", "spec: {containers: [{name: session-manager, ports: [{containerPort: 8080, protocol: UDP}]}]}", []string{".spec.containers[0].ports[0].protocol: Forbidden"}},
		{"another name for the daemon's port", "sessionManager", "spec: {containers: [{name: session-manager, ports: [{containerPort: 8081, name: mine}]}]}", []string{".spec.containers[0].ports[0].name: Forbidden"}},
		{"name of the daemon's port removed", "sessionManager", "spec: {containers: [{name: session-manager, ports: [{containerPort: 8081, name: null}]}]}", []string{".spec.containers[session-manager].ports: Forbidden: the port backend"}},
		{"ports removed", "sessionManager", "spec: {containers: [{name: session-manager, ports: null}]}",
			[]string{".spec.containers[session-manager].ports: Forbidden: the port frontend", ".spec.containers[session-manager].ports: Forbidden: the port backend"}},
		{"image removed", "objectCache", "spec: {containers: [{name: object-cache, image: null}]}", []string{".spec.containers[object-cache].image: Forbidden"}},

		// Volumes and mounts.
		{"configuration's volume", "executorManager", "spec: {volumes: [{name: config, emptyDir: {}}]}", []string{".spec.volumes[0]: Forbidden: the volume config"}},
		{"state volume", "sessionManager", "spec: {volumes: [{name: state, persistentVolumeClaim: {claimName: x}}]}", []string{".spec.volumes[0]: Forbidden: the volume state"}},
		{"volumes removed", "objectCache", "spec: {volumes: null}",
			[]string{".spec.volumes: Forbidden: the volume config", ".spec.volumes: Forbidden: the volume objects", ".spec.volumes: Forbidden: the volume logs", ".spec.volumes: Forbidden: the volume object-cache-tls"}},
		{"configuration's mount", "executorManager", "spec: {volumes: [{name: mine}], containers: [{name: executor-manager, volumeMounts: [{name: mine, mountPath: /etc/flame}]}]}", []string{".spec.containers[0].volumeMounts[0].mountPath: Forbidden"}},
		{"the same mount spelled otherwise", "executorManager", "spec: {volumes: [{name: mine}], containers: [{name: executor-manager, volumeMounts: [{name: mine, mountPath: /etc//flame/}]}]}", []string{".spec.containers[0].volumeMounts[0].mountPath: Forbidden"}},
		{"inside the configuration", "executorManager", "spec: {volumes: [{name: mine}], containers: [{name: executor-manager, volumeMounts: [{name: mine, mountPath: /etc/flame/flame-cluster.yaml, subPath: x}]}]}", []string{".spec.containers[0].volumeMounts[0].mountPath: Forbidden"}},
		{"above the certificates", "executorManager", "spec: {volumes: [{name: mine}], containers: [{name: executor-manager, volumeMounts: [{name: mine, mountPath: /etc/flame-tls}]}]}",
			[]string{".spec.containers[0].volumeMounts[0].mountPath: Forbidden"}},
		{"state's mount", "sessionManager", "spec: {volumes: [{name: mine}], containers: [{name: session-manager, volumeMounts: [{name: mine, mountPath: /var/lib/flame/session}]}]}", []string{".spec.containers[0].volumeMounts[0].mountPath: Forbidden"}},

		// Credentials.
		{"image of the init container", "sessionManager", "spec: {initContainers: [{name: storage-credentials, image: x}]}", []string{".spec.initContainers[0]: Forbidden"}},
		{"environment of the init container", "sessionManager", "spec: {initContainers: [{name: storage-credentials, env: [{name: FLAME_STORAGE, value: x}]}]}", []string{".spec.initContainers[0]: Forbidden"}},
		{"init containers removed", "sessionManager", "spec: {initContainers: null}", []string{".spec.initContainers: Forbidden: the init container storage-credentials"}},
		{"its name", "executorManager", "spec: {containers: [{name: storage-credentials, image: x}]}", []string{".spec.containers[0].name: Forbidden"}},
		{"an init container that is not generated", "executorManager", "spec: {initContainers: [{name: storage-credentials, resources: {limits: {cpu: 1}}}]}", []string{".spec.initContainers[0].name: Forbidden"}},

		// Nodes.
		{"name of the init container that forgets nodes", "sessionManager", "spec: {containers: [{name: forget-nodes, image: x}]}", []string{".spec.containers[0].name: Forbidden"}},
		{"it is not generated where a Secret says where the state is", "sessionManager", "spec: {initContainers: [{name: forget-nodes, resources: {limits: {cpu: 1}}}]}", []string{".spec.initContainers[0].name: Forbidden"}},

		// Executors' identity.
		{"hostname", "executorManager", "spec: {hostname: one}", []string{".spec.hostname: Forbidden"}},
		{"FQDN as hostname", "executorManager", "spec: {setHostnameAsFQDN: true}", []string{".spec.setHostnameAsFQDN: Forbidden"}},
		{"hostname override", "executorManager", "spec: {hostnameOverride: one}", []string{".spec.hostnameOverride: Forbidden"}},
		{"hostname elsewhere", "sessionManager", "spec: {hostname: one, setHostnameAsFQDN: true}", nil},
		{"FQDN turned off", "executorManager", "spec: {setHostnameAsFQDN: false}", nil},

		// Lists that are merged by a key.
		{"TCP and UDP on one port", "executorManager", "spec: {containers: [{name: dns, image: x, ports: [{containerPort: 53}, {containerPort: 53, protocol: UDP}]}]}",
			[]string{`.spec.containers[0].ports[1].containerPort: Duplicate value: "53"`}},
		{"one variable twice", "executorManager", "spec: {containers: [{name: executor-manager, env: [{name: A, value: a}, {name: A, value: b}]}]}",
			[]string{`.spec.containers[0].env[1].name: Duplicate value: "A"`}},
		{"one variable twice in a sidecar", "executorManager", "spec: {containers: [{name: x, image: x, env: [{name: A, value: a}, {name: A, value: b}]}]}",
			[]string{`.spec.containers[0].env[1].name: Duplicate value: "A"`}},
		{"variable without a name", "executorManager", "spec: {containers: [{name: x, image: x, env: [{value: a}]}]}", []string{".spec.containers[0].env[0].name: Required"}},
		{"one container twice", "executorManager", "spec: {containers: [{name: a, image: x}, {name: a, image: z}]}", []string{`.spec.containers[1].name: Duplicate value: "a"`}},
		{"container and init container", "executorManager", "spec: {initContainers: [{name: a, image: x}], containers: [{name: a, image: z}]}", []string{`.spec.containers[0].name: Duplicate value: "a"`}},
		{"container without a name", "executorManager", "spec: {containers: [{image: x}]}", []string{".spec.containers[0].name: Required"}},
		{"one volume twice", "executorManager", "spec: {volumes: [{name: a}, {name: a}]}", []string{`.spec.volumes[1].name: Duplicate value: "a"`}},
		{"one mount twice", "executorManager", "spec: {volumes: [{name: a}], containers: [{name: executor-manager, volumeMounts: [{name: a, mountPath: /a}, {name: a, mountPath: /a}]}]}",
			[]string{`.spec.containers[0].volumeMounts[1].mountPath: Duplicate value: "/a"`}},
		{"headers twice in several handlers", "sessionManager", "spec: {containers: [{name: x, image: x, readinessProbe: {httpGet: {port: 1, httpHeaders: [{name: A}, {name: A}]}}, livenessProbe: {httpGet: {port: 1, httpHeaders: [{name: A}, {name: A}]}}, startupProbe: {httpGet: {port: 1, httpHeaders: [{name: A}, {name: A}]}}, lifecycle: {postStart: {httpGet: {port: 1, httpHeaders: [{name: A}, {name: A}]}}, preStop: {httpGet: {port: 1, httpHeaders: [{name: A}, {name: A}]}}}}]}",
			[]string{
				`.spec.containers[0].lifecycle.postStart.httpGet.httpHeaders[1].name: Duplicate`, `.spec.containers[0].lifecycle.preStop.httpGet.httpHeaders[1].name: Duplicate`,
				`.spec.containers[0].livenessProbe.httpGet.httpHeaders[1].name: Duplicate`, `.spec.containers[0].readinessProbe.httpGet.httpHeaders[1].name: Duplicate`,
				`.spec.containers[0].startupProbe.httpGet.httpHeaders[1].name: Duplicate`,
			}},
		{"one header twice", "sessionManager", "spec: {containers: [{name: x, image: x, livenessProbe: {httpGet: {port: 1, httpHeaders: [{name: A, value: a}, {name: A, value: b}]}}}]}",
			[]string{`.spec.containers[0].livenessProbe.httpGet.httpHeaders[1].name: Duplicate value: "A"`}},
		{"one address twice", "executorManager", "spec: {hostAliases: [{ip: 1.1.1.1, hostnames: [a]}, {ip: 1.1.1.1, hostnames: [b]}]}", []string{`.spec.hostAliases[1].ip: Duplicate value: "1.1.1.1"`}},

		{"one device twice", "executorManager", "spec: {volumes: [{name: a}, {name: b}], containers: [{name: executor-manager, volumeDevices: [{name: a, devicePath: /dev/x}, {name: b, devicePath: /dev/x}]}]}",
			[]string{`.spec.containers[0].volumeDevices[1].devicePath: Duplicate value: "/dev/x"`}},
		{"one scheduling gate twice", "executorManager", "spec: {schedulingGates: [{name: example.com/a}, {name: example.com/a}]}", []string{`.spec.schedulingGates[1].name: Duplicate value: "example.com/a"`}},
		{"one eviction responder twice", "executorManager", "spec: {evictionResponders: [{name: a}, {name: a}]}", []string{`.spec.evictionResponders[1].name: Duplicate value: "a"`}},

		// What the API server would refuse.
		{"restart policy", "executorManager", "spec: {restartPolicy: Never}", []string{".spec.restartPolicy: Unsupported value"}},
		{"deadline", "executorManager", "spec: {activeDeadlineSeconds: 5}", []string{".spec.activeDeadlineSeconds: Forbidden"}},
		{"ephemeral containers", "executorManager", "spec: {ephemeralContainers: [{name: a, image: x}]}", []string{".spec.ephemeralContainers: Forbidden"}},
		{"host's processes", "executorManager", "spec: {hostPID: true}", []string{".spec.hostPID: Forbidden"}},
		{"limit below the default request", "executorManager", "spec: {containers: [{name: executor-manager, resources: {limits: {cpu: 500m}}}]}",
			[]string{".spec.containers[executor-manager].resources.requests[cpu]: Invalid value: \"1\": must be at most the limit, 500m"}},
		{"sidecar's request above its limit", "executorManager", "spec: {containers: [{name: x, image: x, resources: {limits: {memory: 1Gi}, requests: {memory: 2Gi}}}]}",
			[]string{".spec.containers[x].resources.requests[memory]: Invalid value"}},
		{"device requested without a limit", "executorManager", "spec: {containers: [{name: x, image: x, resources: {requests: {nvidia.com/gpu: 1}}}]}",
			[]string{".spec.containers[x].resources.limits[nvidia.com/gpu]: Required"}},
		{"more GPUs than exist", "executorManager", "spec: {containers: [{name: executor-manager, resources: {limits: {nvidia.com/gpu: 9e15}}}]}",
			[]string{".spec.containers[executor-manager].resources.limits[nvidia.com/gpu]: Invalid value"}},

		// Several at once.
		{"all errors at once", "executorManager", "{metadata: {labels: {flame.xflops.io/cluster: a}}, spec: {hostname: b, containers: [{name: executor-manager, command: [c]}]}}",
			[]string{".metadata.labels[flame.xflops.io/cluster]: Forbidden", ".spec.containers[0].command: Forbidden", ".spec.hostname: Forbidden"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			errs, _ := checkTemplate(t, tc.component, tc.template)
			require.Len(t, errs, len(tc.want), strings.Join(errs, "\n"))
			for i, want := range tc.want {
				assert.Truef(t, strings.HasPrefix(errs[i], "spec."+tc.component+".podTemplate"+want), "got  %s\nwant %s", errs[i], want)
			}
		})
	}
}

func TestAPodTemplateFieldGivenTwiceIsNamed(t *testing.T) {
	spec := decodeSpec(t, "{}")
	setTemplate(spec, "executorManager", []byte(`{"spec": {"hostNetwork": true, "hostNetwork": false}}`))
	errs, _ := CheckPodTemplates("demo", spec)
	require.Len(t, errs, 1)
	assert.Equal(t, "spec.executorManager.podTemplate.spec.hostNetwork: Forbidden: is given twice", errs[0].Error())
}

func TestPodTemplateWarnings(t *testing.T) {
	for _, tc := range []struct{ name, component, template, want string }{
		{"host network of executors", "executorManager", "spec: {hostNetwork: true}", "spec.executorManager.podTemplate.spec.hostNetwork: all executors on a node"},
		{"host network of the cache", "objectCache", "spec: {hostNetwork: true}", "spec.objectCache.podTemplate.spec.hostNetwork: the ports are opened"},
		{"host path", "executorManager", "spec: {volumes: [{name: a, hostPath: {path: /a}}]}", "spec.executorManager.podTemplate.spec.volumes[0].hostPath: Pod Security forbids it"},
		{"privileged", "executorManager", "spec: {containers: [{name: x, image: x, securityContext: {privileged: true}}]}", "spec.executorManager.podTemplate.spec.containers[0].securityContext.privileged: Pod Security"},
		{"own process namespace", "sessionManager", "spec: {shareProcessNamespace: false}", "spec.sessionManager.podTemplate.spec.shareProcessNamespace: Flame's daemons ignore SIGTERM"},
		{"own process namespace of executors", "executorManager", "spec: {shareProcessNamespace: false}", "spec.executorManager.podTemplate.spec.shareProcessNamespace: Flame's daemons ignore SIGTERM as process 1, so every stop takes the whole grace period, and an executor can't sign off"},
		{"another preStop", "executorManager", "spec: {containers: [{name: executor-manager, lifecycle: {preStop: {sleep: {seconds: 1}}}}]}", "spec.executorManager.podTemplate.spec.containers[executor-manager].lifecycle.preStop: takes the place of the generated hook"},
		{"another command before it stops", "executorManager", "spec: {containers: [{name: executor-manager, lifecycle: {preStop: {exec: {command: [a]}}}}]}", "spec.executorManager.podTemplate.spec.containers[executor-manager].lifecycle.preStop: takes the place"},
		{"no preStop", "executorManager", "spec: {containers: [{name: executor-manager, lifecycle: {preStop: null}}]}", "spec.executorManager.podTemplate.spec.containers[executor-manager].lifecycle.preStop: takes the place"},
		{"no lifecycle", "executorManager", "spec: {containers: [{name: executor-manager, lifecycle: null}]}", "spec.executorManager.podTemplate.spec.containers[executor-manager].lifecycle.preStop: takes the place"},
		{"a lifecycle beside the generated one", "executorManager", "spec: {containers: [{name: executor-manager, lifecycle: {postStart: {exec: {command: [a]}}}}]}", ""},
		{"preStop of another daemon", "sessionManager", "spec: {containers: [{name: session-manager, lifecycle: {preStop: {sleep: {seconds: 1}}}}]}", ""},
		{"part of a CPU", "executorManager", "spec: {containers: [{name: executor-manager, resources: {limits: {cpu: 2500m}}}]}", "spec.executorManager.podTemplate.spec.containers[executor-manager].resources.limits[cpu]: give whole CPUs"},
		{"no CPU limit", "executorManager", "spec: {containers: [{name: executor-manager, resources: {limits: {cpu: null}}}]}", "spec.executorManager.podTemplate.spec.containers[executor-manager].resources.limits[cpu]: give whole CPUs"},
		{"nothing to warn of", "executorManager", "spec: {nodeSelector: {a: b}}", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			errs, warnings := checkTemplate(t, tc.component, tc.template)
			require.Empty(t, errs)
			if tc.want == "" {
				assert.Empty(t, warnings)
				return
			}
			require.Len(t, warnings, 1)
			assert.Truef(t, strings.HasPrefix(warnings[0], tc.want), "got %s", warnings[0])
		})
	}
}

// An error names the place, never a value that may be a password.
func TestPodTemplateErrorsRepeatNoSecrets(t *testing.T) {
	errs, _ := checkTemplate(t, "executorManager", "spec: {containers: [{name: executor-manager, command: [hidden], args: [hidden], env: [{name: RUST_LOG, value: hidden}, {name: X, value: [hidden]}]}]}")
	require.NotEmpty(t, errs)
	labels, _ := checkTemplate(t, "executorManager", `{metadata: {labels: {a: "postgres://u:hidden@h/d", "postgres://u:hidden@h/d": b}}}`)
	require.NotEmpty(t, labels)
	types, _ := checkTemplate(t, "executorManager", `{metadata: {labels: {"postgres://u:hidden@h/d": 1}}}`)
	require.NotEmpty(t, types)
	twice, _ := checkTemplate(t, "executorManager", `spec: {hostAliases: [{ip: "postgres://u:hidden@h/d"}, {ip: "postgres://u:hidden@h/d"}]}`)
	require.NotEmpty(t, twice)
	reserved, _ := checkTemplate(t, "executorManager", "spec: {containers: [{name: executor-manager, command: [hidden], args: [hidden], env: [{name: RUST_LOG, value: hidden}]}]}")
	require.NotEmpty(t, reserved)
	assert.NotContains(t, strings.Join(slices.Concat(errs, reserved, labels, types, twice), "\n"), "hidden")
}

func TestPodTemplateOfNullIsNone(t *testing.T) {
	want := asAny(children(t, "{}"))
	for _, raw := range []string{"null", " null\n", ""} {
		spec := decodeSpec(t, "{}")
		for _, component := range []string{"sessionManager", "executorManager", "objectCache"} {
			setTemplate(spec, component, []byte(raw))
		}
		errs, warnings := CheckPodTemplates("demo", spec)
		assert.Empty(t, errs)
		assert.Empty(t, warnings)
		assert.Equal(t, toYAML(t, want...), toYAML(t, asAny(allChildren(t, newCluster(t, spec)))...))
	}
}

// A null takes away what was generated, but not what the controller needs.
func TestPodTemplateNullsKeepWhatIsNeeded(t *testing.T) {
	for _, template := range []string{"metadata: null", "metadata: {labels: null, annotations: null}", "spec: {securityContext: null, terminationGracePeriodSeconds: null}"} {
		raw, err := yaml.YAMLToJSON([]byte(template))
		require.NoError(t, err)
		spec := decodeSpec(t, "{}")
		setTemplate(spec, "executorManager", raw)
		errs, _ := CheckPodTemplates("demo", spec)
		require.Empty(t, errs)
		requireUsable(t, find[*appsv1.Deployment](t, allChildren(t, newCluster(t, spec)), "demo-executor-manager"))
	}
}

// Whatever the podTemplate holds: no panic, and what is accepted can be built, with the
// selector's labels and the daemon's container.
func FuzzPodTemplate(f *testing.F) {
	for _, text := range []string{
		`{}`, `null`, `[]`, `{"spec":null}`, `{"spec":{"containers":[{"name":"executor-manager","args":null}]}}`,
		`{"metadata":{"labels":null,"creationTimestamp":null}}`, `{"spec":{"volumes":[{"name":"x","projected":{"sources":[{}]}}]}}`,
		`{"spec":{"containers":[null]}}`, `{"spec":{"topologySpreadConstraints":[{}],"tolerations":[{}]}}`,
		`{"spec":{"containers":[{"name":"executor-manager","env":[{"name":"A","valueFrom":{"fieldRef":{}}}],"resources":{"limits":{"a/gpu":"-1"}}}]}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		spec := decodeSpec(t, "{}")
		for _, component := range []string{"sessionManager", "executorManager", "objectCache"} {
			setTemplate(spec, component, raw)
		}
		if errs, _ := CheckPodTemplates("demo", spec); len(errs) > 0 {
			return
		}
		for _, o := range allChildren(t, newCluster(t, spec)) {
			if d, ok := o.(*appsv1.Deployment); ok {
				requireUsable(t, d)
			}
		}
	})
}

// requireUsable holds for every pod, whatever a podTemplate says.
func requireUsable(t *testing.T, d *appsv1.Deployment) {
	t.Helper()
	template := d.Spec.Template
	require.Subset(t, template.Labels, d.Spec.Selector.MatchLabels)
	require.NotEmpty(t, template.Annotations[v1alpha1.AnnotationConfigHash])
	c := container(t, d)
	require.Empty(t, c.Command)
	require.Equal(t, []string{"--config", "/etc/flame/flame-cluster.yaml"}, c.Args[:2])
	require.NotEqual(t, "unset", envValue(c, "RUST_LOG"))
	require.NotEmpty(t, c.Image)
	mounted := false
	for _, m := range c.VolumeMounts {
		mounted = mounted || m.Name == "config" && m.MountPath == "/etc/flame"
	}
	require.True(t, mounted)
}
