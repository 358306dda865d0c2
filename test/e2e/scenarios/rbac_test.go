package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/test/e2e/engine"
	"github.com/xflops/flame-operator/test/e2e/engine/metacontroller"
	"github.com/xflops/flame-operator/test/e2e/hookprocess"
	"github.com/xflops/flame-operator/test/e2e/install"
)

// permission is one verb of one resource.
type permission struct{ group, resource, verb string }

func (p permission) String() string { return p.verb + " " + p.resource + "." + p.group }

// denials are what the API server may say to whoever lacks the permission.
func (p permission) denials() []string {
	switch {
	case strings.HasSuffix(p.resource, "/finalizers"):
		return []string{"cannot set blockOwnerDeletion"}
	case p.verb == "delete":
		return []string{p.denial(), "cannot set an ownerRef on a resource you can't delete"}
	}
	return []string{p.denial()}
}

func (p permission) denial() string {
	return fmt.Sprintf("cannot %s resource %q in API group %q", p.verb, p.resource, p.group)
}

// permissions are those of the ClusterRoles that the components hold.
func permissions(t *testing.T, objects []*unstructured.Unstructured) []permission {
	t.Helper()
	var all []permission
	for _, object := range install.OfKind(objects, "ClusterRole") {
		var role rbacv1.ClusterRole
		require.NoError(t, runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &role))
		require.Equal(t, "true", role.Labels["rbac.flame.xflops.io/aggregate-to-metacontroller"], role.Name)
		for _, rule := range role.Rules {
			require.Empty(t, rule.NonResourceURLs)
			require.Empty(t, rule.ResourceNames)
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					for _, verb := range rule.Verbs {
						require.NotContains(t, []string{group, resource, verb}, "*")
						all = append(all, permission{group, resource, verb})
					}
				}
			}
		}
	}
	require.Greater(t, len(all), 30)
	return all
}

