//go:build !race

// The race detector takes several times the memory.

package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook/server"
)

// serveInsteadOfTesting makes the test binary a server, so that its memory can be
// told from that of the clients.
const serveInsteadOfTesting = "FLAME_HOOK_TEST_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(serveInsteadOfTesting) == "" {
		os.Exit(m.Run())
	}
	s, err := server.New(server.Config{
		Listen: "127.0.0.1:0", AdminListen: "127.0.0.1:0", Logger: slog.New(slog.NewJSONHandler(os.Stderr, nil)),
	})
	if err != nil {
		panic(err)
	}
	go func() {
		<-s.Listening()
		fmt.Println("http://" + s.Addr())
	}()
	if err := s.Run(context.Background()); err != nil {
		panic(err)
	}
}

// process is a server in a process of its own.
type process struct {
	url string
	pid int
}

// memoryLimit is the limit of the container in the manifests, in MiB, and
// goMemoryLimit what they tell the Go runtime to stay under.
const (
	memoryLimit   = 384
	goMemoryLimit = "320MiB"
)

func startProcess(t *testing.T) process {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), serveInsteadOfTesting+"=1", "GOMEMLIMIT="+goMemoryLimit)
	output, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	url, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err)
	return process{strings.TrimSpace(url), command.Process.Pid}
}

// peakMiB is the most memory that the process ever had.
func (p process) peakMiB(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	require.NoError(t, err)
	for line := range strings.Lines(string(status)) {
		if value, found := strings.CutPrefix(line, "VmHWM:"); found {
			kib, err := strconv.Atoi(strings.Fields(value)[0])
			require.NoError(t, err)
			return kib >> 10
		}
	}
	require.Fail(t, "no VmHWM")
	return 0
}

// requestOfSize is a recorded request in which a cluster has as many pods, none of
// them ready, as make a body of about that size. A pod with managedFields and a
// whole spec takes some 8 KiB.
func requestOfSize(t *testing.T, size int) string {
	t.Helper()
	var request map[string]any
	require.NoError(t, json.Unmarshal([]byte(recordedRequest(t, "v2-sync-imagepull")), &request))
	pods := request["related"].(map[string]any)["Pod.v1"].(map[string]any)
	var pod []byte
	for _, recorded := range pods {
		var err error
		pod, err = json.Marshal(recorded)
		require.NoError(t, err)
		break
	}
	const podBytes = 8 << 10
	for i := range size / podBytes {
		var another map[string]any
		require.NoError(t, json.Unmarshal(pod, &another))
		another["spec"] = strings.Repeat("x", podBytes-len(pod)-50)
		name := fmt.Sprintf("pod-%d", i)
		another["metadata"].(map[string]any)["name"] = name
		pods["default/"+name] = another
	}
	body, err := json.Marshal(request)
	require.NoError(t, err)
	return string(body)
}

// The manifests' limit has to hold under the most that the limits on bodies allow,
// or else one large FlameCluster would take the hook away from all others.
func TestMemoryIsBounded(t *testing.T) {
	p := startProcess(t)
	first, steady, unready := recordedRequest(t, "v2-sync-first"), recordedRequest(t, "v2-sync-steady"), recordedRequest(t, "v2-sync-imagepull")
	client := newClient(t)
	call := func(body string) int {
		answer, err := try(client, request(t, http.MethodPost, p.url+"/sync", strings.NewReader(body)))
		assert.NoError(t, err)
		return answer.code
	}
	for range 200 {
		for _, body := range []string{first, steady, unready} {
			require.Equal(t, http.StatusOK, call(body))
		}
	}
	ordinary := p.peakMiB(t)
	t.Logf("ordinary requests: %d MiB", ordinary)
	assert.Less(t, ordinary, 64)

	large := requestOfSize(t, 1<<20)
	var clients sync.WaitGroup
	end := time.Now().Add(3 * time.Second)
	for range 48 {
		clients.Go(func() {
			for time.Now().Before(end) {
				if code := call(large); code != http.StatusOK {
					assert.Equal(t, http.StatusTooManyRequests, code)
				}
			}
		})
	}
	clients.Wait()
	t.Logf("32 MiB in flight: %d MiB", p.peakMiB(t))
	assert.Less(t, p.peakMiB(t), memoryLimit)

	largest := requestOfSize(t, 63<<20)
	for range 3 {
		require.Equal(t, http.StatusOK, call(largest))
	}
	t.Logf("one body of %d MiB: %d MiB", len(largest)>>20, p.peakMiB(t))
	assert.Less(t, p.peakMiB(t), memoryLimit)
}
