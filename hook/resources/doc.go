// Package resources builds the Kubernetes objects of a Flame cluster. Every builder
// is a pure function of a Cluster: the same cluster gives the same objects, field by
// field and in the same order.
//
// The objects are typed and say what the API server would store where that matters:
// Metacontroller compares JSON, so a default that the API server adds inside a list
// without keys would look like drift for ever.
package resources
