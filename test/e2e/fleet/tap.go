package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/xflops/flame-operator/test/e2e/fleet/calls"
)

// tap is what the engine calls. It passes calls on to a hook and keeps what that
// answers, or answers with what another tap has kept: the same children each time,
// whatever exists. It reads a request alike in both cases.
type tap struct {
	calls.Log
	url    string
	server *http.Server
	client *http.Client
	// target is the hook, and empty if the answers are the ones in constant.
	target   string
	constant map[exchange][]byte

	mu   sync.Mutex
	last map[exchange][]byte
}

// exchange is a kind of call about a FlameCluster.
type exchange struct{ path, cluster string }

func newTap(ctx context.Context, target string, constant map[exchange][]byte) (*tap, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	t := &tap{
		url: "http://" + listener.Addr().String(), target: target, constant: constant, last: map[exchange][]byte{},
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers}},
	}
	t.server = &http.Server{Handler: t, ReadHeaderTimeout: time.Minute, IdleTimeout: 2 * time.Minute}
	go func() { _ = t.server.Serve(listener) }()
	return t, nil
}

func (t *tap) close() { _ = t.server.Close() }

func (t *tap) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	request, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var about struct {
		Parent struct {
			Metadata struct{ Namespace, Name string }
		}
		Children, Related json.RawMessage
	}
	if err := json.Unmarshal(request, &about); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	cluster := about.Parent.Metadata.Namespace + "/" + about.Parent.Metadata.Name
	isSync := r.URL.Path == "/sync"
	if isSync {
		t.Called(cluster, now, sha256.Sum256(append(about.Children, about.Related...)))
	}
	answer, again, err := t.answer(r, request, exchange{r.URL.Path, cluster})
	if isSync {
		t.Answered(cluster, time.Now(), err != nil, again)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer)
}

// answer returns the answer, and after which time it asks for another call.
func (t *tap) answer(r *http.Request, request []byte, x exchange) (answer []byte, again time.Duration, err error) {
	if t.target == "" {
		answer, found := t.constant[x]
		if !found {
			return nil, 0, fmt.Errorf("no answer is known to %s about %s", x.path, x.cluster)
		}
		return answer, 0, nil
	}
	if answer, err = t.pass(r, request); err != nil {
		return nil, 0, err
	}
	t.mu.Lock()
	t.last[x] = answer
	t.mu.Unlock()
	var wish struct{ ResyncAfterSeconds float64 }
	if err := json.Unmarshal(answer, &wish); err != nil {
		return nil, 0, err
	}
	return answer, time.Duration(wish.ResyncAfterSeconds * float64(time.Second)), nil
}

func (t *tap) pass(r *http.Request, body []byte) ([]byte, error) {
	forward, err := http.NewRequestWithContext(r.Context(), r.Method, t.target+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	forward.Header = r.Header.Clone()
	response, err := t.client.Do(forward)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("the hook answers %s: %s", response.Status, answer)
	}
	return answer, err
}

// kept returns the last answer to each kind of call about each cluster. Taken when
// the fleet is at rest, they ask for no further call.
func (t *tap) kept() map[exchange][]byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}
