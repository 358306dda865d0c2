package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// ComponentSpec is what the three daemons have in common.
type ComponentSpec struct {
	// Image replaces the default image, xflops/flame-<component>:v<version>.
	// Example: "registry.example.com/flame-session-manager:v0.6.0".
	//
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:XValidation:rule="self.matches('^[^ \\t\\n\\f\\r]*$')",message="must be an image reference without blanks"
	// +optional
	Image string `json:"image,omitempty"`

	// ImagePullPolicy is Always, IfNotPresent or Never. Default IfNotPresent, and
	// Always for an image without a tag or with the tag "latest".
	//
	// +kubebuilder:validation:Enum=Always;IfNotPresent;Never
	// +optional
	ImagePullPolicy corev1.PullPolicy `json:"imagePullPolicy,omitempty"`

	// Resources of the daemon's container. What is not given is filled in:
	// session manager 250m CPU and 512Mi requested, 1Gi limit; executor manager 1
	// CPU and 2Gi, requested and limit; object cache 250m CPU requested, memory
	// twice objectCache.eviction.maxMemory. An executor advertises its CPU limit
	// to Flame, rounded up to whole CPUs.
	//
	// +kubebuilder:validation:XValidation:rule="!has(self.limits) || self.limits.all(name, !quantity(string(self.limits[name])).isLessThan(quantity('0')))",fieldPath=".limits",message="limits must not be negative"
	// +kubebuilder:validation:XValidation:rule="!has(self.requests) || self.requests.all(name, !quantity(string(self.requests[name])).isLessThan(quantity('0')))",fieldPath=".requests",message="requests must not be negative"
	// +kubebuilder:validation:XValidation:rule="!has(self.requests) || !has(self.limits) || self.requests.all(name, !(name in self.limits) || !quantity(string(self.requests[name])).isGreaterThan(quantity(string(self.limits[name]))))",fieldPath=".requests",message="each request must be at most its limit"
	// +kubebuilder:validation:XValidation:rule="!has(self.requests) || self.requests.all(name, !(name.startsWith('hugepages-') || (name.contains('/') && !name.contains('kubernetes.io/'))) || (has(self.limits) && name in self.limits && quantity(string(self.requests[name])).compareTo(quantity(string(self.limits[name]))) == 0))",fieldPath=".requests",message="devices and huge pages can't be overcommitted: give a limit, and the same request or none"
	// +kubebuilder:validation:XValidation:rule="!has(self.limits) || self.limits.all(name, !name.startsWith('requests.') && name.matches('^(cpu|memory|ephemeral-storage|hugepages-[A-Za-z0-9.]{1,53}|[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)$'))",fieldPath=".limits",message="resources are cpu, memory, ephemeral-storage, hugepages-SIZE and devices such as nvidia.com/gpu"
	// +kubebuilder:validation:XValidation:rule="!has(self.requests) || self.requests.all(name, !name.startsWith('requests.') && name.matches('^(cpu|memory|ephemeral-storage|hugepages-[A-Za-z0-9.]{1,53}|[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)$'))",fieldPath=".requests",message="resources are cpu, memory, ephemeral-storage, hugepages-SIZE and devices such as nvidia.com/gpu"
	// +kubebuilder:validation:XValidation:rule="!has(self.limits) || self.limits.all(name, !(name.startsWith('hugepages-') || (name.contains('/') && !name.contains('kubernetes.io/'))) || quantity(string(self.limits[name])).asApproximateFloat() == double(int(quantity(string(self.limits[name])).asApproximateFloat())))",fieldPath=".limits",message="devices and huge pages must be whole numbers"
	// +optional
	Resources corev1.ResourceRequirements `json:"resources,omitempty,omitzero"`

	// Env is added to the daemon's environment; on executors the tasks see it too.
	// Variables that the controller owns are refused, RUST_LOG among them: use logLevel.
	//
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=128
	// +kubebuilder:validation:XValidation:rule="self.all(e, !(e.name in ['RUST_LOG', 'FLAME_HOME', 'HOME', 'FLAME_TEST_DIR', 'FLAME_CACHE_STORAGE', 'FLAME_CACHE_EVICTION_POLICY', 'FLAME_CACHE_MAX_MEMORY', 'FLAME_CACHE_MAX_OBJECTS', 'FLAME_INSTANCE_ENDPOINT', 'FLAME_ENDPOINT', 'FLAME_LOG']))",message="a variable is set by the controller or by a field: RUST_LOG by logLevel; FLAME_CACHE_* by objectCache; FLAME_HOME, HOME, FLAME_TEST_DIR, FLAME_INSTANCE_ENDPOINT, FLAME_ENDPOINT and FLAME_LOG can not be set"
	// +kubebuilder:validation:XValidation:rule="self.all(e, e.name.matches('^[-._a-zA-Z][-._a-zA-Z0-9]*$'))",message="names must have letters, digits, _, - and . only, and not start with a digit"
	// +kubebuilder:validation:XValidation:rule="self.all(e, !has(e.valueFrom) || !has(e.value) || e.value == '')",message="give value or valueFrom, not both"
	// +kubebuilder:validation:XValidation:rule="self.all(e, !has(e.valueFrom) || [has(e.valueFrom.fieldRef), has(e.valueFrom.resourceFieldRef), has(e.valueFrom.configMapKeyRef), has(e.valueFrom.secretKeyRef), has(e.valueFrom.fileKeyRef)].filter(set, set).size() == 1)",message="valueFrom must have exactly one source"
	// +optional
	Env []corev1.EnvVar `json:"env,omitempty"`

	// LogLevel is the daemon's RUST_LOG, a filter of Rust's tracing library.
	// Default "info,flame_session_manager::scheduler::plugins=warn" (the session
	// manager otherwise writes ten lines a second). Example: "debug".
	//
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:XValidation:rule="self.matches('^[ -~]*$')",message="must be a filter such as debug or info,flame_session_manager=debug, in printable ASCII"
	// +optional
	LogLevel string `json:"logLevel,omitempty"`

	// PodTemplate is a PodTemplateSpec that is merged over the generated one,
	// strategically, so containers and volumes merge by name. The daemon's container
	// is called "session-manager", "executor-manager" or "object-cache". Example:
	// {spec: {nodeSelector: {pool: flame}}}. Unknown fields are errors; selectors,
	// private labels, the configuration's mount, command and args can't be changed.
	// Containers that you add have the pod's security context only: a namespace of
	// the Pod Security level "restricted" wants allowPrivilegeEscalation: false and
	// capabilities: {drop: [ALL]} in their own.
	//
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Type=object
	// +kubebuilder:validation:Schemaless
	// +optional
	PodTemplate *runtime.RawExtension `json:"podTemplate,omitempty"`
}

