// Package crds holds definitions of the custom resources that Metacontroller
// serves: just enough schema for the API server to accept and keep them.
package crds
