package standin

import (
	"context"
	"log"
	"os"
	"reflect"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	typedcore "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/record"

	"github.com/xflops/flame-operator/test/e2e/engine"
)

// standIn is a running stand-in.
type standIn struct {
	config   engine.Config
	ctx      context.Context
	cancel   context.CancelFunc
	dynamic  dynamic.Interface
	kinds    *kinds
	factory  dynamicinformer.DynamicSharedInformerFactory
	events   record.EventRecorder
	writes   writes
	selector labels.Selector
	logFile  *os.File
	logger   *log.Logger
	done     chan struct{}

	controllers map[string]*controller
	specs       map[string]any
}

// Start runs a stand-in for Metacontroller.
func Start(ctx context.Context, config engine.Config) (engine.Engine, error) {
	e := &standIn{
		config: config, writes: writes{all: map[string]*written{}}, done: make(chan struct{}),
		controllers: map[string]*controller{}, specs: map[string]any{},
	}
	e.ctx, e.cancel = context.WithCancel(ctx)
	if err := e.connect(); err != nil {
		e.cancel()
		_ = e.logFile.Close()
		return nil, err
	}
	go e.run()
	return e, nil
}

func (e *standIn) connect() error {
	var err error
	if e.selector, err = labels.Parse(e.config.Selector); err != nil {
		return err
	}
	if e.logFile, err = os.OpenFile(e.config.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return err
	}
	e.logger = log.New(e.logFile, "", log.Ltime|log.Lmicroseconds)
	rc, err := clientcmd.BuildConfigFromFlags("", e.config.Kubeconfig)
	if err != nil {
		return err
	}
	rc.QPS = -1
	rc.UserAgent = "metacontroller-stand-in"
	if e.dynamic, err = dynamic.NewForConfig(rc); err != nil {
		return err
	}
	disco, err := discovery.NewDiscoveryClientForConfig(rc)
	if err != nil {
		return err
	}
	e.kinds = newKinds(disco)
	e.factory = dynamicinformer.NewDynamicSharedInformerFactory(e.dynamic, 0)
	return e.recordEvents(rc)
}

func (e *standIn) recordEvents(rc *rest.Config) error {
	client, err := kubernetes.NewForConfig(rc)
	if err != nil {
		return err
	}
	broadcaster := record.NewBroadcasterWithCorrelatorOptions(record.CorrelatorOptions{QPS: 100, BurstSize: 1000})
	broadcaster.StartRecordingToSink(&typedcore.EventSinkImpl{Interface: client.CoreV1().Events("")})
	e.events = broadcaster.NewRecorder(runtime.NewScheme(), corev1.EventSource{Component: "metacontroller"})
	go func() {
		<-e.ctx.Done()
		broadcaster.Shutdown()
	}()
	return nil
}

func (e *standIn) informer(resource schema.GroupVersionResource) informers.GenericInformer {
	return e.factory.ForResource(resource)
}

func (e *standIn) lister(resource schema.GroupVersionResource) cache.GenericLister {
	return e.factory.ForResource(resource).Lister()
}

// run starts, restarts and stops controllers as CompositeControllers come, change
// their spec and go. A change of metadata alone restarts nothing.
func (e *standIn) run() {
	defer close(e.done)
	informer := e.informer(compositeControllers).Informer()
	changed := make(chan struct{}, 1)
	notify := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { notify() }, UpdateFunc: func(any, any) { notify() }, DeleteFunc: func(any) { notify() },
	}); err != nil {
		e.logger.Print(err)
		return
	}
	e.factory.Start(e.ctx.Done())
	retry := time.NewTicker(time.Second)
	defer retry.Stop()
	for {
		select {
		case <-e.ctx.Done():
			for _, c := range e.controllers {
				c.stop()
			}
			e.factory.Shutdown()
			return
		case <-changed:
		case <-retry.C:
		}
		e.reconcile()
	}
}

func (e *standIn) reconcile() {
	found, err := e.lister(compositeControllers).List(e.selector)
	if err != nil {
		return
	}
	wanted := map[string]*unstructured.Unstructured{}
	for _, o := range found {
		object := o.(*unstructured.Unstructured)
		wanted[object.GetName()] = object
	}
	for name, c := range e.controllers {
		if object := wanted[name]; object == nil || !reflect.DeepEqual(object.Object["spec"], e.specs[name]) {
			c.stop()
			delete(e.controllers, name)
		}
	}
	for name, object := range wanted {
		if e.controllers[name] != nil {
			continue
		}
		spec, err := readCompositeController(object)
		if err == nil {
			var c *controller
			if c, err = e.startController(e.ctx, spec); err == nil {
				e.controllers[name], e.specs[name] = c, object.Object["spec"]
			}
		}
		if err != nil {
			e.logger.Printf("%s: %v", name, err)
			e.events.Eventf(object, corev1.EventTypeWarning, "CreateError", "Cannot create new controller: %s", err)
		}
	}
}

// Stop ends the stand-in and waits for it, at most as long as patience.
func (e *standIn) Stop(patience time.Duration) {
	e.cancel()
	select {
	case <-e.done:
		_ = e.logFile.Close()
	case <-time.After(patience):
	}
}

// Exited is always false: the stand-in ends only when it is stopped.
func (e *standIn) Exited() bool { return false }
