package crds

import _ "embed"

// Metacontroller is a YAML stream with the CustomResourceDefinitions of
// CompositeController, DecoratorController and ControllerRevision, all of which
// Metacontroller watches from its start.
//
//go:embed metacontroller.yaml
var Metacontroller []byte
