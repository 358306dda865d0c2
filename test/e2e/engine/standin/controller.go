package standin

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// workers is how many parents are synced at the same time.
const workers = 5

// controller runs one CompositeController until ctx ends.
type controller struct {
	engine   *standIn
	spec     *compositeController
	ctx      context.Context
	cancel   context.CancelFunc
	queue    workqueue.TypedRateLimitingInterface[string]
	parent   *kind
	selector labels.Selector
	children []*kind
	methods  map[schema.GroupKind]string
	running  sync.WaitGroup

	customized customizations

	mu       sync.Mutex
	handlers []handler
	watched  map[schema.GroupVersionKind]bool
}

// handler is a registration with an informer that outlives the controller.
type handler struct {
	informer     cache.SharedIndexInformer
	registration cache.ResourceEventHandlerRegistration
}

func (e *standIn) startController(ctx context.Context, spec *compositeController) (*controller, error) {
	c := &controller{
		engine: e, spec: spec, selector: labels.Everything(), methods: map[schema.GroupKind]string{},
		queue:      workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		customized: customizations{known: map[customizeKey]customization{}},
		watched:    map[schema.GroupVersionKind]bool{},
	}
	c.ctx, c.cancel = context.WithCancel(ctx)
	if err := c.start(); err != nil {
		c.stop()
		return nil, err
	}
	return c, nil
}

func (c *controller) start() error {
	if err := c.engine.connectHooks(c.ctx, c.spec); err != nil {
		return err
	}
	var err error
	p := c.spec.Spec.ParentResource
	if c.parent, err = c.engine.kinds.byResource(p.APIVersion, p.Resource); err != nil {
		return err
	}
	if !c.parent.hasStatus {
		return fmt.Errorf("%s has no status subresource", p.Resource)
	}
	if p.LabelSelector != nil {
		if c.selector, err = metav1.LabelSelectorAsSelector(p.LabelSelector); err != nil {
			return err
		}
	}
	informers := []cache.SharedIndexInformer{c.engine.informer(c.parent.resource).Informer()}
	if err := c.handleParents(informers[0]); err != nil {
		return err
	}
	for _, r := range c.spec.Spec.ChildResources {
		k, err := c.engine.kinds.byResource(r.APIVersion, r.Resource)
		if err != nil {
			return err
		}
		c.children = append(c.children, k)
		c.methods[k.GroupKind()] = r.UpdateStrategy.Method
		informer := c.engine.informer(k.resource).Informer()
		informers = append(informers, informer)
		if err := c.handleChildren(informer); err != nil {
			return err
		}
	}
	c.engine.factory.Start(c.engine.ctx.Done())
	c.running.Add(1)
	go func() {
		defer c.running.Done()
		for _, informer := range informers {
			if !cache.WaitForCacheSync(c.ctx.Done(), informer.HasSynced) {
				return
			}
		}
		for range workers {
			c.running.Add(1)
			go c.work()
		}
		c.tick()
	}()
	return nil
}

// stop ends the controller and waits for it.
func (c *controller) stop() {
	c.cancel()
	c.queue.ShutDown()
	c.running.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range c.handlers {
		_ = h.informer.RemoveEventHandler(h.registration)
	}
}

// watchOnce says, once per kind, that its related objects have to be watched.
func (c *controller) watchOnce(k *kind) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.watched[k.GroupVersionKind] {
		return false
	}
	c.watched[k.GroupVersionKind] = true
	return true
}

// tick syncs all parents in the period that the CompositeController asks for.
func (c *controller) tick() {
	period := time.Duration(c.spec.Spec.ResyncPeriodSeconds) * time.Second
	if period <= 0 {
		period = 30 * time.Minute
	}
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-ticker.C:
		}
		parents, err := c.engine.lister(c.parent.resource).List(labels.Everything())
		if err != nil {
			continue
		}
		for _, parent := range parents {
			c.enqueue(parent.(*unstructured.Unstructured))
		}
	}
}

// concerned says whether the parent is one of this controller's.
func (c *controller) concerned(parent *unstructured.Unstructured) bool {
	return c.selector.Matches(labels.Set(parent.GetLabels())) || c.hasFinalizer(parent)
}

func (c *controller) enqueue(parent *unstructured.Unstructured) {
	if parent != nil && c.concerned(parent) {
		c.queue.Add(parent.GetNamespace() + "/" + parent.GetName())
	}
}

func (c *controller) work() {
	defer c.running.Done()
	for {
		key, stop := c.queue.Get()
		if stop {
			return
		}
		c.process(key)
		c.queue.Done(key)
	}
}

func (c *controller) process(key string) {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return
	}
	found, err := c.engine.lister(c.parent.resource).ByNamespace(namespace).Get(name)
	if apierrors.IsNotFound(err) {
		c.queue.Forget(key)
		return
	}
	var parent *unstructured.Unstructured
	if err == nil {
		parent = found.(*unstructured.Unstructured)
		err = c.sync(c.ctx, parent)
	}
	var later *tooManyRequests
	switch {
	case err == nil:
		c.queue.Forget(key)
	case errors.As(err, &later):
		c.log("%s: %v", key, err)
		c.queue.AddAfter(key, later.after)
	case errors.Is(err, errRelatedNotSynced):
		c.queue.AddRateLimited(key)
	default:
		c.log("%s: %v", key, err)
		if parent != nil {
			c.engine.events.Eventf(parent, corev1.EventTypeWarning, "SyncError", "Sync error: %s", err)
		}
		c.queue.AddRateLimited(key)
	}
}

func (c *controller) log(format string, arguments ...any) {
	c.engine.logger.Printf("%s: %s", c.spec.Metadata.Name, fmt.Sprintf(format, arguments...))
}
