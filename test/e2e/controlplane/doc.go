// Package controlplane runs an etcd, a kube-apiserver and the controllers that
// turn Deployments into Pods and collect garbage, on loopback only and without
// containers. The kube-apiserver and the controllers are processes of their own,
// started from the running executable, so that they can be killed and restarted:
// a program that uses this package calls Main first thing.
package controlplane
