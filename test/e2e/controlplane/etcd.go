package controlplane

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/storage/mvcc"
)

// startEtcd runs an etcd inside this process. It survives a restart of the
// kube-apiserver, as etcd does in a real cluster.
func startEtcd(dir string) (*embed.Etcd, string, error) {
	ports, err := FreePorts(2)
	if err != nil {
		return nil, "", err
	}
	client := url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", ports[0])}
	peer := url.URL{Scheme: "http", Host: fmt.Sprintf("127.0.0.1:%d", ports[1])}
	config := embed.NewConfig()
	config.Dir = filepath.Join(dir, "etcd")
	config.LogLevel = "panic"
	config.UnsafeNoFsync = true
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	config.ListenPeerUrls, config.AdvertisePeerUrls = []url.URL{peer}, []url.URL{peer}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	server, err := embed.StartEtcd(config)
	if err != nil {
		return nil, "", err
	}
	select {
	case <-server.Server.ReadyNotify():
		return server, client.String(), nil
	case <-time.After(patience):
		server.Close()
		return nil, "", fmt.Errorf("etcd was not ready after %s", patience)
	}
}

// StoredKeys calls visit with every key and value that etcd holds, in whatever
// encoding the API server stored it.
func (c *ControlPlane) StoredKeys(ctx context.Context, visit func(key, value []byte)) error {
	result, err := c.etcd.Server.KV().Range(ctx, []byte("/"), []byte("0"), mvcc.RangeOptions{})
	if err != nil {
		return err
	}
	for _, kv := range result.KVs {
		visit(kv.Key, kv.Value)
	}
	return nil
}
