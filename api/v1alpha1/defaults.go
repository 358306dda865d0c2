package v1alpha1

import (
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const (
	// DefaultVersion is the Flame version of a spec that names none.
	DefaultVersion = "0.6.0"
	// DefaultReplicas is the number of executor managers of a spec that gives none.
	DefaultReplicas int32 = 1
	// DefaultCacheReplicas is the number of object caches of a spec that gives none.
	DefaultCacheReplicas int32 = 1
	// DefaultSessionManagerPort is the port of the session manager's frontend.
	// Flame opens the backend at the next one.
	DefaultSessionManagerPort int32 = 8080
	// DefaultObjectCachePort is the port of the object cache.
	DefaultObjectCachePort int32 = 9090
	// DefaultLogLevel keeps Flame's scheduler from writing ten lines a second.
	DefaultLogLevel = "info,flame_session_manager::scheduler::plugins=warn"
	// DefaultNetworkInterface is anchored, because Flame searches for the
	// expression anywhere in a name and "eth0" would match "veth0" too.
	DefaultNetworkInterface = "^eth0$"
	// SessionDirectory is where the session manager's volume is mounted. Storage
	// outside of it would be lost with the container.
	SessionDirectory = "/var/lib/flame/session"
	// DefaultSQLitePath is the database of storage type sqlite without a path.
	DefaultSQLitePath = SessionDirectory + "/flame.db"
)

// SetDefaults fills in everything that the builders of children read, so that
// they never ask whether a field is set. Doing it twice changes nothing. The spec
// may be invalid; nothing panics. Left alone when unset, since Flame has its own
// default: Slot, Policy, ScheduleInterval, MaxSessions, RetryLimit, MaxExecutors
// and Eviction.MaxObjects; and NetworkPolicy, PodDisruptionBudget and TLS, which
// are off when unset.
func SetDefaults(spec *FlameClusterSpec) {
	spec.Version = strings.TrimPrefix(spec.Version, "v")
	setDefault(&spec.Version, DefaultVersion)
	setDefault(&spec.PodSecurity, PodSecurityRestricted)
	if spec.ExecutorManager.Replicas != nil {
		spec.Replicas = spec.ExecutorManager.Replicas
		spec.ExecutorManager.Replicas = nil
	}
	setDefaultPointer(&spec.Replicas, DefaultReplicas)
	setSessionManagerDefaults(spec)
	setExecutorManagerDefaults(spec)
	setObjectCacheDefaults(spec)
	setNetworkPolicyDefaults(spec.NetworkPolicy)
}

func setSessionManagerDefaults(spec *FlameClusterSpec) {
	manager := &spec.SessionManager
	setComponentDefaults(&manager.ComponentSpec, ComponentSessionManager, spec.Version)
	setSessionManagerResources(&manager.Resources)
	setServiceDefaults(&manager.Service, DefaultSessionManagerPort)
	setVolumeSourceDefault(&manager.VolumeSource)
	if manager.Storage == nil {
		manager.Storage = &Storage{}
	}
	storage := manager.Storage
	setDefault(&storage.Type, StorageFilesystem)
	if storage.SecretRef != nil {
		return
	}
	switch storage.Type {
	case StorageFilesystem:
		setDefault(&storage.Path, SessionDirectory)
	case StorageSQLite:
		setDefault(&storage.Path, DefaultSQLitePath)
	}
}

func setExecutorManagerDefaults(spec *FlameClusterSpec) {
	manager := &spec.ExecutorManager
	setComponentDefaults(&manager.ComponentSpec, ComponentExecutorManager, spec.Version)
	setExecutorManagerResources(&manager.Resources)
	setDefault(&manager.Shim, ShimHost)
	setVolumeSourceDefault(&manager.VolumeSource)
	if manager.PodDisruptionBudget != nil {
		setDefaultPointer(&manager.PodDisruptionBudget.MaxUnavailable, intstr.FromInt32(1))
	}
}

func setObjectCacheDefaults(spec *FlameClusterSpec) {
	cache := &spec.ObjectCache
	setComponentDefaults(&cache.ComponentSpec, ComponentObjectCache, spec.Version)
	setDefaultPointer(&cache.Enabled, true)
	setDefaultPointer(&cache.Replicas, DefaultCacheReplicas)
	cache.NetworkInterface = anchoredInterface(cache.NetworkInterface)
	cache.Storage = ""
	setVolumeSourceDefault(&cache.VolumeSource)
	if cache.Eviction == nil {
		cache.Eviction = &Eviction{}
	}
	setDefault(&cache.Eviction.Policy, EvictionLRU)
	setDefaultPointer(&cache.Eviction.MaxMemory, defaultMaxMemory())
	setObjectCacheResources(&cache.Resources, *cache.Eviction.MaxMemory)
	setServiceDefaults(&cache.Service, DefaultObjectCachePort)
}

func setNetworkPolicyDefaults(policy *NetworkPolicySpec) {
	if policy == nil || !policy.Enabled || len(policy.Clients) > 0 {
		return
	}
	policy.Clients = []networkingv1.NetworkPolicyPeer{{PodSelector: &metav1.LabelSelector{}}}
}

func setComponentDefaults(component *ComponentSpec, name Component, version string) {
	setDefault(&component.Image, DefaultImage(name, version))
	setDefault(&component.ImagePullPolicy, DefaultPullPolicy(component.Image))
	setDefault(&component.LogLevel, DefaultLogLevel)
}

func setServiceDefaults(service *ServiceSpec, port int32) {
	setDefault(&service.Type, corev1.ServiceTypeClusterIP)
	setDefaultPointer(&service.Port, port)
}

func setVolumeSourceDefault(source **corev1.VolumeSource) {
	if *source == nil {
		*source = &corev1.VolumeSource{}
	}
	if **source == (corev1.VolumeSource{}) {
		(*source).EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
}

// DefaultImage is the official image of a component at a Flame version (without a
// leading v), xflops/flame-<component>:v<version>. The tag "latest" of those
// repositories is an older generation and never used.
func DefaultImage(component Component, version string) string {
	return "xflops/flame-" + string(component) + ":v" + version
}

// DefaultPullPolicy is Always where pulling the image again may bring another one,
// which is for the tag "latest" and for neither tag nor digest, and IfNotPresent for
// all others. Kubernetes has the same defaults.
func DefaultPullPolicy(image string) corev1.PullPolicy {
	if strings.Contains(image, "@") {
		return corev1.PullIfNotPresent
	}
	_, tag, tagged := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
	if !tagged || tag == "latest" {
		return corev1.PullAlways
	}
	return corev1.PullIfNotPresent
}

// plainInterface matches the name of an interface, a VLAN's (eth0.100) included,
// which nobody means as a regular expression.
var plainInterface = regexp.MustCompile(`^[A-Za-z0-9_-]+(\.[0-9]+)?$`)

func anchoredInterface(pattern string) string {
	switch {
	case pattern == "":
		return DefaultNetworkInterface
	case plainInterface.MatchString(pattern):
		return "^" + regexp.QuoteMeta(pattern) + "$"
	}
	return pattern
}

func setDefault[T comparable](field *T, value T) {
	var unset T
	if *field == unset {
		*field = value
	}
}

func setDefaultPointer[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}