// SessionManagerSpec is the wanted state of the session manager.
type SessionManagerSpec struct {
	ComponentSpec `json:",inline"`

	// Slot is the request of a session that gives none itself. Default: Flame's
	// own, 1 CPU and 1Gi. Example: {cpu: "2", memory: 4Gi}.
	//
	// +optional
	Slot *Slot `json:"slot,omitempty"`

	// Policy is how sessions share the executors: priority (sessions of higher
	// priority first), fair (dominant resource fairness) or fifo (in order of
	// creation, as long as no session sets a priority). Default: Flame's own.
	//
	// +optional
	Policy SchedulingPolicy `json:"policy,omitempty"`

	// Storage is where sessions, tasks and applications are kept. Default: files
	// below /var/lib/flame/session.
	//
	// +optional
	Storage *Storage `json:"storage,omitempty"`

	// VolumeSource is the volume behind storage and events. Default emptyDir: the
	// state is lost with the pod. Example: {persistentVolumeClaim: {claimName:
	// flame-state}}. Claims are yours: they are never created or deleted here.
	//
	// +kubebuilder:validation:XValidation:rule="!has(self.persistentVolumeClaim) || self.persistentVolumeClaim.claimName.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",fieldPath=".persistentVolumeClaim.claimName",message="must be the name of a PersistentVolumeClaim in the namespace of the FlameCluster"
	// +kubebuilder:validation:XValidation:rule="!has(self.hostPath) || (self.hostPath.path.startsWith('/') && !self.hostPath.path.matches('(^|/)[.][.](/|$)'))",fieldPath=".hostPath.path",message="must be an absolute path without the segment .."
	// +kubebuilder:validation:XValidation:rule="!has(self.ephemeral) || has(self.ephemeral.volumeClaimTemplate)",fieldPath=".ephemeral",message="give volumeClaimTemplate: the claim that each pod gets"
	// +kubebuilder:validation:XValidation:rule="!has(self.emptyDir) || !has(self.emptyDir.sizeLimit) || !quantity(string(self.emptyDir.sizeLimit)).isLessThan(quantity('0'))",fieldPath=".emptyDir.sizeLimit",message="must not be negative"
	// +optional
	VolumeSource *corev1.VolumeSource `json:"volumeSource,omitempty"`

	// ScheduleInterval is the pause between two rounds of scheduling, at least
	// 1ms, in whole milliseconds. Default: Flame's own, 100ms. Example: "500ms".
	//
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1ms')",message="must be at least 1ms, such as 500ms"
	// +optional
	ScheduleInterval *metav1.Duration `json:"scheduleInterval,omitempty"`

	// MaxSessions is the number of sessions that are kept in memory; beyond it
	// closed ones are dropped. Default: no limit.
	//
	// +kubebuilder:validation:Minimum=1
	// +optional
	MaxSessions *int64 `json:"maxSessions,omitempty"`

	// RetryLimit is how many failed binds end the scheduling of a session. At
	// least 1 (Flame schedules nothing at 0). Default: Flame's own, 5.
	//
	// +kubebuilder:validation:Minimum=1
	// +optional
	RetryLimit *int32 `json:"retryLimit,omitempty"`

	// Service is how the session manager is reached.
	//
	// +optional
	Service ServiceSpec `json:"service,omitempty,omitzero"`
}

