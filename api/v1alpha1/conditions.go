package v1alpha1

// Types of the conditions in FlameClusterStatus, in the order in which they are
// listed. Stalled and Reconciling are read by kstatus (Flux, Argo CD, Helm) and
// are present only while they are True; they are never True together.
const (
	// ConditionStalled is True when the cluster can't become what is wanted before
	// somebody acts. Its reason says what to act on.
	ConditionStalled = "Stalled"
	// ConditionReconciling is True while a change is on its way.
	ConditionReconciling = "Reconciling"
	// ConditionReady is True exactly when everything that is wanted is observed,
	// ready and of the wanted revision. It is Unknown while an object still has to
	// take the wanted revision, and otherwise False. It is always present.
	ConditionReady = "Ready"
	// ConditionSessionManagerReady is about the session manager alone. Like the other
	// components' conditions it is Unknown while the Deployment still has to take the
	// wanted revision.
	ConditionSessionManagerReady = "SessionManagerReady"
	// ConditionExecutorsReady is about the executor managers alone.
	ConditionExecutorsReady = "ExecutorsReady"
	// ConditionObjectCacheReady is about the object cache alone; absent without one.
	ConditionObjectCacheReady = "ObjectCacheReady"
	// ConditionSuspended is present while spec.suspend is set, and True as soon as
	// all workloads are at 0.
	ConditionSuspended = "Suspended"
	// ConditionPaused is True while the annotation AnnotationPaused is set.
	ConditionPaused = "Paused"
)

// Reasons of the Stalled condition. Ready and the components' conditions use them
// too, from the first moment; Stalled only once the trouble has lasted.
const (
	// ReasonInvalidSpec: the spec breaks a rule. The last good spec keeps running.
	ReasonInvalidSpec = "InvalidSpec"
	// ReasonUnsupportedByVersion: the Flame version can't do what the spec asks for.
	ReasonUnsupportedByVersion = "UnsupportedByVersion"
	// ReasonImagePullFailed: an image can't be pulled.
	ReasonImagePullFailed = "ImagePullFailed"
	// ReasonCreateContainerConfigError: a container can't be created, mostly because
	// it refers to a Secret, a ConfigMap or a key that is not there.
	ReasonCreateContainerConfigError = "CreateContainerConfigError"
	// ReasonCrashLoopBackOff: a container ends again and again, with exit code 0 or not.
	ReasonCrashLoopBackOff = "CrashLoopBackOff"
	// ReasonUnschedulable: no node takes a pod, or a scheduling gate holds it back.
	ReasonUnschedulable = "Unschedulable"
	// ReasonQuotaExceeded: the API server refuses pods: a quota, Pod Security or
	// another admission rule.
	ReasonQuotaExceeded = "QuotaExceeded"
	// ReasonChildMissing: an object that is wanted does not exist or belongs to
	// somebody else.
	ReasonChildMissing = "ChildMissing"
	// ReasonApplyFailed: an object exists and does not take the wanted change, or has
	// something that others added and that is in the way.
	ReasonApplyFailed = "ApplyFailed"
	// ReasonImmutableFieldChanged: the change needs a field that can't be changed.
	ReasonImmutableFieldChanged = "ImmutableFieldChanged"
	// ReasonProgressDeadlineExceeded: a rollout makes no progress.
	ReasonProgressDeadlineExceeded = "ProgressDeadlineExceeded"
	// ReasonVolumePending: a volume can't be bound, attached or mounted.
	ReasonVolumePending = "VolumePending"
)

// Reasons of the other conditions.
const (
	// ReasonReady: as wanted.
	ReasonReady = "Ready"
	// ReasonCreating: objects or pods come up for the first time.
	ReasonCreating = "Creating"
	// ReasonRollingOut: pods of the wanted revision replace older ones.
	ReasonRollingOut = "RollingOut"
	// ReasonScaling: the number of executor managers changes.
	ReasonScaling = "Scaling"
	// ReasonSuspending: workloads go to 0.
	ReasonSuspending = "Suspending"
	// ReasonResuming: workloads come back from 0.
	ReasonResuming = "Resuming"
	// ReasonSuspended: all workloads are at 0 because spec.suspend is set.
	ReasonSuspended = "Suspended"
	// ReasonPaused: the annotation AnnotationPaused is set.
	ReasonPaused = "Paused"
	// ReasonWaitingForSessionManager: executor managers start once the session
	// manager is available.
	ReasonWaitingForSessionManager = "WaitingForSessionManager"
	// ReasonNotReady: pods that were ready are not, without an edit.
	ReasonNotReady = "NotReady"
	// ReasonTerminating: the FlameCluster is being deleted.
	ReasonTerminating = "Terminating"
)

// Annotations on a FlameCluster that a user may set.
const (
	// AnnotationPaused: "true" keeps all children as the last good spec made them,
	// whatever the spec says.
	AnnotationPaused = Group + "/paused"
	// AnnotationAllowStateLoss: "true" allows edits that lose the session manager's
	// state, such as a change of the version with sqlite storage.
	AnnotationAllowStateLoss = Group + "/allow-state-loss"
)
