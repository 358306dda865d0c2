package scenarios

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
)

// clusterNetwork is a proxy that brings calls of a Service to a process, as DNS and
// the network of a cluster would: hosts, ports and certificates are those of the
// manifests. It knows one Service and refuses everything else.
type clusterNetwork struct {
	url     string
	service string // host and port
	target  string
	server  *http.Server
}

func newClusterNetwork(service, target string) (*clusterNetwork, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	n := &clusterNetwork{url: "http://" + listener.Addr().String(), service: service, target: target}
	n.server = &http.Server{Handler: n}
	go func() { _ = n.server.Serve(listener) }()
	return n, nil
}

func (n *clusterNetwork) close() { _ = n.server.Close() }

func (n *clusterNetwork) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host := r.Host
	if r.Method != http.MethodConnect && r.URL.Port() == "" {
		host = net.JoinHostPort(r.URL.Hostname(), "80")
	}
	if host != n.service {
		http.Error(w, fmt.Sprintf("there is no %s, only %s", host, n.service), http.StatusBadGateway)
		return
	}
	if r.Method != http.MethodConnect {
		httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: n.target}).ServeHTTP(w, r)
		return
	}
	hook, err := net.Dial("tcp", n.target)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer hook.Close()
	client, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer client.Close()
	if _, err := io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	done := make(chan struct{}, 2)
	for _, pair := range [][2]net.Conn{{hook, client}, {client, hook}} {
		go func() {
			_, _ = io.Copy(pair[0], pair[1])
			done <- struct{}{}
		}()
	}
	<-done
}
