package flameconf

import (
	"fmt"
	"math"
	"time"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// Config is everything that Flame is configured with.
type Config struct {
	// Cluster is flame-cluster.yaml, which all daemons read. It holds no secret:
	// with storage.secretRef the storage URL is StoragePlaceholder.
	Cluster string
	// Client is flame.yaml, which Flame's command line and its libraries read.
	Client string
	// Hashes has, for each daemon that there is, a hash of the configuration that
	// this daemon depends on. Another hash means: the daemon has to be restarted.
	// Client is part of none.
	Hashes map[v1alpha1.Component]string
}

// Render renders the configuration of a FlameCluster. The spec has its defaults
// and passed Check; where it did not, the result is an error or a configuration
// that Flame may refuse. Keys are sorted, and the same spec gives the same bytes.
func Render(name, namespace string, spec *v1alpha1.FlameClusterSpec) (Config, error) {
	tree, err := clusterTree(name, namespace, spec)
	if err != nil {
		return Config{}, err
	}
	extra, err := decodeExtraConfig(spec)
	if err != nil {
		return Config{}, err
	}
	if !spec.CacheEnabled() {
		delete(extra, "cache")
	}
	tree = merge(tree, extra)

	cluster, err := marshalYAML(tree)
	if err != nil {
		return Config{}, fmt.Errorf("flame-cluster.yaml: %w", err)
	}
	client, err := marshalYAML(clientTree(name, namespace, spec))
	if err != nil {
		return Config{}, fmt.Errorf("flame.yaml: %w", err)
	}
	perDaemon, err := hashes(tree)
	if err != nil {
		return Config{}, err
	}
	return Config{Cluster: string(cluster), Client: string(client), Hashes: perDaemon}, nil
}

// clusterTree is flame-cluster.yaml before extraConfig. Values that the user left
// to Flame have no key, so that each version applies its own default.
func clusterTree(name, namespace string, spec *v1alpha1.FlameClusterSpec) (map[string]any, error) {
	d, err := dialectToRender(spec.Version)
	if err != nil {
		return nil, err
	}
	storage, err := storageURL(spec.SessionManager.Storage)
	if err != nil {
		return nil, err
	}
	cluster := map[string]any{
		"name":      name,
		"endpoint":  SessionManagerEndpoint(name, namespace, spec),
		"storage":   storage,
		"executors": map[string]any{"shim": string(spec.ExecutorManager.Shim)},
	}
	if err := addScheduling(cluster, spec, d); err != nil {
		return nil, err
	}
	addLimits(cluster, spec)
	if spec.SessionManagerTLS() != nil {
		cluster["tls"] = tlsBlock(v1alpha1.ComponentSessionManager)
	}

	tree := map[string]any{"cluster": cluster}
	if spec.CacheEnabled() {
		cache, err := cacheTree(name, namespace, spec)
		if err != nil {
			return nil, err
		}
		tree["cache"] = cache
	}
	return tree, nil
}

// addScheduling adds what the scheduler reads.
func addScheduling(cluster map[string]any, spec *v1alpha1.FlameClusterSpec, d *dialect) error {
	sm := &spec.SessionManager
	if sm.Slot != nil {
		text, err := resreq(sm.Slot)
		if err != nil {
			return fmt.Errorf("slot: %w", err)
		}
		cluster["resreq"] = text
	}
	if sm.Policy != "" {
		plugins, ok := d.policies[sm.Policy]
		if !ok {
			return fmt.Errorf("version %s has no policy %q", spec.Version, sm.Policy)
		}
		cluster["policies"] = list(plugins)
	}
	if sm.ScheduleInterval != nil {
		interval := sm.ScheduleInterval.Duration
		if interval < time.Millisecond || interval%time.Millisecond != 0 {
			return fmt.Errorf("scheduleInterval %s is not a whole number of milliseconds", interval)
		}
		cluster["schedule_interval"] = interval.Milliseconds()
	}
	return nil
}

// addLimits adds the limits that are given, and no empty block.
func addLimits(cluster map[string]any, spec *v1alpha1.FlameClusterSpec) {
	limits := map[string]any{}
	if spec.SessionManager.MaxSessions != nil {
		limits["max_sessions"] = *spec.SessionManager.MaxSessions
	}
	if spec.ExecutorManager.MaxExecutors != nil {
		limits["max_executors"] = int64(*spec.ExecutorManager.MaxExecutors)
	}
	if len(limits) > 0 {
		cluster["limits"] = limits
	}
	if retries := spec.SessionManager.RetryLimit; retries != nil {
		cluster["recovery"] = map[string]any{"session": map[string]any{"retry_limits": int64(*retries)}}
	}
}

// cacheTree is the block that the object cache can't start without. No other
// daemon needs it (session_manager never reads it, executor_manager/src/manager.rs:46
// and shims/host_shim.rs:186 use it where it exists), and without a cache its
// endpoint would be handed to tasks for nothing.
func cacheTree(name, namespace string, spec *v1alpha1.FlameClusterSpec) (map[string]any, error) {
	eviction := spec.ObjectCache.Eviction
	// The cache prints this number in decimal units and reads the text back in binary
	// ones (object_cache/src/cache.rs:1544, eviction.rs:46), so what it really applies
	// is 5 to 10 percent more.
	maxMemory, err := wholeNumber(*eviction.MaxMemory, math.MaxInt64)
	if err != nil {
		return nil, fmt.Errorf("eviction.maxMemory: %w", err)
	}
	block := map[string]any{
		"policy":     string(eviction.Policy),
		"max_memory": memory(maxMemory),
	}
	if eviction.MaxObjects != nil {
		block["max_objects"] = *eviction.MaxObjects
	}
	cache := map[string]any{
		"endpoint":          ObjectCacheEndpoint(name, namespace, spec),
		"network_interface": spec.ObjectCache.NetworkInterface,
		"storage":           objectCacheStorage,
		"eviction":          block,
	}
	if spec.ObjectCacheTLS() != nil {
		cache["tls"] = tlsBlock(v1alpha1.ComponentObjectCache)
	}
	return cache, nil
}

// tlsBlock names the files of a daemon's certificate. The parser wants all of
// them in every daemon's file, although executors have the CA only: they never
// open the other two (common/src/ctx.rs:205).
func tlsBlock(component v1alpha1.Component) map[string]any {
	return map[string]any{
		"cert_file": CertificateDirectory(component) + "/tls.crt",
		"key_file":  CertificateDirectory(component) + "/tls.key",
		"ca_file":   caFile(component),
	}
}

// CertificateDirectory is where a pod has to have the certificate of a daemon: the
// rendered configuration names tls.crt, tls.key and ca.crt in it.
func CertificateDirectory(component v1alpha1.Component) string {
	return "/etc/flame-tls/" + string(component)
}

// caFile is where a pod has the CA that a daemon's certificate comes from.
func caFile(component v1alpha1.Component) string {
	return CertificateDirectory(component) + "/ca.crt"
}

func list(texts []string) []any {
	values := make([]any, len(texts))
	for i, text := range texts {
		values[i] = text
	}
	return values
}
