package scenarios

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/test/e2e/controlplane"
	"github.com/xflops/flame-operator/test/e2e/engine"
	"github.com/xflops/flame-operator/test/e2e/hookprocess"
	"github.com/xflops/flame-operator/test/e2e/install"
)

// hookHost is the host in the webhooks' URLs of the manifests.
const hookHost = "flame-hook.flame-system"

// systemNamespace is the one of the manifests.
const systemNamespace = "flame-system"

// installation is the base with components, as kustomize builds it. The hook is a
// process with the arguments and the Secrets of its Deployment; the engine calls it
// by the name of its Service.
type installation struct {
	*environment
	t *testing.T
	// namespace is where this installation's Secrets are, instead of flame-system,
	// which all installations of a test run would share.
	namespace string
	objects   []*unstructured.Unstructured
	pod       corev1.PodSpec
	root      string // of the hook's file system
	port      int    // the hook's main one
	address   string // of that port
	network   *clusterNetwork
}

// newInstallation builds the base with components. Nothing runs yet, so that
// Secrets can be created.
func newInstallation(t *testing.T, mode engine.ApplyMode, names ...string) *installation {
	t.Helper()
	i := &installation{t: t, namespace: newNamespace(t, nil), objects: buildWith(t, names...), root: t.TempDir()}
	i.environment = &environment{dir: bed.dir, name: fmt.Sprintf("installation-%d", environments.Add(1)), mode: mode}
	var deployment appsv1.Deployment
	require.NoError(t, runtime.DefaultUnstructuredConverter.FromUnstructured(i.only("Deployment").Object, &deployment))
	i.pod = deployment.Spec.Template.Spec
	t.Cleanup(i.stop)
	return i
}

// built are the kustomizations that buildWith has built, by the components' names.
var built struct {
	sync.Mutex
	text map[string][]byte
}

// buildWith returns the base with components, as kustomize builds it.
func buildWith(t *testing.T, names ...string) []*unstructured.Unstructured {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	key := strings.Join(names, ",")
	if built.text[key] == nil {
		repository, err := hookprocess.Repository()
		require.NoError(t, err)
		build := exec.CommandContext(bed.ctx, "go", "run", "./manifests", "-root="+repository, "-with="+key)
		build.Dir = filepath.Join(repository, "tools")
		build.Env = append(os.Environ(), "GOWORK=off")
		build.Stderr = os.Stderr
		text, err := build.Output()
		require.NoError(t, err)
		if built.text == nil {
			built.text = map[string][]byte{}
		}
		built.text[key] = text
	}
	objects, err := install.Objects(built.text[key])
	require.NoError(t, err)
	return objects
}

func (i *installation) only(kind string) *unstructured.Unstructured {
	i.t.Helper()
	found := install.OfKind(i.objects, kind)
	require.Len(i.t, found, 1, kind)
	return found[0].DeepCopy()
}

// start runs hook and engine.
func (i *installation) start() {
	i.t.Helper()
	i.startHook()
	require.NoError(i.t, bed.sandbox.Apply(bed.ctx, i.controller()))
	i.startEngine(bed.plane.Kubeconfig())
}

func (i *installation) startHook() {
	i.t.Helper()
	i.mountSecrets()
	ports, err := controlplane.FreePorts(1)
	require.NoError(i.t, err)
	i.port, i.address = ports[0], fmt.Sprintf("127.0.0.1:%d", ports[0])
	i.hook, err = hookprocess.Start(bed.ctx, bed.hook, i.hookLog(), i.port, i.hookFlags()...)
	require.NoError(i.t, err)
	var service corev1.Service
	require.NoError(i.t, runtime.DefaultUnstructuredConverter.FromUnstructured(i.only("Service").Object, &service))
	require.Len(i.t, service.Spec.Ports, 1)
	host := net.JoinHostPort(service.Name+"."+service.Namespace, fmt.Sprint(service.Spec.Ports[0].Port))
	i.network, err = newClusterNetwork(host, i.address)
	require.NoError(i.t, err)
	i.t.Cleanup(i.network.close)
}

