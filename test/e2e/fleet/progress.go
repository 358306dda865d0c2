package main

import (
	"context"
	"slices"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

var flameClusters = schema.GroupVersionResource{Group: "flame.xflops.io", Version: "v1alpha1", Resource: "flameclusters"}

// clusterLabel is on all that belongs to a FlameCluster.
const clusterLabel = "flame.xflops.io/cluster"

// deployments is how many a FlameCluster has: session manager, executors, object
// cache.
const deployments = 3

// progress follows which FlameClusters run: their status says so, and all their
// Deployments are rolled out and available. The second half is what tells that a
// cluster runs when the status is a constant.
type progress struct {
	mu       sync.Mutex
	running  map[string]bool
	complete map[string]map[string]bool
	since    map[string]time.Time
}

func follow(ctx context.Context, config *rest.Config) (*progress, error) {
	p := &progress{running: map[string]bool{}, complete: map[string]map[string]bool{}, since: map[string]time.Time{}}
	config = rest.CopyConfig(config)
	dynamicClient, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	config.ContentType = "application/vnd.kubernetes.protobuf"
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	parents := dynamicinformer.NewFilteredDynamicSharedInformerFactory(dynamicClient, 0, namespace, nil)
	children := informers.NewSharedInformerFactoryWithOptions(kube, 0, informers.WithNamespace(namespace))
	for informer, changed := range map[cache.SharedIndexInformer]func(any){
		parents.ForResource(flameClusters).Informer(): p.parentChanged,
		children.Apps().V1().Deployments().Informer(): p.deploymentChanged,
	} {
		if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: changed, UpdateFunc: func(_, o any) { changed(o) }}); err != nil {
			return nil, err
		}
	}
	parents.Start(ctx.Done())
	children.Start(ctx.Done())
	parents.WaitForCacheSync(ctx.Done())
	children.WaitForCacheSync(ctx.Done())
	return p, nil
}

func (p *progress) parentChanged(o any) {
	object := o.(*unstructured.Unstructured)
	state, _, _ := unstructured.NestedString(object.Object, "status", "state")
	observed, _, _ := unstructured.NestedInt64(object.Object, "status", "observedGeneration")
	p.update(object, func(cluster string) {
		p.running[cluster] = state == "Running" && observed == object.GetGeneration()
	})
}

func (p *progress) deploymentChanged(o any) {
	d := o.(*appsv1.Deployment)
	wanted, s := *d.Spec.Replicas, d.Status
	p.update(d, func(cluster string) {
		if p.complete[cluster] == nil {
			p.complete[cluster] = map[string]bool{}
		}
		p.complete[cluster][d.Name] = s.ObservedGeneration >= d.Generation &&
			s.Replicas == wanted && s.UpdatedReplicas == wanted && s.AvailableReplicas == wanted
	})
}

// update changes what is known of an object's cluster.
func (p *progress) update(object metav1.Object, change func(cluster string)) {
	cluster := object.GetLabels()[clusterLabel]
	if _, isParent := object.(*unstructured.Unstructured); isParent {
		cluster = object.GetName()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	change(cluster)
	ready := 0
	for _, is := range p.complete[cluster] {
		if is {
			ready++
		}
	}
	_, ran := p.since[cluster]
	switch runs := p.running[cluster] && ready == deployments; {
	case runs && !ran:
		p.since[cluster] = time.Now()
	case !runs:
		delete(p.since, cluster)
	}
}

// count is the number of FlameClusters that run.
func (p *progress) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.since)
}

// runsSince returns since when a FlameCluster runs.
func (p *progress) runsSince(cluster string) (time.Time, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, runs := p.since[cluster]
	return at, runs
}

// times returns how long after start the FlameClusters came to run, in ascending
// order.
func (p *progress) times(start time.Time) []time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]time.Duration, 0, len(p.since))
	for _, at := range p.since {
		all = append(all, at.Sub(start))
	}
	slices.Sort(all)
	return all
}
