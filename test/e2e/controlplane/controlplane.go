package controlplane

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/xflops/flame-operator/test/e2e/process"
)

// ControlPlane is a running control plane.
type ControlPlane struct {
	dir        string
	kubeconfig string
	etcd       *embed.Etcd
	etcdURL    string
	port       int
	apiServer  *process.Process
	manager    *process.Process
	// flags are more flags for the kube-apiserver.
	flags []string
}

// controllers are those that act on what a FlameCluster consists of. There is no
// scheduler: the fake kubelet binds pods.
var controllers = []string{
	"deployment-controller", "replicaset-controller", "garbage-collector-controller", "namespace-controller",
	"endpointslice-controller", "disruption-controller", "resourcequota-controller",
}

// auditPolicy records who wrote what, and nothing else. A write that changes
// nothing leaves no trace in a resourceVersion, but it does here.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  verbs: [create, update, patch, delete]
  resources:
  - {group: "", resources: [configmaps, services]}
  - {group: apps, resources: [deployments]}
  - {group: policy, resources: [poddisruptionbudgets]}
  - {group: networking.k8s.io, resources: [networkpolicies]}
  - {group: flame.xflops.io}
- level: None
`

// Start runs a control plane whose files are below dir, which must exist. It
// returns when the API server answers, about 5 s later. The kube-apiserver gets the
// given flags too, which win over its own.
func Start(ctx context.Context, dir string, flags ...string) (*ControlPlane, error) {
	c := &ControlPlane{dir: dir, kubeconfig: filepath.Join(dir, "kubeconfig"), flags: flags}
	if err := c.start(ctx); err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

func (c *ControlPlane) start(ctx context.Context) error {
	ports, err := FreePorts(1)
	if err != nil {
		return err
	}
	c.port = ports[0]
	token := make([]byte, 16)
	if _, err := rand.Read(token); err != nil {
		return err
	}
	if err := c.writeFiles(hex.EncodeToString(token)); err != nil {
		return err
	}
	if c.etcd, c.etcdURL, err = startEtcd(c.dir); err != nil {
		return fmt.Errorf("etcd: %w", err)
	}
	if err := c.StartAPIServer(ctx); err != nil {
		return err
	}
	c.manager, err = startRole(roleControllerManager, c.file("kube-controller-manager.log"),
		"--kubeconfig="+c.kubeconfig, "--leader-elect=false", "--use-service-account-credentials=false",
		"--service-account-private-key-file="+c.file("service-account.key"),
		"--controllers="+strings.Join(controllers, ","), "--secure-port=0", "--concurrent-gc-syncs=20",
		"--kube-api-qps=500", "--kube-api-burst=1000", "--controller-start-interval=0s", "--namespace-sync-period=1m",
	)
	return err
}

func (c *ControlPlane) file(name string) string { return filepath.Join(c.dir, name) }

func (c *ControlPlane) writeFiles(token string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	files := map[string][]byte{
		"service-account.key": pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}),
		"tokens.csv":          []byte(token + ",admin,1,system:masters\n"),
		"audit-policy.yaml":   []byte(auditPolicy),
	}
	for name, content := range files {
		if err := os.WriteFile(c.file(name), content, 0o600); err != nil {
			return err
		}
	}
	config := clientcmdapi.NewConfig()
	config.Clusters["e2e"] = &clientcmdapi.Cluster{
		Server: fmt.Sprintf("https://127.0.0.1:%d", c.port), CertificateAuthority: c.file("certs/apiserver.crt"),
	}
	config.AuthInfos["admin"] = &clientcmdapi.AuthInfo{Token: token}
	config.Contexts["e2e"] = &clientcmdapi.Context{Cluster: "e2e", AuthInfo: "admin"}
	config.CurrentContext = "e2e"
	return clientcmd.WriteToFile(*config, c.kubeconfig)
}

// StartAPIServer starts the kube-apiserver, on the same port and with the same
// certificate each time, and waits until it is ready.
func (c *ControlPlane) StartAPIServer(ctx context.Context) error {
	var err error
	args := []string{
		"--etcd-servers=" + c.etcdURL, "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", c.port),
		"--cert-dir=" + c.file("certs"), "--token-auth-file=" + c.file("tokens.csv"), "--authorization-mode=RBAC",
		"--service-account-issuer=https://e2e", "--service-account-key-file=" + c.file("service-account.key"),
		"--service-account-signing-key-file=" + c.file("service-account.key"),
		"--service-cluster-ip-range=10.0.0.0/16", "--endpoint-reconciler-type=none",
		// As some distributions have it: an owner that blocks deletion takes a permission.
		"--enable-admission-plugins=OwnerReferencesPermissionEnforcement",
		"--disable-admission-plugins=ServiceAccount", "--enable-priority-and-fairness=false",
		"--max-requests-inflight=4000", "--max-mutating-requests-inflight=2000",
		"--audit-policy-file=" + c.file("audit-policy.yaml"), "--audit-log-path=" + c.auditLog(), "--audit-log-mode=blocking",
	}
	if c.apiServer, err = startRole(roleAPIServer, c.file("kube-apiserver.log"), append(args, c.flags...)...); err != nil {
		return err
	}
	return c.waitReady(ctx)
}

// KillAPIServer ends the kube-apiserver without warning.
func (c *ControlPlane) KillAPIServer() { c.apiServer.Kill() }

// patience is how long a start may take, on a busy machine too.
const patience = 5 * time.Minute

// probeTime is how long the API server may take to say whether it is ready.
const probeTime = 10 * time.Second

func (c *ControlPlane) waitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := c.probe(ctx)
		if err == nil {
			return nil
		}
		if c.apiServer.Exited() {
			return fmt.Errorf("kube-apiserver ended, its last words: %s", tail(c.file("kube-apiserver.log")))
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("kube-apiserver does not become ready: %w, its last words: %s", err, tail(c.file("kube-apiserver.log")))
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// probe asks once. A question that gets no answer does not stand for all of patience.
func (c *ControlPlane) probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	config, err := c.RESTConfig()
	if err != nil {
		return err
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	unversioned, err := rest.UnversionedRESTClientForConfigAndClient(withCodec(config), client)
	if err != nil {
		return err
	}
	return unversioned.Get().AbsPath("/readyz").Do(ctx).Error()
}

// Kubeconfig is the path of an administrator's kubeconfig.
func (c *ControlPlane) Kubeconfig() string { return c.kubeconfig }

// RESTConfig returns an administrator's client configuration without a rate limit.
func (c *ControlPlane) RESTConfig() (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", c.kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = -1
	return config, nil
}

// Logs returns the paths of the control plane's log files.
func (c *ControlPlane) Logs() []string {
	return []string{c.file("kube-apiserver.log"), c.file("kube-controller-manager.log"), c.auditLog()}
}

// Usage is what the kube-apiserver and the controllers have used so far. etcd is a
// part of this process.
func (c *ControlPlane) Usage() (apiServer, controllers process.Usage, err error) {
	if apiServer, err = c.apiServer.Usage(); err != nil {
		return apiServer, controllers, err
	}
	controllers, err = c.manager.Usage()
	return apiServer, controllers, err
}

// Stop ends all processes. The files stay.
func (c *ControlPlane) Stop() {
	c.manager.Kill()
	c.apiServer.Kill()
	if c.etcd != nil {
		c.etcd.Close()
	}
}

func tail(path string) string {
	content, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return string(content[max(0, len(content)-2000):])
}
