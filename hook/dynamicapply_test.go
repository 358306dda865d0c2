package hook_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
)

// mergeKeys are the fields by which Metacontroller tells the items of a list apart:
// the first one that all items have.
var mergeKeys = []string{"containerPort", "port", "mountPath", "name", "uid", "ip", "path"}

// dynamicApply is Metacontroller's three-way merge: what was applied and is no longer
// desired goes, what is desired comes, all else stays as observed. It changes none of
// its arguments.
func dynamicApply(observed, applied, desired any) any {
	switch o := observed.(type) {
	case map[string]any:
		a, _ := applied.(map[string]any)
		d, _ := desired.(map[string]any)
		merged := map[string]any{}
		for key, value := range o {
			_, was := a[key]
			if _, is := d[key]; was && !is {
				continue
			}
			merged[key] = value
		}
		for key, value := range d {
			merged[key] = dynamicApply(o[key], a[key], value)
		}
		return merged
	case []any:
		a, _ := applied.([]any)
		d, _ := desired.([]any)
		if key := mergeKey(o, a, d); key != "" {
			return mergeKeyed(key, o, a, d)
		}
	}
	return desired
}

func mergeKeyed(key string, observed, applied, desired []any) []any {
	o, a, d := byKey(key, observed), byKey(key, applied), byKey(key, desired)
	merged, _ := dynamicApply(o, a, d).(map[string]any)
	var list []any
	for _, item := range slices.Concat(observed, desired) {
		name := fmt.Sprint(item.(map[string]any)[key])
		if value, there := merged[name]; there {
			list = append(list, value)
			delete(merged, name)
		}
	}
	return list
}

func mergeKey(lists ...[]any) string {
	all := slices.Concat(lists...)
	for _, key := range mergeKeys {
		if len(all) > 0 && !slices.ContainsFunc(all, func(item any) bool {
			object, _ := item.(map[string]any)
			_, has := object[key]
			return !has
		}) {
			return key
		}
	}
	return ""
}

func byKey(key string, list []any) map[string]any {
	items := map[string]any{}
	for _, item := range list {
		items[fmt.Sprint(item.(map[string]any)[key])] = item
	}
	return items
}

// stored is a child as the API server stores and returns it: read into its type,
// with defaults. Its clusterIP is always the same.
func stored(child map[string]any) map[string]any {
	var typed any
	switch child["kind"] {
	case "Deployment":
		typed = &appsv1.Deployment{}
	case "Service":
		typed = &corev1.Service{}
	case "ConfigMap":
		typed = &corev1.ConfigMap{}
	case "PodDisruptionBudget":
		typed = &policyv1.PodDisruptionBudget{}
	case "NetworkPolicy":
		typed = &networkingv1.NetworkPolicy{}
	}
	tree := jsonTree(jsonTree(child, typed), &map[string]any{})
	object := *tree.(*map[string]any)
	delete(object, "status")
	switch child["kind"] {
	case "Deployment":
		deploymentDefaults(member(object, "spec"))
	case "Service":
		serviceDefaults(member(object, "spec"))
	}
	return object
}

// jsonTree writes from as JSON and reads it into the pointer to, which it returns.
func jsonTree(from, to any) any {
	raw, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(raw, to)
	}
	if err != nil {
		panic(err)
	}
	return to
}

func member(m map[string]any, key string) map[string]any {
	inner, _ := m[key].(map[string]any)
	return inner
}

func eachOf(m map[string]any, key string, do func(map[string]any)) {
	list, _ := m[key].([]any)
	for _, item := range list {
		do(item.(map[string]any))
	}
}

// setDefaults takes keys and values in turn. Nothing is set in a nil map.
func setDefaults(m map[string]any, keysAndValues ...any) {
	for i := 0; m != nil && i < len(keysAndValues); i += 2 {
		if key := keysAndValues[i].(string); m[key] == nil {
			m[key] = keysAndValues[i+1]
		}
	}
}

