// Package crds holds definitions of the custom resources that Metacontroller
// serves, and of those that stand beside FlameClusters: just enough schema for the API
// server to accept and keep them.
package crds
