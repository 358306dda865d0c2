package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// FlameCluster is one Flame cluster: a session manager that schedules, executor
// managers that work, and an object cache. `spec: {}` is a complete, working
// cluster.
//
// +kubebuilder:object:root=true
// +kubebuilder:validation:XValidation:rule="oldSelf.hasValue() || (self.metadata.name.size() <= 46 && self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$'))",optionalOldSelf=true,message="metadata.name must have at most 46 characters, start with a letter, end with a letter or digit, and have only a-z, 0-9 and -: a Service is named after it"
// +kubebuilder:validation:XValidation:rule="self.metadata.name.size() <= 38 || !has(self.spec) || !has(self.spec.sessionManager) || !has(self.spec.sessionManager.service) || !has(self.spec.sessionManager.service.type) || self.spec.sessionManager.service.type == 'ClusterIP'",fieldPath=".spec.sessionManager.service.type",message="needs a FlameCluster whose name has at most 38 characters: the Service's name is made from it; use a Service of your own, or create the cluster again with a shorter name"
// +kubebuilder:resource:path=flameclusters,singular=flamecluster,shortName=fc,categories=all,scope=Namespaced
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:printcolumn:name="State",type=string,JSONPath=`.status.state`,description="One word for the whole cluster"
// +kubebuilder:printcolumn:name="Ready",type=integer,JSONPath=`.status.readyReplicas`,description="Executor managers that are ready"
// +kubebuilder:printcolumn:name="Desired",type=integer,JSONPath=`.status.executorManager.desired`,description="Executor managers that are wanted"
// +kubebuilder:printcolumn:name="Endpoint",type=string,JSONPath=`.status.endpoint`,priority=1,description="Where clients reach the session manager"
// +kubebuilder:printcolumn:name="Version",type=string,JSONPath=`.spec.version`,priority=1,description="Flame version that was asked for"
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type FlameCluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what is wanted. Every field has a default.
	//
	// +kubebuilder:default={}
	// +optional
	Spec FlameClusterSpec `json:"spec,omitempty"`
	// Status is what was last seen. It is written by the controller only.
	//
	// +optional
	Status FlameClusterStatus `json:"status,omitempty"`
}

// FlameClusterList is a list of FlameClusters.
//
// +kubebuilder:object:root=true
type FlameClusterList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []FlameCluster `json:"items"`
}

