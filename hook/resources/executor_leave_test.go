package resources

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

func TestExecutorsSignOff(t *testing.T) {
	plain := container(t, deployments(t, "{sessionManager: {service: {port: 9000}}}")[v1alpha1.ComponentExecutorManager])
	assert.Equal(t, []string{"python3", "-I", "/etc/flame/leave.py", "flame-executor-manager", "http://demo-session-manager.flame.svc:9000"},
		plain.Lifecycle.PreStop.Exec.Command)

	withTLS := container(t, deployments(t, "tls: {sessionManager: {secretName: a}}")[v1alpha1.ComponentExecutorManager])
	assert.Equal(t, []string{"python3", "-I", "/etc/flame/leave.py", "flame-executor-manager", "https://demo-session-manager.flame.svc:8080", "/etc/flame-tls/session-manager/ca.crt"},
		withTLS.Lifecycle.PreStop.Exec.Command)

	for component, d := range deployments(t, "{}") {
		if component != v1alpha1.ComponentExecutorManager {
			assert.Nil(t, container(t, d).Lifecycle, component)
		}
		assert.NotContains(t, toYAML(t, d), "import", "another script would restart %s", component)
	}
}

// The kubelet gives hook and daemon together the pod's grace period.
func TestLeaveScriptEndsWithinTheGracePeriod(t *testing.T) {
	// It takes connections and never answers.
	l := leaving(t, func(l net.Listener) {
		var connections []net.Conn
		for {
			c, err := l.Accept()
			if err != nil {
				break
			}
			connections = append(connections, c)
		}
		for _, c := range connections {
			_ = c.Close()
		}
	})
	begun := time.Now()
	output := l.run(t, "{}")
	assert.Less(t, time.Since(begun), time.Duration(terminationGracePeriodSeconds-1)*time.Second)
	assert.Contains(t, output, "ends without being signed off")
	l.requireKilled(t)
}

func TestLeaveScript(t *testing.T) {
	ca, certificate := certificates(t)
	otherCA, _ := certificates(t)
	for name, tc := range map[string]struct {
		spec    string
		answer  http.HandlerFunc
		ca      []byte
		failure string
	}{
		"signed off":             {spec: "{}", answer: result("")},
		"signed off over TLS":    {spec: "tls: {sessionManager: {secretName: a}}", answer: result(""), ca: ca},
		"another CA":             {spec: "tls: {sessionManager: {secretName: a}}", answer: result(""), ca: otherCA, failure: "certificate"},
		"no CA":                  {spec: "tls: {sessionManager: {secretName: a}}", answer: result(""), failure: "No such file"},
		"an error of Flame":      {spec: "{}", answer: result("\x08\x01\x12\x02no"), failure: "the session manager refused"},
		"an error of gRPC":       {spec: "{}", answer: func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Grpc-Status", "13") }, failure: "the session manager refused"},
		"a connection cut short": {spec: "{}", answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, failure: "the connection"},
	} {
		t.Run(name, func(t *testing.T) {
			var registered []byte
			var stopped string
			var l *leavingExecutor
			server := &http.Server{ReadHeaderTimeout: time.Minute, Protocols: new(http.Protocols), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				assert.Equal(t, 2, r.ProtoMajor)
				assert.Equal(t, "POST /flame.v1.Backend/RegisterNode", r.Method+" "+r.URL.Path)
				assert.Equal(t, "application/grpc", r.Header.Get("Content-Type"))
				assert.Equal(t, "trailers", r.Header.Get("Te"))
				body, err := io.ReadAll(r.Body)
				assert.NoError(t, err)
				registered, stopped = body, stoppedState(t, l.daemon.Process.Pid)
				tc.answer(w, r)
			})}
			overTLS := strings.Contains(tc.spec, "tls")
			server.Protocols.SetHTTP2(overTLS)
			server.Protocols.SetUnencryptedHTTP2(!overTLS)
			server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
			l = leaving(t, func(listener net.Listener) {
				serve := server.Serve
				if overTLS {
					serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
				}
				assert.ErrorIs(t, serve(listener), http.ErrServerClosed)
			})
			t.Cleanup(func() { assert.NoError(t, server.Close()) })
			if tc.ca != nil {
				require.NoError(t, os.WriteFile(l.ca, tc.ca, 0o600))
			}

			output := l.run(t, tc.spec)
			assert.Equal(t, 1, strings.Count(output, "\n"), output)
			host, err := os.Hostname()
			require.NoError(t, err)
			assert.True(t, strings.HasPrefix(output, host+" "), output)
			l.requireKilled(t)
			if tc.failure != "" {
				assert.Contains(t, output, "without being signed off")
				assert.Contains(t, output, tc.failure)
				return
			}
			assert.Contains(t, output, "is signed off")
			assert.Equal(t, "T", stopped, "a daemon that runs announces its capacity again")
			requireNodeWithoutCapacity(t, host, registered)
		})
	}
}