// hookFlags are the Deployment's, with the paths of files below root.
func (i *installation) hookFlags() []string {
	var flags []string
	for _, argument := range i.pod.Containers[0].Args {
		name, value, found := strings.Cut(argument, "=")
		if !found || name == "--listen" || name == "--admin-listen" {
			continue
		}
		if strings.HasPrefix(value, "/") {
			value = filepath.Join(i.root, value)
		}
		flags = append(flags, name+"="+value)
	}
	return flags
}

// mountSecrets brings the Secrets of the hook's volumes to its files, as the kubelet
// does some time after each change: all files of a volume at once, by the swap of a link.
func (i *installation) mountSecrets() {
	i.t.Helper()
	for _, mount := range i.pod.Containers[0].VolumeMounts {
		index := slices.IndexFunc(i.pod.Volumes, func(v corev1.Volume) bool { return v.Name == mount.Name })
		require.NotEqual(i.t, -1, index, mount.Name)
		source := i.pod.Volumes[index].Secret
		require.NotNil(i.t, source, mount.Name)
		secret, err := bed.kube.CoreV1().Secrets(i.namespace).Get(bed.ctx, source.SecretName, metav1.GetOptions{})
		require.NoError(i.t, err)
		directory := filepath.Join(i.root, mount.MountPath)
		version := "..version-" + secret.ResourceVersion
		data := filepath.Join(directory, version)
		if os.MkdirAll(directory, 0o700) != nil || os.Mkdir(data, 0o700) != nil {
			continue
		}
		for name, content := range secret.Data {
			require.NoError(i.t, os.WriteFile(filepath.Join(data, name), content, 0o600))
			if err := os.Symlink(filepath.Join("..data", name), filepath.Join(directory, name)); !os.IsExist(err) {
				require.NoError(i.t, err)
			}
		}
		link := filepath.Join(directory, "..data_tmp")
		require.NoError(i.t, os.Symlink(version, link))
		require.NoError(i.t, os.Rename(link, filepath.Join(directory, "..data")))
	}
}

// controller is the CompositeController, with the Secrets of this installation.
func (i *installation) controller() *unstructured.Unstructured {
	i.t.Helper()
	controller := i.only("CompositeController")
	rename(controller.Object, i.namespace)
	require.NoError(i.t, install.Isolate(controller, i.name, controllerLabel, parentLabel))
	return controller
}

// rename replaces the manifests' namespace in all references.
func rename(value any, namespace string) {
	switch value := value.(type) {
	case map[string]any:
		if value["namespace"] == systemNamespace {
			value["namespace"] = namespace
		}
		for _, member := range value {
			rename(member, namespace)
		}
	case []any:
		for _, element := range value {
			rename(element, namespace)
		}
	}
}

func (i *installation) startEngine(kubeconfig string) {
	i.t.Helper()
	running, err := bed.startEngine(bed.ctx, engine.Config{
		Kubeconfig: kubeconfig, Mode: i.mode, Selector: controllerLabel + "=" + i.name, Log: i.engineLog(), Proxy: i.network.url,
	})
	require.NoError(i.t, err)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.running = running
}

// restartEngine lets the engine read its credentials anew.
func (i *installation) restartEngine() {
	i.t.Helper()
	i.stopEngine()
	i.startEngine(bed.plane.Kubeconfig())
}

func (i *installation) createSecret(name string, kind corev1.SecretType, data map[string]string) {
	i.t.Helper()
	createSecret(i.t, i.namespace, name, kind, data)
}

func (i *installation) updateSecret(name string, data map[string]string) {
	i.t.Helper()
	secrets := bed.kube.CoreV1().Secrets(i.namespace)
	secret, err := secrets.Get(bed.ctx, name, metav1.GetOptions{})
	require.NoError(i.t, err)
	secret.StringData = data
	_, err = secrets.Update(bed.ctx, secret, metav1.UpdateOptions{})
	require.NoError(i.t, err)
}

// load edits FlameClusters all the time until stop is called, which returns the
// number of edits. Every edit is a sync.
func load(clusters []*flameCluster) (stop func() int) {
	end, done := make(chan struct{}), make(chan int)
	go func() {
		edits := 0
		for {
			select {
			case <-end:
				done <- edits
				return
			case <-time.After(20 * time.Millisecond):
				if clusters[edits%len(clusters)].annotate("example.com/load", fmt.Sprint(edits)) == nil {
					edits++
				}
			}
		}
	}()
	return func() int {
		close(end)
		return <-done
	}
}
