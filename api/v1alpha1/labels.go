package v1alpha1

// Labels on every child and every pod. Selectors use LabelCluster and
// LabelComponent only, so that no edit of a spec ever changes a selector.
const (
	// LabelCluster is the name of the FlameCluster.
	LabelCluster = Group + "/cluster"
	// LabelComponent is one of the Component constants.
	LabelComponent = Group + "/component"
)

// Component names a part of a Flame cluster. It is the suffix of the child's
// name, the value of LabelComponent and the name of the daemon's container.
type Component string

// The parts of a Flame cluster.
const (
	// ComponentSessionManager is the scheduler.
	ComponentSessionManager Component = "session-manager"
	// ComponentExecutorManager is the worker.
	ComponentExecutorManager Component = "executor-manager"
	// ComponentObjectCache is the object cache.
	ComponentObjectCache Component = "object-cache"
)

// Names of the init containers of the session manager's pod. A podTemplate can set
// their resources, and nothing else of them.
const (
	// CredentialsContainer puts the connection string of storage.secretRef into the
	// configuration.
	CredentialsContainer = "storage-credentials"
	// ForgetNodesContainer removes the nodes, and the executors on them, from the
	// session manager's state.
	ForgetNodesContainer = "forget-nodes"
)

// Annotations on children and on their pod templates.
const (
	// AnnotationHash, on every child, is a hash of the child as it was sent. A
	// child that was observed with another value has not taken the change yet.
	AnnotationHash = Group + "/hash"
	// AnnotationStraysSent, on a child, is when something that others had added to it was
	// sent in order to take it away, in RFC 3339, and what. It is not in the hash.
	AnnotationStraysSent = Group + "/strays-sent"
	// AnnotationConfigHash, on a pod template, is a hash of the configuration that
	// the pod's daemon reads.
	AnnotationConfigHash = Group + "/config-hash"
	// AnnotationSessionManagerState, on the executors' pod template, identifies the
	// run of the session manager that the executors have registered with: its pod
	// template, its pod's UID and the restarts of its container. A new value restarts
	// them.
	AnnotationSessionManagerState = Group + "/session-manager-state"
	// AnnotationRestartedAt, on a pod template, is spec.restartedAt.
	AnnotationRestartedAt = Group + "/restarted-at"
)