// Slot is an amount of resources.
//
// +kubebuilder:validation:MinProperties=1
type Slot struct {
	// CPU in whole CPUs. Example: "2".
	//
	// +kubebuilder:validation:XValidation:rule="!quantity(string(self)).isLessThan(quantity('0')) && quantity(string(self)).asApproximateFloat() == double(int(quantity(string(self)).asApproximateFloat()))",message="must be whole CPUs, such as 2: Flame knows no fractions"
	// +optional
	CPU *resource.Quantity `json:"cpu,omitempty"`
	// Memory in whole bytes. Example: "4Gi".
	//
	// +kubebuilder:validation:XValidation:rule="!quantity(string(self)).isLessThan(quantity('0')) && quantity(string(self)).asApproximateFloat() == double(int(quantity(string(self)).asApproximateFloat()))",message="must be whole bytes, such as 4Gi"
	// +optional
	Memory *resource.Quantity `json:"memory,omitempty"`
	// GPU in whole devices. Example: "1".
	//
	// +kubebuilder:validation:XValidation:rule="!quantity(string(self)).isLessThan(quantity('0')) && quantity(string(self)).isLessThan(quantity('2147483648')) && quantity(string(self)).asApproximateFloat() == double(int(quantity(string(self)).asApproximateFloat()))",message="must be whole devices, such as 1"
	// +optional
	GPU *resource.Quantity `json:"gpu,omitempty"`
}

// SchedulingPolicy names a set of Flame's scheduler plugins.
//
// +kubebuilder:validation:Enum=priority;fifo;fair
type SchedulingPolicy string

const (
	// PolicyPriority serves sessions of higher priority first.
	PolicyPriority SchedulingPolicy = "priority"
	// PolicyFIFO serves sessions in the order of their creation.
	PolicyFIFO SchedulingPolicy = "fifo"
	// PolicyFair shares by dominant resource fairness.
	PolicyFair SchedulingPolicy = "fair"
)

// Storage says where the session manager keeps its state.
type Storage struct {
	// Type is filesystem (default), sqlite or none (nothing survives a restart).
	// postgres and mysql are names kept for a Flame version that can use them;
	// those known so far refuse them.
	//
	// +optional
	Type StorageType `json:"type,omitempty"`
	// Path is the directory (filesystem) or the file (sqlite) inside
	// /var/lib/flame/session, where the volume is mounted. Default
	// "/var/lib/flame/session" or "/var/lib/flame/session/flame.db".
	//
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:XValidation:rule="self == '' || self.matches('^/var/lib/flame/session(/[A-Za-z0-9._/-]*)?$')",message="must be inside /var/lib/flame/session, where sessionManager.volumeSource is mounted, and of letters, digits, ., _ and - only"
	// +kubebuilder:validation:XValidation:rule="!self.matches('(^|/)[.][.]?(/|$)')",message="must not have the segments . and .."
	// +optional
	Path string `json:"path,omitempty"`
	// SecretRef is the key of a Secret that holds the whole connection string. It
	// is read in the pod only and appears in no object and no log. Not together
	// with path.
	//
	// +kubebuilder:validation:XValidation:rule="has(self.name) && self.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",fieldPath=".name",message="must be the name of a Secret"
	// +kubebuilder:validation:XValidation:rule="self.key.matches('^[-._a-zA-Z0-9]+$') && !self.key.startsWith('..') && self.key != '.'",fieldPath=".key",message="must be the key of the Secret that holds the connection string"
	// +optional
	SecretRef *corev1.SecretKeySelector `json:"secretRef,omitempty"`
}

