package controlplane

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
)

// Ports are taken from below the range that operating systems choose from for
// outgoing connections (32768 and up on Linux): between finding a port free and
// listening on it, no connection can take it.
const (
	firstPort = 20000
	lastPort  = 29999
)

var handedOut struct {
	sync.Mutex
	next int
}

// FreePorts returns n different loopback ports that nobody listens on. No port is
// handed out twice; runs begin at random places, so that they do not meet.
func FreePorts(n int) ([]int, error) {
	handedOut.Lock()
	defer handedOut.Unlock()
	if handedOut.next == 0 {
		handedOut.next = firstPort + rand.IntN(lastPort-firstPort)
	}
	found := make([]int, 0, n)
	for tries := 0; len(found) < n; tries++ {
		if tries > lastPort-firstPort {
			return nil, errors.New("no port is free")
		}
		port := handedOut.next
		if handedOut.next++; handedOut.next > lastPort {
			handedOut.next = firstPort
		}
		if isFree(port) {
			found = append(found, port)
		}
	}
	return found, nil
}

func isFree(port int) bool {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return false
	}
	return listener.Close() == nil
}
