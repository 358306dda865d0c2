// Package kubelet stands in for a scheduler and a node: it binds pods, says that
// their containers run, and fails in the ways real nodes do. No container runs.
//
// What a pod does is decided by its images and by the annotation Behavior:
//
//   - an image with "does-not-exist" in its name can't be pulled;
//   - a pod that asks for more than the node has, or for a node label that the node
//     does not have, or for a claim that does not exist, is unschedulable;
//   - an environment variable from a Secret that does not exist is a
//     CreateContainerConfigError, a volume of such a Secret never mounts;
//   - with restartPolicy Never containers end after a second, and the pod has succeeded;
//   - the annotation makes containers crash, end with exit code 0, become ready
//     late or never.
package kubelet
