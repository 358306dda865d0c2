// Package install applies manifests the way a user does, and points the
// CompositeController at a hook that runs outside of the cluster.
package install