func TestLeaveScriptWithoutASessionManager(t *testing.T) {
	l := leaving(t, nil)
	assert.Contains(t, l.run(t, "{}"), "refused")
	l.requireKilled(t)
}

func TestLeaveScriptOnlyKillsTheDaemon(t *testing.T) {
	l := leaving(t, nil)
	other := standIn(t, "another-process")
	l.run(t, "{}")
	l.requireKilled(t)
	assert.Equal(t, "S", processState(t, other.Process.Pid))

	begun := time.Now()
	l.run(t, "{}")
	assert.Less(t, time.Since(begun), 3*time.Second, "no daemon is left")
}

// leavingExecutor is what the script finds in the pod.
type leavingExecutor struct {
	executable, script, endpoint, ca string
	daemon                           *exec.Cmd
}

// leaving starts a daemon's stand-in, and lets serve be its session manager; nil
// is none.
func leaving(t *testing.T, serve func(net.Listener)) *leavingExecutor {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed: the script that signs executors off can't be run")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	if serve == nil {
		require.NoError(t, listener.Close())
	} else {
		done := make(chan struct{})
		go func() { defer close(done); serve(listener) }()
		t.Cleanup(func() { _ = listener.Close(); <-done })
	}
	dir := t.TempDir()
	l := &leavingExecutor{
		// Tests that run at the same time must not kill each other's.
		executable: fmt.Sprintf("flame-executor-manager-%d-%s", os.Getpid(), filepath.Base(dir)),
		script:     filepath.Join(dir, "leave.py"),
		ca:         filepath.Join(dir, "ca.crt"),
		endpoint:   fmt.Sprintf("localhost:%d", listener.Addr().(*net.TCPAddr).Port-1),
	}
	require.NoError(t, os.WriteFile(l.script, []byte(leaveScript), 0o600))
	l.daemon = standIn(t, l.executable)
	return l
}

// run runs the rendered hook, which has to succeed, and returns what it prints.
func (l *leavingExecutor) run(t *testing.T, spec string) string {
	t.Helper()
	hook := container(t, deployments(t, spec)[v1alpha1.ComponentExecutorManager]).Lifecycle.PreStop.Exec.Command
	var command []string
	for _, word := range hook {
		command = append(command, strings.NewReplacer(
			"/etc/flame/leave.py", l.script,
			"/etc/flame-tls/session-manager/ca.crt", l.ca,
			"flame-executor-manager", l.executable,
			"demo-session-manager.flame.svc:8080", l.endpoint,
		).Replace(word))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	output, err := exec.CommandContext(ctx, command[0], command[1:]...).CombinedOutput()
	require.NoError(t, err, string(output))
	return string(output)
}

func (l *leavingExecutor) requireKilled(t *testing.T) {
	t.Helper()
	var exit *exec.ExitError
	require.ErrorAs(t, l.daemon.Wait(), &exit)
	assert.Equal(t, syscall.SIGKILL, exit.Sys().(syscall.WaitStatus).Signal())
}

// standIn runs an executable of that name which sleeps.
func standIn(t *testing.T, name string) *exec.Cmd {
	t.Helper()
	sleep, err := exec.LookPath("sleep")
	require.NoError(t, err)
	program, err := os.ReadFile(sleep)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, program, 0o700))
	daemon := exec.CommandContext(t.Context(), path, "60")
	// Some programs are many, told apart by this name.
	daemon.Args[0] = "sleep"
	// Another test may have forked while the file was open for writing.
	require.Eventually(t, func() bool { return !errors.Is(daemon.Start(), syscall.ETXTBSY) }, 5*time.Second, 10*time.Millisecond)
	require.NotNil(t, daemon.Process)
	require.Eventually(t, func() bool { return processState(t, daemon.Process.Pid) == "S" }, 5*time.Second, 10*time.Millisecond)
	return daemon
}

