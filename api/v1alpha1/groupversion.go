package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const (
	// Group is the API group of FlameCluster and the prefix of every label and
	// annotation that belongs to it.
	Group = "flame.xflops.io"
	// Version is the version of this API.
	Version = "v1alpha1"
	// Kind is the kind of the one resource in this API.
	Kind = "FlameCluster"
)

var (
	// GroupVersion identifies this API.
	GroupVersion = schema.GroupVersion{Group: Group, Version: Version}
	// SchemeBuilder collects the functions that add this API to a scheme.
	SchemeBuilder = runtime.NewSchemeBuilder(addKnownTypes)
	// AddToScheme adds the types of this API to a scheme, for clients and tests.
	AddToScheme = SchemeBuilder.AddToScheme
)

func addKnownTypes(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion, &FlameCluster{}, &FlameClusterList{})
	metav1.AddToGroupVersion(s, GroupVersion)
	return nil
}
