// Package tree prints the objects of a FlameCluster for a person.
package tree

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/canonical"
)

// branch is one object in the tree: a headline and details below it.
type branch struct {
	headline string
	details  []detail
}

type detail struct{ label, text string }

// Print prints the objects of the named FlameCluster: workloads first, with what
// they run, serve, keep and wait for. A terminal gets colours, unless NO_COLOR is set.
func Print(w io.Writer, name string, children []canonical.Object) error {
	return printWith(w, paletteOf(w), name, children)
}

func printWith(w io.Writer, colours palette, name string, children []canonical.Object) error {
	branches := make([]branch, 0, len(children))
	for _, kind := range []string{"Deployment", "Service", "ConfigMap", "PodDisruptionBudget", "NetworkPolicy"} {
		for _, child := range children {
			if child.Kind != kind {
				continue
			}
			b, err := describeChild(colours.kind(child.Kind)+" "+colours.name(child.Name), child)
			if err != nil {
				return err
			}
			branches = append(branches, b)
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%s %s\n", colours.kind("FlameCluster"), colours.name(name))
	for i, b := range branches {
		turn, bar := "├─ ", "│    "
		if i == len(branches)-1 {
			turn, bar = "└─ ", "     "
		}
		fmt.Fprintf(&text, "%s%s\n", turn, b.headline)
		for _, d := range b.details {
			fmt.Fprintf(&text, "%s%s %s\n", bar, colours.label(fmt.Sprintf("%-8s", d.label)), d.text)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func describeChild(headline string, child canonical.Object) (branch, error) {
	switch child.Kind {
	case "Deployment":
		var d appsv1.Deployment
		if err := child.Decode(&d); err != nil {
			return branch{}, err
		}
		return describeDeployment(headline, &d), nil
	case "Service":
		var s corev1.Service
		if err := child.Decode(&s); err != nil {
			return branch{}, err
		}
		return branch{headline: fmt.Sprintf("%s  %s %s", headline, serviceType(&s), servicePorts(&s))}, nil
	case "ConfigMap":
		var c corev1.ConfigMap
		if err := child.Decode(&c); err != nil {
			return branch{}, err
		}
		return branch{headline: fmt.Sprintf("%s  %s", headline, strings.Join(slices.Sorted(maps.Keys(c.Data)), ", "))}, nil
	case "PodDisruptionBudget":
		var p policyv1.PodDisruptionBudget
		if err := child.Decode(&p); err != nil {
			return branch{}, err
		}
		return branch{headline: fmt.Sprintf("%s  at most %s unavailable", headline, p.Spec.MaxUnavailable.String())}, nil
	default:
		return branch{headline: headline}, nil
	}
}

func describeDeployment(headline string, d *appsv1.Deployment) branch {
	replicas := "replicas"
	if *d.Spec.Replicas == 1 {
		replicas = "replica"
	}
	b := branch{headline: fmt.Sprintf("%s  %d %s", headline, *d.Spec.Replicas, replicas)}
	add := func(label, text string) {
		if text != "" {
			b.details = append(b.details, detail{label, text})
		}
	}
	if d.Labels[v1alpha1.LabelComponent] == string(v1alpha1.ComponentExecutorManager) {
		add("waits", "for the session manager to be available")
	}
	pod := d.Spec.Template.Spec
	for _, c := range pod.InitContainers {
		add("first", fmt.Sprintf("%s  %s", c.Name, c.Image))
	}
	for _, c := range pod.Containers {
		add("runs", fmt.Sprintf("%s  %s", c.Name, c.Image))
		add("takes", resourcesText(c.Resources))
		add("listens", containerPorts(c))
	}
	for _, v := range pod.Volumes {
		add("volume", v.Name+"  "+volumeText(v.VolumeSource))
	}
	return b
}

func resourcesText(r corev1.ResourceRequirements) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(r.Limits)) {
		q := r.Limits[name]
		parts = append(parts, fmt.Sprintf("%s up to %s", name, q.String()))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Requests)) {
		if _, limited := r.Limits[name]; !limited {
			q := r.Requests[name]
			parts = append(parts, fmt.Sprintf("%s from %s", name, q.String()))
		}
	}
	return strings.Join(parts, ", ")
}

func containerPorts(c corev1.Container) string {
	parts := make([]string, 0, len(c.Ports))
	for _, p := range c.Ports {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%d %s", p.ContainerPort, p.Name)))
	}
	return strings.Join(parts, ", ")
}

func serviceType(s *corev1.Service) string {
	if s.Spec.Type == "" {
		return string(corev1.ServiceTypeClusterIP)
	}
	return string(s.Spec.Type)
}

func servicePorts(s *corev1.Service) string {
	parts := make([]string, 0, len(s.Spec.Ports))
	for _, p := range s.Spec.Ports {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%d %s", p.Port, p.Name)))
	}
	return strings.Join(parts, ", ")
}

// volumeText names the kind of a volume and the object behind it, if there is one.
func volumeText(v corev1.VolumeSource) string {
	switch {
	case v.EmptyDir != nil:
		if v.EmptyDir.Medium != "" {
			return "emptyDir in " + strings.ToLower(string(v.EmptyDir.Medium))
		}
		return "emptyDir"
	case v.ConfigMap != nil:
		return "ConfigMap " + v.ConfigMap.Name
	case v.Secret != nil:
		return "Secret " + v.Secret.SecretName
	case v.PersistentVolumeClaim != nil:
		return "PersistentVolumeClaim " + v.PersistentVolumeClaim.ClaimName
	case v.HostPath != nil:
		return "hostPath " + v.HostPath.Path
	}
	return volumeKind(v)
}

// volumeKind is the name of the one member that is set.
func volumeKind(v corev1.VolumeSource) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return ""
	}
	return strings.Join(slices.Sorted(maps.Keys(members)), ", ")
}
