package scenarios

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// clusterNetwork is a proxy that brings calls of a Service to a process, as DNS and
// the network of a cluster would: hosts, ports and certificates are those of the
// manifests. It knows one Service and refuses everything else. It looks at the first
// line of a connection only and then passes bytes on, so that connections end
// when either side ends them, and nothing is retried or cut on the way.
type clusterNetwork struct {
	url      string
	service  string // host and port
	target   string
	listener net.Listener

	lock  sync.Mutex
	conns map[net.Conn]bool
}

func newClusterNetwork(service, target string) (*clusterNetwork, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	n := &clusterNetwork{
		url: "http://" + listener.Addr().String(), service: service, target: target,
		listener: listener, conns: map[net.Conn]bool{},
	}
	go n.serve()
	return n, nil
}

func (n *clusterNetwork) serve() {
	for {
		client, err := n.listener.Accept()
		if err != nil {
			return
		}
		go n.pass(client)
	}
}

func (n *clusterNetwork) close() {
	_ = n.listener.Close()
	n.lock.Lock()
	defer n.lock.Unlock()
	for conn := range n.conns {
		_ = conn.Close()
	}
}

func (n *clusterNetwork) pass(client net.Conn) {
	defer n.forget(n.remember(client))
	reader := bufio.NewReader(client)
	line, err := reader.ReadString('\n')
	if err != nil {
		return
	}
	host, tunnel, err := destination(line)
	if err != nil || host != n.service {
		_, _ = fmt.Fprintf(client, "HTTP/1.1 %d Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", http.StatusBadGateway)
		return
	}
	hook, err := net.Dial("tcp", n.target)
	if err != nil {
		_, _ = fmt.Fprintf(client, "HTTP/1.1 %d Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", http.StatusBadGateway)
		return
	}
	defer n.forget(n.remember(hook))
	if tunnel {
		err = acceptTunnel(client, reader)
	} else {
		_, err = io.WriteString(hook, line)
	}
	if err != nil {
		return
	}
	done := make(chan struct{}, 2)
	go func() { _, _ = io.Copy(hook, reader); done <- struct{}{} }()
	go func() { _, _ = io.Copy(client, hook); done <- struct{}{} }()
	<-done
}

// destination reads the first line of a request to a proxy: a tunnel names host and
// port, a plain call a whole URL.
func destination(line string) (host string, tunnel bool, err error) {
	method, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	address, _, _ := strings.Cut(rest, " ")
	if method == http.MethodConnect {
		return address, true, nil
	}
	address, isURL := strings.CutPrefix(address, "http://")
	if !isURL {
		return "", false, errors.New("no request to a proxy")
	}
	address, _, _ = strings.Cut(address, "/")
	if !strings.Contains(address, ":") {
		address = net.JoinHostPort(address, "80")
	}
	return address, false, nil
}

// acceptTunnel reads the rest of the request for a tunnel and says that it is open.
func acceptTunnel(client io.Writer, reader *bufio.Reader) error {
	for {
		header, err := reader.ReadString('\n')
		if err != nil {
			return err
		}
		if strings.TrimSpace(header) == "" {
			_, err = io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n")
			return err
		}
	}
}

func (n *clusterNetwork) remember(conn net.Conn) net.Conn {
	n.lock.Lock()
	defer n.lock.Unlock()
	n.conns[conn] = true
	return conn
}

func (n *clusterNetwork) forget(conn net.Conn) {
	n.lock.Lock()
	defer n.lock.Unlock()
	delete(n.conns, conn)
	_ = conn.Close()
}
