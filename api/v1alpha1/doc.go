// Package v1alpha1 is the API of FlameCluster, the resource that describes one
// Flame cluster on Kubernetes: its Go types, its defaults, the rules a spec has
// to follow whatever the Flame version, and the vocabulary of its status.
//
// +kubebuilder:object:generate=true
// +groupName=flame.xflops.io
package v1alpha1