func deploymentDefaults(spec map[string]any) {
	setDefaults(spec, "replicas", 1.0, "revisionHistoryLimit", 10.0, "progressDeadlineSeconds", 600.0, "strategy", map[string]any{})
	strategy := member(spec, "strategy")
	setDefaults(strategy, "type", "RollingUpdate")
	if strategy["type"] == "RollingUpdate" {
		setDefaults(strategy, "rollingUpdate", map[string]any{})
		setDefaults(member(strategy, "rollingUpdate"), "maxSurge", "25%", "maxUnavailable", "25%")
	}
	pod := member(member(spec, "template"), "spec")
	setDefaults(pod, "restartPolicy", "Always", "dnsPolicy", "ClusterFirst", "schedulerName", "default-scheduler",
		"terminationGracePeriodSeconds", 30.0, "securityContext", map[string]any{})
	if account := pod["serviceAccountName"]; account != nil {
		setDefaults(pod, "serviceAccount", account)
	}
	if account := pod["serviceAccount"]; account != nil {
		setDefaults(pod, "serviceAccountName", account)
	}
	eachOf(pod, "volumes", volumeDefaults)
	eachOf(pod, "initContainers", containerDefaults)
	eachOf(pod, "containers", containerDefaults)
}

func containerDefaults(c map[string]any) {
	policy := "IfNotPresent"
	image, _ := c["image"].(string)
	if _, tag, tagged := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":"); !tagged || tag == "latest" {
		policy = "Always"
	}
	setDefaults(c, "terminationMessagePath", "/dev/termination-log", "terminationMessagePolicy", "File",
		"imagePullPolicy", policy, "resources", map[string]any{})
	eachOf(c, "ports", func(p map[string]any) { setDefaults(p, "protocol", "TCP") })
	eachOf(c, "env", func(e map[string]any) { setDefaults(member(member(e, "valueFrom"), "fieldRef"), "apiVersion", "v1") })
	for _, probe := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
		p := member(c, probe)
		setDefaults(p, "timeoutSeconds", 1.0, "periodSeconds", 10.0, "successThreshold", 1.0, "failureThreshold", 3.0)
		handlerDefaults(p)
	}
	handlerDefaults(member(member(c, "lifecycle"), "preStop"))
	handlerDefaults(member(member(c, "lifecycle"), "postStart"))
}

func handlerDefaults(handler map[string]any) {
	setDefaults(member(handler, "httpGet"), "path", "/", "scheme", "HTTP")
	setDefaults(member(handler, "grpc"), "service", "")
}

func volumeDefaults(v map[string]any) {
	if len(v) == 1 {
		v["emptyDir"] = map[string]any{}
	}
	for _, source := range []string{"configMap", "secret", "downwardAPI", "projected"} {
		setDefaults(member(v, source), "defaultMode", 420.0)
	}
	setDefaults(member(v, "hostPath"), "type", "")
	setDefaults(member(member(member(v, "ephemeral"), "volumeClaimTemplate"), "spec"), "volumeMode", "Filesystem")
	fields := func(item map[string]any) { setDefaults(member(item, "fieldRef"), "apiVersion", "v1") }
	eachOf(member(v, "downwardAPI"), "items", fields)
	eachOf(member(v, "projected"), "sources", func(source map[string]any) {
		setDefaults(member(source, "serviceAccountToken"), "expirationSeconds", 3600.0)
		eachOf(member(source, "downwardAPI"), "items", fields)
	})
}

func serviceDefaults(spec map[string]any) {
	setDefaults(spec, "type", "ClusterIP", "sessionAffinity", "None", "internalTrafficPolicy", "Cluster",
		"clusterIP", "10.0.0.1", "clusterIPs", []any{"10.0.0.1"}, "ipFamilies", []any{"IPv4"}, "ipFamilyPolicy", "SingleStack")
	nodePort := 30000.0
	eachOf(spec, "ports", func(p map[string]any) {
		setDefaults(p, "protocol", "TCP", "targetPort", p["port"])
		if spec["type"] != "ClusterIP" {
			nodePort++
			setDefaults(p, "nodePort", nodePort)
		}
	})
	if spec["type"] != "ClusterIP" {
		setDefaults(spec, "externalTrafficPolicy", "Cluster")
	}
	if spec["type"] == "LoadBalancer" {
		setDefaults(spec, "allocateLoadBalancerNodePorts", true)
	}
}