// processState is the letter that the kernel has for it: S sleeps, T is stopped.
func processState(t *testing.T, pid int) string {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(t, err)
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return string(state[:1])
}

// stoppedState is the state of a process that was told to stop. The kernel stops it
// when it next gives it the CPU, which can take a moment.
func stoppedState(t *testing.T, pid int) string {
	t.Helper()
	state := processState(t, pid)
	for deadline := time.Now().Add(2 * time.Second); state != "T" && time.Now().Before(deadline); state = processState(t, pid) {
		time.Sleep(5 * time.Millisecond)
	}
	return state
}

// result answers a call with a message of type Result.
func result(message string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/grpc")
		w.Header().Set("Trailer", "Grpc-Status")
		body := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message)))
		_, _ = w.Write(append(body, message...))
		w.Header().Set("Grpc-Status", "0")
	}
}

// requireNodeWithoutCapacity reads a RegisterNodeRequest. The numbers of the fields are
// Flame's (rpc/protos/backend.proto, types.proto).
func requireNodeWithoutCapacity(t *testing.T, name string, body []byte) {
	t.Helper()
	require.Greater(t, len(body), 5)
	require.Zero(t, body[0], "not compressed")
	require.EqualValues(t, len(body)-5, binary.BigEndian.Uint32(body[1:5]))
	request := message(t, body[5:])
	assert.NotContains(t, request, 2, "it has no executors")
	node := message(t, request[1])
	metadata, spec, status := message(t, node[1]), message(t, node[2]), message(t, node[3])
	assert.Equal(t, name, string(metadata[1]), "id")
	assert.Equal(t, name, string(metadata[2]), "name")
	assert.Equal(t, name, string(spec[1]), "hostname")
	for _, resources := range []int{2, 3} {
		require.Contains(t, status, resources, "capacity and allocatable are there")
		assert.Empty(t, status[resources], "and are zero")
	}
	info := message(t, status[4])
	assert.NotEmpty(t, info[1])
	assert.Equal(t, "linux", string(info[2]))
}

// message is the length-delimited fields of a protobuf message by number.
func message(t *testing.T, raw []byte) map[int][]byte {
	t.Helper()
	number := func() uint64 {
		n, size := binary.Uvarint(raw)
		require.Positive(t, size)
		raw = raw[size:]
		return n
	}
	fields := map[int][]byte{}
	for len(raw) > 0 {
		switch tag := number(); tag & 7 {
		case 0:
			number()
		case 2:
			length := number()
			require.LessOrEqual(t, length, uint64(len(raw)))
			fields[int(tag>>3)] = raw[:length]
			raw = raw[length:]
		default:
			require.Fail(t, "a type of field that is not used", "%d", tag&7)
		}
	}
	return fields
}

// certificates are a CA, which has no key usage as some have none, and a certificate
// of localhost by it.
func certificates(t *testing.T) (ca []byte, certificate tls.Certificate) {
	t.Helper()
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "CA"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	encodedCA, err := x509.CreateCertificate(rand.Reader, authority, authority, &authorityKey.PublicKey, authorityKey)
	require.NoError(t, err)
	served := &x509.Certificate{SerialNumber: big.NewInt(2), DNSNames: []string{"localhost"}, NotAfter: time.Now().Add(time.Hour)}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	encoded, err := x509.CreateCertificate(rand.Reader, served, authority, &key.PublicKey, authorityKey)
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: encodedCA}), tls.Certificate{Certificate: [][]byte{encoded}, PrivateKey: key}
}
