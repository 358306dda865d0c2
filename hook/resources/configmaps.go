package resources

import (
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Keys of the ConfigMaps' data.
const (
	// ConfigKey is the file with the daemons' configuration.
	ConfigKey = "flame-cluster.yaml"
	// ClientConfigKey is the file with the clients' configuration.
	ClientConfigKey = "flame.yaml"
	// LastGoodSpecKey is the last valid spec, as canonical JSON.
	LastGoodSpecKey = "spec"
	// LastGoodGenerationKey is the generation of that spec, a decimal number.
	LastGoodGenerationKey = "generation"
)

// LastGood is the last valid spec of a FlameCluster: what goes on running while an
// invalid one is there.
type LastGood struct {
	// Spec is canonical JSON without replicas, which are taken from what runs, so
	// that scaling writes no ConfigMap.
	Spec string
	// Generation of the FlameCluster that the spec came from.
	Generation int64
}

// ParseLastGood reads the data of a last-good ConfigMap. It fails on a missing key
// and on a generation that is no positive number.
func ParseLastGood(data map[string]string) (LastGood, error) {
	spec := data[LastGoodSpecKey]
	if spec == "" {
		return LastGood{}, fmt.Errorf("the record of the last valid spec has no %q", LastGoodSpecKey)
	}
	generation, err := strconv.ParseInt(data[LastGoodGenerationKey], 10, 64)
	if err != nil || generation < 1 {
		return LastGood{}, fmt.Errorf("the record of the last valid spec has no valid %q", LastGoodGenerationKey)
	}
	return LastGood{Spec: spec, Generation: generation}, nil
}

func configMap(c Cluster) *corev1.ConfigMap {
	return newConfigMap(c, ConfigName(c.Name), map[string]string{
		ConfigKey:      c.Config.Cluster,
		LeaveScriptKey: leaveScript,
	})
}

// clientConfigMap is mounted by clients, never by a daemon, so that it restarts nothing.
func clientConfigMap(c Cluster) *corev1.ConfigMap {
	return newConfigMap(c, ClientConfigName(c.Name), map[string]string{ClientConfigKey: c.Config.Client})
}

// lastGoodConfigMap is mounted nowhere.
func lastGoodConfigMap(c Cluster) *corev1.ConfigMap {
	return newConfigMap(c, LastGoodName(c.Name), map[string]string{
		LastGoodSpecKey:       c.LastGood.Spec,
		LastGoodGenerationKey: strconv.FormatInt(c.LastGood.Generation, 10),
	})
}

func newConfigMap(c Cluster, name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: c.clusterObjectMeta(name),
		Data:       data,
	}
}