// FlameClusterSpec is the wanted state of a Flame cluster.
//
// +kubebuilder:validation:XValidation:rule="!has(self.executorManager) || !has(self.executorManager.volumeSource) || !has(self.executorManager.volumeSource.persistentVolumeClaim) || (has(self.executorManager.replicas) ? self.executorManager.replicas : self.replicas) <= 1",fieldPath=".executorManager.volumeSource",message="one claim can not serve several executors: use ephemeral, which gives each pod its own, or one replica"
type FlameClusterSpec struct {
	// Version is the Flame version to run, a semantic version such as "0.6.0"; a
	// leading "v" is tolerated. Default "0.6.0". It decides the default image tag
	// (v<version>), the dialect of the configuration and what may be asked for.
	// Versions older than 0.6.0 are refused. For a build from Flame's main branch
	// set the images, and here the version that will come next.
	//
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:XValidation:rule="self.matches('^(v?(0|[1-9][0-9]{0,8})[.](0|[1-9][0-9]{0,8})[.](0|[1-9][0-9]{0,8})(-(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)([.](0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*)?([+][0-9a-zA-Z-]+([.][0-9a-zA-Z-]+)*)?)?$')",message="must be a semantic version such as 0.6.0; for a build from a branch set the images, and here the version that will come next"
	// +kubebuilder:validation:XValidation:rule="!self.matches('^v?0[.]([0-5][.]|6[.]0-)')",message="must be 0.6.0 or later: the configuration of older versions is not known"
	// +optional
	Version string `json:"version,omitempty"`

	// Replicas is the number of executor managers, 0 to 10000. Default 1. It is
	// the field behind `kubectl scale fc/NAME --replicas=N`, and the target for
	// HPA and KEDA. Scaling restarts nothing.
	//
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10000
	// +optional
	Replicas *int32 `json:"replicas,omitempty"`

	// RestartedAt is any text; a new value restarts all daemons. Flame reads its
	// configuration and its certificates only at start, so change this after a
	// certificate was rotated. Example: "2026-11-30T12:00:00Z".
	//
	// +kubebuilder:validation:MaxLength=256
	// +optional
	RestartedAt string `json:"restartedAt,omitempty"`

	// Suspend takes all workloads to 0 replicas and keeps every object and every
	// volume. Default false. State on an emptyDir is lost with its pod.
	//
	// +optional
	Suspend bool `json:"suspend,omitempty"`

	// ImagePullSecrets names Secrets, in the namespace of the FlameCluster, with
	// the credentials for the registry of the images.
	//
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:XValidation:rule="self.all(secret, secret.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$'))",message="each must have the name of a Secret with registry credentials"
	// +optional
	ImagePullSecrets []corev1.LocalObjectReference `json:"imagePullSecrets,omitempty"`

	// ServiceAccountName is the service account of all pods. Default: the
	// namespace's "default". None is created, and no token is mounted.
	//
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self == '' || self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",message="must be the name of a service account"
	// +optional
	ServiceAccountName string `json:"serviceAccountName,omitempty"`

	// PodSecurity is Restricted (default: passes the Pod Security level
	// "restricted"; all daemons run as user and group 10001) or ImageDefault (no
	// user or group ids are set, for platforms such as OpenShift that assign them).
	//
	// +optional
	PodSecurity PodSecurityMode `json:"podSecurity,omitempty"`

	// SessionManager is the scheduler. It holds the sessions, and there is exactly one.
	//
	// +optional
	SessionManager SessionManagerSpec `json:"sessionManager,omitempty,omitzero"`

	// ExecutorManager is the worker; there are spec.replicas of them.
	//
	// +optional
	ExecutorManager ExecutorManagerSpec `json:"executorManager,omitempty,omitzero"`

	// ObjectCache keeps objects that tasks share, and packages to deploy.
	//
	// +optional
	ObjectCache ObjectCacheSpec `json:"objectCache,omitempty,omitzero"`

	// TLS encrypts the connections to the session manager and to the object cache.
	// Default: none.
	//
	// +optional
	TLS *TLSSpec `json:"tls,omitempty"`

	// NetworkPolicy limits who may connect to the cluster's pods. Default: no policy.
	//
	// +optional
	NetworkPolicy *NetworkPolicySpec `json:"networkPolicy,omitempty"`

	// ExtraConfig is merged last into flame-cluster.yaml: the way to a Flame key
	// that this API does not know. Lists are replaced, maps are merged. Protected:
	// cluster.name, cluster.endpoint, cluster.storage, cluster.tls, cache.endpoint,
	// cache.storage, cache.tls. Example: {cluster: {pprof: {port: 6060}}}.
	//
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Type=object
	// +kubebuilder:validation:Schemaless
	// +optional
	ExtraConfig *runtime.RawExtension `json:"extraConfig,omitempty"`
}

// PodSecurityMode is how much the pods' security context says.
//
// +kubebuilder:validation:Enum=Restricted;ImageDefault
type PodSecurityMode string

const (
	// PodSecurityRestricted runs all daemons as a fixed non-root user and passes
	// the Pod Security level "restricted".
	PodSecurityRestricted PodSecurityMode = "Restricted"
	// PodSecurityImageDefault sets no user or group ids and leaves them to the
	// image or to the platform.
	PodSecurityImageDefault PodSecurityMode = "ImageDefault"
)

// TLSSpec says which connections are encrypted, and with which certificates.
//
// +kubebuilder:validation:XValidation:rule="!has(self.objectCache) || has(self.sessionManager)",fieldPath=".objectCache",message="needs sessionManager too: tasks get the session manager's CA only, and both certificates must come from it"
type TLSSpec struct {
	// SessionManager turns on TLS for the session manager. Its Secret's
	// certificate must be valid for NAME-session-manager.NAMESPACE.svc.
	//
	// +optional
	SessionManager *TLSSecret `json:"sessionManager,omitempty"`
	// ObjectCache turns on TLS for the object cache; it needs sessionManager too,
	// and a certificate from the same CA, since tasks get one CA only. Clients
	// connect to the cache by pod IP, so its certificate needs the pod IPs as
	// subject alternative names.
	//
	// +optional
	ObjectCache *TLSSecret `json:"objectCache,omitempty"`
}

// TLSSecret names the Secret that holds a certificate.
type TLSSecret struct {
	// SecretName is a Secret of type kubernetes.io/tls, in the namespace of the
	// FlameCluster, with the keys tls.crt, tls.key and ca.crt.
	//
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",message="must be the name of a Secret of type kubernetes.io/tls"
	SecretName string `json:"secretName"`
}