// StorageType is a kind of storage for the session manager's state.
//
// +kubebuilder:validation:Enum=sqlite;filesystem;none;postgres;mysql
type StorageType string

const (
	// StorageSQLite keeps the state in an SQLite database; it does not survive
	// a change of the Flame version.
	StorageSQLite StorageType = "sqlite"
	// StorageFilesystem keeps the state in files.
	StorageFilesystem StorageType = "filesystem"
	// StorageNone keeps the state in memory.
	StorageNone StorageType = "none"
	// StoragePostgres is refused by every Flame version known so far.
	StoragePostgres StorageType = "postgres"
	// StorageMySQL is refused by every Flame version known so far.
	StorageMySQL StorageType = "mysql"
)

// ServiceSpec is how a daemon is reached.
type ServiceSpec struct {
	// Type ClusterIP (default), NodePort or LoadBalancer. The main Service stays
	// ClusterIP; another type adds a Service NAME-session-manager-external with
	// the frontend port only. The object cache hands out pod IPs, so there only
	// ClusterIP is possible.
	//
	// +kubebuilder:validation:Enum=ClusterIP;NodePort;LoadBalancer
	// +optional
	Type corev1.ServiceType `json:"type,omitempty"`
	// Annotations for the Service (for the external one, if there is one).
	//
	// +kubebuilder:validation:MaxProperties=64
	// +kubebuilder:validation:XValidation:rule="self.all(key, !key.startsWith('flame.xflops.io/') && !key.startsWith('metacontroller.k8s.io/') && key != 'controller-uid')",message="annotations of flame.xflops.io and metacontroller.k8s.io belong to the controller"
	// +kubebuilder:validation:XValidation:rule="self.all(key, key.lowerAscii().matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)$'))",message="keys must be like team or example.com/team: letters, digits, -, _ and ., at most 63 after the prefix"
	// +optional
	Annotations map[string]string `json:"annotations,omitempty"`
	// Labels for the Service (for the external one, if there is one).
	//
	// +kubebuilder:validation:MaxProperties=64
	// +kubebuilder:validation:XValidation:rule="self.all(key, !key.startsWith('flame.xflops.io/') && !key.startsWith('metacontroller.k8s.io/') && !(key in ['controller-uid', 'app.kubernetes.io/name', 'app.kubernetes.io/instance', 'app.kubernetes.io/component', 'app.kubernetes.io/managed-by']))",message="a label belongs to the controller: those of flame.xflops.io, controller-uid, and name, instance, component and managed-by of app.kubernetes.io"
	// +kubebuilder:validation:XValidation:rule="self.all(key, key.lowerAscii().matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)$'))",message="keys must be like team or example.com/team: letters, digits, -, _ and ., at most 63 after the prefix"
	// +kubebuilder:validation:XValidation:rule="self.all(key, self[key].matches('^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$'))",message="values must have at most 63 letters, digits, -, _ and ., with a letter or digit at both ends"
	// +optional
	Labels map[string]string `json:"labels,omitempty"`
	// Port of the daemon and of its Service, 1024 to 65534. Default 8080 for the
	// session manager, which uses the next port too, and 9090 for the cache.
	//
	// +kubebuilder:validation:Minimum=1024
	// +kubebuilder:validation:Maximum=65534
	// +optional
	Port *int32 `json:"port,omitempty"`
}

