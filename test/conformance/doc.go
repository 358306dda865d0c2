// Package conformance holds flame-hook's view of a FlameCluster against that of a
// Kubernetes API server, by means of the API server's own code. It is a module of
// its own, so that the product does not depend on that code.
package conformance
