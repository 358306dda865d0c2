package scenarios

import (
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/xflops/flame-operator/test/e2e/hookprocess"
)

// balancer does what a Service does: it spreads new connections over the replicas
// that are ready, and leaves open connections alone.
type balancer struct {
	url      string
	listener net.Listener

	mu       sync.Mutex
	backends []*hookprocess.Hook
	accepted int
}

func newBalancer() (*balancer, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &balancer{listener: listener, url: "http://" + listener.Addr().String()}
	go b.serve()
	return b, nil
}

func (b *balancer) close() { _ = b.listener.Close() }

func (b *balancer) connections() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.accepted
}

func (b *balancer) serve() {
	for {
		client, err := b.listener.Accept()
		if err != nil {
			return
		}
		go b.connect(client)
	}
}

func (b *balancer) connect(client net.Conn) {
	defer client.Close()
	b.mu.Lock()
	b.accepted++
	n, backends := b.accepted, b.backends
	b.mu.Unlock()
	if len(backends) == 0 {
		return
	}
	server, err := net.Dial("tcp", strings.TrimPrefix(backends[n%len(backends)].URL, "http://"))
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		_, _ = io.Copy(server, client)
		_ = server.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(client, server)
}

// drainDelay leaves a busy machine time to see that a replica is ending.
const drainDelay = "--drain-delay=10s"

// replicas are hooks behind a balancer.
type replicas struct {
	name     string
	balancer *balancer
	hooks    []*hookprocess.Hook
	started  int
	done     chan struct{}
}

func newReplicas(name string, n int) (*replicas, error) {
	b, err := newBalancer()
	if err != nil {
		return nil, err
	}
	r := &replicas{name: name, balancer: b, done: make(chan struct{})}
	for range n {
		if err := r.start(); err != nil {
			r.stop()
			return nil, err
		}
	}
	r.probe()
	go r.watch()
	return r, nil
}

func (r *replicas) start() error {
	r.started++
	hook, err := hookprocess.Start(bed.ctx, bed.hook, filepath.Join(bed.dir, fmt.Sprintf("replica-%s-%d-hook.log", r.name, r.started)), 0, drainDelay)
	if err != nil {
		return err
	}
	r.balancer.mu.Lock()
	defer r.balancer.mu.Unlock()
	r.hooks = append(r.hooks, hook)
	return nil
}

// watch looks after the readiness of the replicas, as often as a quick kubelet.
func (r *replicas) watch() {
	for {
		select {
		case <-r.done:
			return
		case <-time.After(time.Second):
			r.probe()
		}
	}
}

func (r *replicas) probe() {
	r.balancer.mu.Lock()
	hooks := r.hooks
	r.balancer.mu.Unlock()
	var ready []*hookprocess.Hook
	for _, hook := range hooks {
		if hook.Ready(bed.ctx) {
			ready = append(ready, hook)
		}
	}
	r.balancer.mu.Lock()
	defer r.balancer.mu.Unlock()
	r.balancer.backends = ready
}

// roll replaces every replica, one after the other, a new one before the old one.
func (r *replicas) roll() error {
	for range len(r.hooks) {
		if err := r.start(); err != nil {
			return err
		}
		r.probe()
		r.balancer.mu.Lock()
		old := r.hooks[0]
		r.balancer.mu.Unlock()
		if !old.Stop(stopTime) {
			return fmt.Errorf("a hook had to be killed")
		}
		r.balancer.mu.Lock()
		r.hooks = r.hooks[1:]
		r.balancer.mu.Unlock()
	}
	return nil
}

func (r *replicas) stop() {
	close(r.done)
	r.balancer.close()
	for _, hook := range r.hooks {
		hook.Kill()
	}
}