// ExecutorManagerSpec is the wanted state of the executor managers.
type ExecutorManagerSpec struct {
	ComponentSpec `json:",inline"`

	// Replicas is deprecated: use spec.replicas. When set it wins over
	// spec.replicas, and `kubectl scale` has no effect.
	//
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10000
	// +optional
	Replicas *int32 `json:"replicas,omitempty"`

	// Shim is how tasks run: host (default), as processes in the executor's pod.
	// docker and kubernetes are names kept for a Flame version that can use them;
	// those known so far refuse them.
	//
	// +optional
	Shim ExecutorShim `json:"shim,omitempty"`

	// MaxExecutors limits the executors that Flame creates, at least 1. Flame
	// 0.6.0 accepts it without effect.
	//
	// +kubebuilder:validation:Minimum=1
	// +optional
	MaxExecutors *int32 `json:"maxExecutors,omitempty"`

	// VolumeSource is the volume behind the work directory and the package caches
	// of each executor. Default emptyDir. One claim can't serve several executors:
	// `ephemeral` gives each its own.
	//
	// +kubebuilder:validation:XValidation:rule="!has(self.persistentVolumeClaim) || self.persistentVolumeClaim.claimName.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",fieldPath=".persistentVolumeClaim.claimName",message="must be the name of a PersistentVolumeClaim in the namespace of the FlameCluster"
	// +kubebuilder:validation:XValidation:rule="!has(self.hostPath) || (self.hostPath.path.startsWith('/') && !self.hostPath.path.matches('(^|/)[.][.](/|$)'))",fieldPath=".hostPath.path",message="must be an absolute path without the segment .."
	// +kubebuilder:validation:XValidation:rule="!has(self.ephemeral) || has(self.ephemeral.volumeClaimTemplate)",fieldPath=".ephemeral",message="give volumeClaimTemplate: the claim that each pod gets"
	// +kubebuilder:validation:XValidation:rule="!has(self.emptyDir) || !has(self.emptyDir.sizeLimit) || !quantity(string(self.emptyDir.sizeLimit)).isLessThan(quantity('0'))",fieldPath=".emptyDir.sizeLimit",message="must not be negative"
	// +optional
	VolumeSource *corev1.VolumeSource `json:"volumeSource,omitempty"`

	// PodDisruptionBudget limits how many executors a node drain may take at once.
	// It exists for more than one replica only. Default: none.
	//
	// +optional
	PodDisruptionBudget *PodDisruptionBudgetSpec `json:"podDisruptionBudget,omitempty"`
}

// ExecutorShim names how an executor runs tasks.
//
// +kubebuilder:validation:Enum=host;docker;kubernetes
type ExecutorShim string

const (
	// ShimHost runs tasks as processes in the executor's pod.
	ShimHost ExecutorShim = "host"
	// ShimDocker is refused by every Flame version known so far.
	ShimDocker ExecutorShim = "docker"
	// ShimKubernetes is refused by every Flame version known so far.
	ShimKubernetes ExecutorShim = "kubernetes"
)

// PodDisruptionBudgetSpec limits voluntary disruptions of the executors.
type PodDisruptionBudgetSpec struct {
	// MaxUnavailable is a number or a percentage of executors. Default 1.
	// Example: "25%".
	//
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self >= 0 && self <= 2147483647 : self.matches('^(100|[0-9]{1,2})%$')",message="must be a number of at least 0, or a percentage such as 25%"
	// +optional
	MaxUnavailable *intstr.IntOrString `json:"maxUnavailable,omitempty"`
}

