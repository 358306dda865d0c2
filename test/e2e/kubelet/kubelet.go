package kubelet

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

const workers = 8

type kubelet struct {
	client  kubernetes.Interface
	pods    corelisters.PodLister
	secrets corelisters.SecretLister
	claims  corelisters.PersistentVolumeClaimLister
	queue   workqueue.TypedRateLimitingInterface[string]

	mu    sync.Mutex
	bound map[types.UID]time.Time
}

// Run registers the node and takes care of all pods until ctx ends. It returns
// once the node exists and pods are watched.
func Run(ctx context.Context, config *rest.Config) error {
	client, err := kubernetes.NewForConfig(rest.AddUserAgent(rest.CopyConfig(config), "fake-kubelet"))
	if err != nil {
		return err
	}
	if _, err := client.CoreV1().Nodes().Create(ctx, node(), metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	k := &kubelet{
		client: client, pods: factory.Core().V1().Pods().Lister(),
		secrets: factory.Core().V1().Secrets().Lister(), claims: factory.Core().V1().PersistentVolumeClaims().Lister(),
		queue: workqueue.NewTypedRateLimitingQueue(workqueue.NewTypedItemExponentialFailureRateLimiter[string](20*time.Millisecond, 2*time.Second)),
		bound: map[types.UID]time.Time{},
	}
	enqueue := func(o any) {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(o); err == nil {
			k.queue.Add(key)
		}
	}
	if _, err := factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: enqueue, UpdateFunc: func(_, o any) { enqueue(o) }, DeleteFunc: k.forget,
	}); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	for range workers {
		go k.work(ctx)
	}
	go func() {
		<-ctx.Done()
		k.queue.ShutDown()
	}()
	return nil
}

func (k *kubelet) forget(o any) {
	if pod, ok := o.(*corev1.Pod); ok {
		k.mu.Lock()
		delete(k.bound, pod.UID)
		k.mu.Unlock()
	}
}

func (k *kubelet) work(ctx context.Context) {
	for {
		key, stop := k.queue.Get()
		if stop {
			return
		}
		again, err := k.reconcile(ctx, key)
		switch {
		case err != nil && !apierrors.IsNotFound(err):
			k.queue.AddRateLimited(key)
		default:
			k.queue.Forget(key)
			if again > 0 {
				k.queue.AddAfter(key, again)
			}
		}
		k.queue.Done(key)
	}
}

// reconcile brings one pod one step further and returns the time after which
// there may be another step.
func (k *kubelet) reconcile(ctx context.Context, key string) (time.Duration, error) {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return 0, err
	}
	pod, err := k.pods.Pods(namespace).Get(name)
	if err != nil {
		return 0, err
	}
	if pod.DeletionTimestamp != nil {
		return 0, k.client.CoreV1().Pods(namespace).Delete(ctx, name, *metav1.NewDeleteOptions(0))
	}
	if pod.Spec.NodeName == "" {
		return k.schedule(ctx, pod)
	}
	k.mu.Lock()
	start, known := k.bound[pod.UID]
	if !known {
		start = time.Now()
		k.bound[pod.UID] = start
	}
	k.mu.Unlock()
	status, again := podStatus(pod, time.Since(start), metav1.Now().Rfc3339Copy(), func(name, key string) bool {
		secret, err := k.secrets.Secrets(namespace).Get(name)
		if err != nil {
			return false
		}
		_, found := secret.Data[key]
		return found || key == ""
	})
	return again, k.writeStatus(ctx, pod, status)
}

func (k *kubelet) schedule(ctx context.Context, pod *corev1.Pod) (time.Duration, error) {
	reason := unschedulable(pod, func(claim string) bool {
		_, err := k.claims.PersistentVolumeClaims(pod.Namespace).Get(claim)
		return err == nil
	})
	if reason == "" {
		return 0, k.client.CoreV1().Pods(pod.Namespace).Bind(ctx, &corev1.Binding{
			ObjectMeta: metav1.ObjectMeta{Name: pod.Name, UID: pod.UID}, Target: corev1.ObjectReference{Kind: "Node", Name: nodeName},
		}, metav1.CreateOptions{})
	}
	status := *pod.Status.DeepCopy()
	c := condition(pod, corev1.PodScheduled, false, metav1.Now().Rfc3339Copy())
	c.Reason, c.Message = corev1.PodReasonUnschedulable, reason
	status.Conditions = []corev1.PodCondition{c}
	return recheckPeriod, k.writeStatus(ctx, pod, status)
}

func (k *kubelet) writeStatus(ctx context.Context, pod *corev1.Pod, status corev1.PodStatus) error {
	status.QOSClass, status.ObservedGeneration = pod.Status.QOSClass, pod.Status.ObservedGeneration
	if equality.Semantic.DeepEqual(pod.Status, status) {
		return nil
	}
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID}, "status": status})
	if err != nil {
		return err
	}
	_, err = k.client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}