// kubeconfig returns the path of one for a service account with those permissions.
func (i *installation) kubeconfig(granted []permission) string {
	t := i.t
	t.Helper()
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: i.name}}
	for _, p := range granted {
		role.Rules = append(role.Rules, rbacv1.PolicyRule{APIGroups: []string{p.group}, Resources: []string{p.resource}, Verbs: []string{p.verb}})
	}
	_, err := bed.kube.RbacV1().ClusterRoles().Create(bed.ctx, role, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = bed.kube.CoreV1().ServiceAccounts(i.namespace).Create(bed.ctx, &corev1.ServiceAccount{
		ObjectMeta: metav1.ObjectMeta{Name: "metacontroller"},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	_, err = bed.kube.RbacV1().ClusterRoleBindings().Create(bed.ctx, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: i.name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: i.name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: i.namespace, Name: "metacontroller"}},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	hour := int64(3600)
	token, err := bed.kube.CoreV1().ServiceAccounts(i.namespace).CreateToken(bed.ctx, "metacontroller", &authenticationv1.TokenRequest{
		Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &hour},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	config, err := clientcmd.LoadFromFile(bed.plane.Kubeconfig())
	require.NoError(t, err)
	for _, user := range config.AuthInfos {
		user.Token = token.Status.Token
	}
	path := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, clientcmd.WriteToFile(*config, path))
	return path
}

// check is something that a user sees Metacontroller do.
type check struct {
	name string
	// act is done once.
	act func() error
	// holds is asked until it returns nil.
	holds func() error
}

// checks are all that Metacontroller does for FlameClusters, in their order.
func (i *installation) checks(c *flameCluster) []check {
	ready := func() error { return i.readyAt(c) }
	return []check{
		{"one of several replicas takes the lead", nil, func() error {
			_, err := bed.kube.CoordinationV1().Leases(i.namespace).Get(bed.ctx, "metacontroller", metav1.GetOptions{})
			return err
		}},
		{"the start is an event", nil, func() error { return i.happened(metav1.NamespaceDefault, "CompositeController", i.name, "Started", 1) }},
		{"a FlameCluster comes up", func() error {
			return c.create(map[string]any{
				"replicas":        2,
				"executorManager": map[string]any{"podDisruptionBudget": map[string]any{"maxUnavailable": 1}},
				"networkPolicy":   map[string]any{"enabled": true},
			})
		}, ready},
		{"it has the finalizer", nil, func() error {
			object, err := c.get()
			if err == nil && len(object.GetFinalizers()) == 0 {
				err = fmt.Errorf("no finalizer")
			}
			return err
		}},
		{"edits reach every kind of child", func() error {
			return c.replaceSpec(map[string]any{
				"replicas":        3,
				"executorManager": map[string]any{"podDisruptionBudget": map[string]any{"maxUnavailable": 2}},
				"networkPolicy":   map[string]any{"enabled": true, "clients": []any{map[string]any{"podSelector": map[string]any{"matchLabels": map[string]any{"role": "client"}}}}},
				"sessionManager":  map[string]any{"policy": "fair", "service": map[string]any{"annotations": map[string]any{"example.com/a": "b"}}},
			})
		}, ready},
		{"a child without an owner is adopted", func() error { return i.orphan(c) }, func() error { return i.adopted(c) }},
		{"children that are not wanted any more go", func() error {
			return c.replaceSpec(map[string]any{"replicas": 1, "objectCache": map[string]any{"enabled": false}})
		}, func() error {
			children := c.children()
			for _, gone := range []string{"Service/" + c.name + "-object-cache", "Deployment/" + c.name + "-object-cache", "PodDisruptionBudget/" + c.name + "-executor-manager", "NetworkPolicy/" + c.name} {
				if children[gone] != nil {
					return fmt.Errorf("%s is there", gone)
				}
			}
			return i.readyAt(c)
		}},
		{"repeated failures are one event with a count", func() error {
			i.hook.Kill()
			for n := range 4 {
				if err := c.annotate("example.com/nudge", fmt.Sprint(n)); err != nil {
					return err
				}
				time.Sleep(300 * time.Millisecond)
			}
			return nil
		}, func() error { return i.happened(c.namespace, "FlameCluster", c.name, "SyncError", 2) }},
		{"it goes after its children", func() error {
			var err error
			if i.hook, err = hookprocess.Start(bed.ctx, bed.hook, i.hookLog(), i.port, i.hookFlags()...); err != nil {
				return err
			}
			policy := metav1.DeletePropagationBackground
			return c.client().Delete(bed.ctx, c.name, metav1.DeleteOptions{PropagationPolicy: &policy})
		}, func() error {
			_, err := c.get()
			switch {
			case err == nil:
				return errors.New("it is there")
			case !apierrors.IsNotFound(err):
				return err
			}
			return none(len(c.children()))
		}},
	}
}

func (i *installation) readyAt(c *flameCluster) error {
	object, err := c.get()
	if err != nil {
		return err
	}
	status, err := statusOf(object)
	if err != nil {
		return err
	}
	if status.ObservedGeneration != object.GetGeneration() || !status.is("Ready") {
		return fmt.Errorf("generation %d of %d, state %s: %s", status.ObservedGeneration, object.GetGeneration(), status.State, status.Message)
	}
	return nil
}

// happened says whether an event of that reason was seen at least so many times.
func (i *installation) happened(namespace, kind, name, reason string, times int) error {
	events, err := bed.kube.CoreV1().Events(namespace).List(bed.ctx, metav1.ListOptions{
		FieldSelector: "involvedObject.kind=" + kind + ",involvedObject.name=" + name + ",reason=" + reason,
	})
	if err != nil {
		return err
	}
	most := int32(0)
	for _, event := range events.Items {
		most = max(most, event.Count)
	}
	return atLeast(times, int(most))
}

// orphan takes the owner away from all children.
func (i *installation) orphan(c *flameCluster) error {
	for _, resource := range childResources {
		children := bed.dynamic.Resource(resource).Namespace(c.namespace)
		list, err := children.List(bed.ctx, metav1.ListOptions{LabelSelector: "flame.xflops.io/cluster=" + c.name})
		if err != nil {
			return err
		}
		for _, child := range list.Items {
			if _, err := children.Patch(bed.ctx, child.GetName(), types.MergePatchType, []byte(`{"metadata":{"ownerReferences":null}}`), metav1.PatchOptions{}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (i *installation) adopted(c *flameCluster) error {
	children := c.children()
	for key, child := range children {
		if metav1.GetControllerOf(child) == nil {
			return fmt.Errorf("%s has no owner", key)
		}
	}
	return atLeast(10, len(children))
}

// denied says whether the engine was refused something in one of those words, as its
// log tells.
func (i *installation) denied(messages ...string) bool {
	log, err := os.ReadFile(i.engineLog())
	require.NoError(i.t, err)
	log = bytes.ReplaceAll(log, []byte(`\`), nil)
	return slices.ContainsFunc(messages, func(message string) bool { return bytes.Contains(log, []byte(message)) })
}

// run waits for one check after the other and returns the name of the first that
// does not hold. After the engine was refused something, there is little to wait for.
func (i *installation) run(checks []check, refusals ...string) (failed string, err error) {
	const afterRefusal = 8 * time.Second
	for _, c := range checks {
		if c.act != nil {
			if err := c.act(); err != nil {
				return c.name, err
			}
		}
		deadline, refused := time.Now().Add(patience), false
		for {
			err := c.holds()
			if err == nil {
				break
			}
			if !refused && i.denied(refusals...) {
				refused, deadline = true, time.Now().Add(afterRefusal)
			}
			if time.Now().After(deadline) || bed.ctx.Err() != nil {
				return c.name, err
			}
			time.Sleep(500 * time.Millisecond)
		}
	}
	return "", nil
}

// newLimited runs Metacontroller with those permissions and no others.
func newLimited(t *testing.T, binary string, mode engine.ApplyMode, granted []permission, environment ...string) *installation {
	t.Helper()
	i := newInstallation(t, mode, roleComponents...)
	i.createCredentials()
	i.startHook()
	require.NoError(t, bed.sandbox.Apply(bed.ctx, i.controller()))
	start := metacontroller.Command(binary, []string{"--leader-election=true", "--leader-election-namespace=" + i.namespace}, environment)
	running, err := start(bed.ctx, engine.Config{
		Kubeconfig: i.kubeconfig(granted), Mode: mode, Selector: controllerLabel + "=" + i.name, Log: i.engineLog(), Proxy: i.network.url,
	})
	require.NoError(t, err)
	i.running = running
	return i
}

// roleComponents use every permission: auth for Secrets, finalizer for updates of the
// FlameCluster, pod-diagnostics for pods.
var roleComponents = []string{"auth", "finalizer", "pod-diagnostics", "metacontroller-rbac", "metacontroller-rbac-secrets"}

// With the ClusterRoles of the components Metacontroller can do its work, and without
// any one permission in them it can't.
func TestLeastPrivilege(t *testing.T) {
	binary := os.Getenv("METACONTROLLER_BIN")
	if binary == "" {
		t.Skip("which permissions Metacontroller needs is only known by Metacontroller: METACONTROLLER_BIN is not set")
	}
	t.Parallel()
	all := permissions(t, buildWith(t, roleComponents...))
	for _, mode := range modes() {
		t.Run("all/"+string(mode), func(t *testing.T) {
			t.Parallel()
			i := newLimited(t, binary, mode, all)
			failed, err := i.run(i.checks(reference(t, i.environment, i.namespace, "flame")), "is forbidden")
			assert.NoError(t, err, failed)
			assert.False(t, i.denied("is forbidden"), "something was refused, see %s", i.engineLog())
		})
	}
	for _, missing := range all {
		t.Run("without "+missing.String(), func(t *testing.T) {
			t.Parallel()
			// Only server-side apply patches; everything else is needed with both.
			mode := engine.DynamicApply
			if missing.verb == "patch" {
				mode = engine.ServerSideApply
			}
			var environment []string
			if missing.verb == "list" {
				// API servers that can send a list through a watch are asked for none.
				environment = []string{"KUBE_FEATURE_WatchListClient=false"}
			}
			i := newLimited(t, binary, mode, slices.DeleteFunc(slices.Clone(all), func(p permission) bool { return p == missing }), environment...)
			// Failing is what is wanted, so nothing explains it.
			c := &flameCluster{t: t, e: i.environment, namespace: i.namespace, name: "flame"}
			t.Cleanup(func() { _ = c.edit(func(object *unstructured.Unstructured) { object.SetFinalizers(nil) }) })
			failed, err := i.run(i.checks(c), missing.denials()...)
			assert.Error(t, err, "everything works without it: the role grants too much")
			assert.True(t, i.denied(missing.denials()...), "%v, but not for want of this permission", err)
			t.Logf("fails: %s: %v", failed, err)
		})
	}
}