// ObjectCacheSpec is the wanted state of the object cache.
//
// +kubebuilder:validation:XValidation:rule="!has(self.service) || !has(self.service.type) || self.service.type == 'ClusterIP'",fieldPath=".service.type",message="must be ClusterIP: the cache hands out the addresses of its pods, so a Service from outside leads nowhere"
// +kubebuilder:validation:XValidation:rule="!has(self.storage) || self.storage.size() == 0 || !has(self.volumeSource)",fieldPath=".storage",message="remove it: it is deprecated, and volumeSource is given"
// +kubebuilder:validation:XValidation:rule="!has(self.replicas) || self.replicas <= 1 || !has(self.volumeSource) || !has(self.volumeSource.persistentVolumeClaim)",fieldPath=".volumeSource",message="one claim can not serve several pods: use ephemeral, which gives each pod its own, or one replica"
type ObjectCacheSpec struct {
	ComponentSpec `json:",inline"`

	// Enabled says whether there is an object cache. Default true.
	//
	// +kubebuilder:default=true
	// +optional
	Enabled *bool `json:"enabled,omitempty"`

	// Replicas is the number of caches, default 1. Objects are not replicated:
	// with more than one, references and package URLs break.
	//
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	// +optional
	Replicas *int32 `json:"replicas,omitempty"`

	// NetworkInterface is a regular expression for the interface whose address the
	// cache listens on and hands out. Default "^eth0$"; a plain name such as
	// "net1" is anchored.
	//
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:validation:XValidation:rule="''.matches(self) || !''.matches(self)",message="must be the name of an interface, such as eth0, or a regular expression"
	// +optional
	NetworkInterface string `json:"networkInterface,omitempty"`

	// VolumeSource is the volume behind the cache's objects. Default emptyDir. The
	// cache loads all objects before it listens, so its memory has to hold them.
	//
	// +kubebuilder:validation:XValidation:rule="!has(self.persistentVolumeClaim) || self.persistentVolumeClaim.claimName.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",fieldPath=".persistentVolumeClaim.claimName",message="must be the name of a PersistentVolumeClaim in the namespace of the FlameCluster"
	// +kubebuilder:validation:XValidation:rule="!has(self.hostPath) || (self.hostPath.path.startsWith('/') && !self.hostPath.path.matches('(^|/)[.][.](/|$)'))",fieldPath=".hostPath.path",message="must be an absolute path without the segment .."
	// +kubebuilder:validation:XValidation:rule="!has(self.ephemeral) || has(self.ephemeral.volumeClaimTemplate)",fieldPath=".ephemeral",message="give volumeClaimTemplate: the claim that each pod gets"
	// +kubebuilder:validation:XValidation:rule="!has(self.emptyDir) || !has(self.emptyDir.sizeLimit) || !quantity(string(self.emptyDir.sizeLimit)).isLessThan(quantity('0'))",fieldPath=".emptyDir.sizeLimit",message="must not be negative"
	// +optional
	VolumeSource *corev1.VolumeSource `json:"volumeSource,omitempty"`

	// Storage is deprecated: use volumeSource. It was a path inside the container,
	// which an emptyDir stands for now, whatever it says.
	//
	// +kubebuilder:validation:MaxLength=1024
	// +optional
	Storage string `json:"storage,omitempty"`

	// Eviction says what is dropped when the cache is full.
	//
	// +optional
	Eviction *Eviction `json:"eviction,omitempty"`

	// Service is how the object cache is reached.
	//
	// +optional
	Service ServiceSpec `json:"service,omitempty,omitzero"`
}

// Eviction says what the object cache drops when it is full.
type Eviction struct {
	// Policy is lru (default: the least recently used objects) or none.
	//
	// +optional
	Policy EvictionPolicy `json:"policy,omitempty"`
	// MaxMemory is the memory that objects may take, in whole bytes. Default 1Gi.
	//
	// +kubebuilder:validation:XValidation:rule="!quantity(string(self)).isLessThan(quantity('1')) && quantity(string(self)).asApproximateFloat() == double(int(quantity(string(self)).asApproximateFloat()))",message="must be whole bytes, at least 1, such as 4Gi"
	// +optional
	MaxMemory *resource.Quantity `json:"maxMemory,omitempty"`
	// MaxObjects is the number of objects. Default: no limit.
	//
	// +kubebuilder:validation:Minimum=1
	// +optional
	MaxObjects *int64 `json:"maxObjects,omitempty"`
}

// EvictionPolicy names how the object cache chooses what to drop.
//
// +kubebuilder:validation:Enum=lru;none
type EvictionPolicy string

const (
	// EvictionLRU drops the least recently used objects.
	EvictionLRU EvictionPolicy = "lru"
	// EvictionNone drops nothing.
	EvictionNone EvictionPolicy = "none"
)

// NetworkPolicySpec limits who may connect.
type NetworkPolicySpec struct {
	// Enabled adds a NetworkPolicy: executors reach the session manager and the
	// cache, clients reach the session manager's frontend and the cache, nobody
	// else reaches anything. Default false.
	//
	// +optional
	Enabled bool `json:"enabled,omitempty"`
	// Clients are the peers that may use the cluster. Default: all pods of the
	// same namespace.
	//
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:XValidation:rule="self.all(peer, has(peer.ipBlock) != (has(peer.podSelector) || has(peer.namespaceSelector)))",message="each peer must have podSelector, namespaceSelector or both, or ipBlock alone"
	// +optional
	Clients []networkingv1.NetworkPolicyPeer `json:"clients,omitempty"`
}
