package resources

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/flameconf"
)

// Cluster is everything that the children of one FlameCluster depend on.
type Cluster struct {
	// Name and Namespace of the FlameCluster.
	Name, Namespace string
	// Spec is defaulted and checked.
	Spec *v1alpha1.FlameClusterSpec
	// Config is what was rendered for the daemons and for clients.
	Config flameconf.Config
	// LastGood is the record of the last valid spec.
	LastGood LastGood
	// Executors is what was decided about the executors.
	Executors Executors
}

// Executors is what the hook decides about executors from what it observes.
type Executors struct {
	// Wanted is false until the session manager was available once: an executor that
	// can't connect exits.
	Wanted bool
	// Replicas is the number of executors. A suspended cluster has none.
	Replicas int32
	// KeepBudget keeps the PodDisruptionBudget that the spec asks for, even where
	// there are too few executors for one.
	KeepBudget bool
	// SessionManagerState identifies the run of the session manager that the executors
	// work with; a new value restarts them. Empty leaves the annotation out.
	SessionManagerState string
	// Paused holds back every change of the executors but that of their number.
	Paused bool
}

// Object is a typed Kubernetes object with its TypeMeta set.
type Object interface {
	metav1.Object
	runtime.Object
}

// Children returns every child of the cluster but the executors', in a fixed order.
// What becomes of the executors is decided from these. It fails where a
// podTemplate can't be merged, which CheckPodTemplates reports in detail, and where
// the cluster's name is too long for a child.
func Children(c Cluster) ([]Object, error) {
	objects := []Object{
		configMap(c),
		clientConfigMap(c),
		lastGoodConfigMap(c),
		sessionManagerService(c),
	}
	if s := sessionManagerExternalService(c); s != nil {
		if len(c.Name) > v1alpha1.MaxExternalNameLength {
			return nil, fmt.Errorf("the name %q is longer than %d characters, too long for an external Service", c.Name, v1alpha1.MaxExternalNameLength)
		}
		objects = append(objects, s)
	}
	cached := c.Spec.CacheEnabled()
	if cached {
		objects = append(objects, objectCacheService(c))
	}
	sessionManager, err := sessionManagerDeployment(c)
	if err != nil {
		return nil, err
	}
	objects = append(objects, sessionManager)
	if cached {
		objectCache, err := objectCacheDeployment(c)
		if err != nil {
			return nil, err
		}
		objects = append(objects, objectCache)
	}
	if p := networkPolicy(c); p != nil {
		objects = append(objects, p)
	}
	return objects, nil
}

// ExecutorChildren returns the children that belong to the executors, in a fixed
// order, or nothing while none are wanted. It fails where Children does.
func ExecutorChildren(c Cluster) ([]Object, error) {
	if !c.Executors.Wanted {
		return nil, nil
	}
	executorManager, err := executorManagerDeployment(c)
	if err != nil {
		return nil, err
	}
	objects := []Object{executorManager}
	if b := podDisruptionBudget(c); b != nil {
		objects = append(objects, b)
	}
	return objects, nil
}
