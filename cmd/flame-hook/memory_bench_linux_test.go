package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkMemory sends the recorded requests to the program, over many connections at
// once, and reports the most memory that was resident.
func BenchmarkMemory(b *testing.B) {
	files, err := filepath.Glob("../../test/golden/requests/*-sync-*.json")
	require.NoError(b, err)
	require.NotEmpty(b, files)
	var bodies []string
	for _, file := range files {
		recorded, err := os.ReadFile(file)
		require.NoError(b, err)
		var body bytes.Buffer
		require.NoError(b, json.Compact(&body, recorded))
		bodies = append(bodies, body.String())
	}
	program := filepath.Join(b.TempDir(), "flame-hook")
	built, err := exec.CommandContext(b.Context(), "go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(b, err, string(built))
	for _, connections := range []int{1, 64} {
		b.Run(fmt.Sprintf("connections=%d", connections), func(b *testing.B) {
			address := freeAddress(b)
			serving := exec.CommandContext(b.Context(), program, "serve", "--listen", address, "--admin-listen", "127.0.0.1:0", "--drain-delay", "0")
			require.NoError(b, serving.Start())
			b.Cleanup(func() {
				_ = serving.Process.Kill()
				_ = serving.Wait()
			})
			require.Eventually(b, func() bool { return post(address, bodies[0]) == nil }, 10*time.Second, 10*time.Millisecond)
			const callsOfEach = 200
			for b.Loop() {
				var callers sync.WaitGroup
				for range connections {
					callers.Go(func() {
						for i := range callsOfEach {
							if err := post(address, bodies[i%len(bodies)]); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				callers.Wait()
			}
			b.ReportMetric(mostResident(b, serving.Process.Pid)/(1<<20), "resident-MiB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func freeAddress(b *testing.B) string {
	b.Helper()
	listening, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	defer listening.Close() //nolint:errcheck // nothing was sent
	return listening.Addr().String()
}

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

func post(address, body string) error {
	response, err := client.Post("http://"+address+"/sync", "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	defer response.Body.Close() //nolint:errcheck // everything was read
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", response.StatusCode)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

// mostResident is the peak of a process's resident memory in bytes.
func mostResident(b *testing.B, pid int) float64 {
	b.Helper()
	status, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(b, err)
	defer status.Close() //nolint:errcheck // it was only read
	for lines := bufio.NewScanner(status); lines.Scan(); {
		var kibibytes float64
		if _, err := fmt.Sscanf(lines.Text(), "VmHWM: %f kB", &kibibytes); err == nil {
			return kibibytes * 1024
		}
	}
	require.Fail(b, "no VmHWM")
	return 0
}
