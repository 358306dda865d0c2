package scenarios

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// tap stands between the engine and the hook: it counts calls, keeps the last
// exchange of each FlameCluster and can answer in the hook's place.
type tap struct {
	url    string
	server *http.Server
	client *http.Client

	mu        sync.Mutex
	target    string
	instead   http.HandlerFunc
	exchanges map[string]*exchange
}

// exchange is what was said about one FlameCluster.
type exchange struct {
	syncs     int
	failures  int
	finalizes int
	customize int
	request   []byte
	response  []byte
}

func newTap(target string) (*tap, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	t := &tap{
		url: "http://" + listener.Addr().String(), target: target, exchanges: map[string]*exchange{},
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}},
	}
	t.server = &http.Server{Handler: t, IdleTimeout: 2 * time.Minute}
	go func() { _ = t.server.Serve(listener) }()
	return t, nil
}

func (t *tap) close() { _ = t.server.Close() }

// pointAt sends further calls to another hook.
func (t *tap) pointAt(target string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.target = target
}

// answer lets handler answer all calls, or the hook again if it is nil.
func (t *tap) answer(handler http.HandlerFunc) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.instead = handler
}

// of returns what was said about a FlameCluster so far.
func (t *tap) of(namespace, name string) exchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	if x := t.exchanges[namespace+"/"+name]; x != nil {
		return *x
	}
	return exchange{}
}

// syncs is the number of sync calls about all FlameClusters, and how many failed.
func (t *tap) syncs() (calls, failures int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, x := range t.exchanges {
		calls, failures = calls+x.syncs, failures+x.failures
	}
	return calls, failures
}

func (t *tap) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	t.mu.Lock()
	target, instead := t.target, t.instead
	t.mu.Unlock()
	if instead != nil {
		t.record(r.URL.Path, body, nil, http.StatusTeapot)
		r.Body = io.NopCloser(bytes.NewReader(body))
		instead(w, r)
		return
	}
	forward, err := http.NewRequestWithContext(r.Context(), r.Method, target+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	forward.Header = r.Header.Clone()
	answer, err := t.client.Do(forward)
	if err != nil {
		t.record(r.URL.Path, body, nil, http.StatusBadGateway)
		http.Error(w, "the hook does not answer", http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	t.record(r.URL.Path, body, content, answer.StatusCode)
	for key, values := range answer.Header {
		w.Header()[key] = values
	}
	w.WriteHeader(answer.StatusCode)
	_, _ = w.Write(content)
}

func (t *tap) record(path string, request, response []byte, code int) {
	var parsed struct {
		Parent struct {
			Metadata struct{ Namespace, Name string }
		}
	}
	if json.Unmarshal(request, &parsed) != nil {
		return
	}
	key := parsed.Parent.Metadata.Namespace + "/" + parsed.Parent.Metadata.Name
	t.mu.Lock()
	defer t.mu.Unlock()
	x := t.exchanges[key]
	if x == nil {
		x = &exchange{}
		t.exchanges[key] = x
	}
	switch path {
	case "/customize":
		x.customize++
		return
	case "/finalize":
		x.finalizes++
	default:
		x.syncs++
	}
	if code != http.StatusOK {
		x.failures++
	}
	x.request, x.response = request, response
}
