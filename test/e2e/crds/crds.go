package crds

import _ "embed"

// Metacontroller is a YAML stream with the CustomResourceDefinitions of
// CompositeController, DecoratorController and ControllerRevision, all of which
// Metacontroller watches from its start.
//
//go:embed metacontroller.yaml
var Metacontroller []byte

// Neighbors is a YAML stream with the CustomResourceDefinitions of what examples and
// components use beside FlameClusters: those of cert-manager, KEDA, Argo CD, Flux and the
// Prometheus operator. Nothing acts on such objects.
//
//go:embed neighbors.yaml
var Neighbors []byte
