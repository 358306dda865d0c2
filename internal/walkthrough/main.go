// Command walkthrough shows the main job at work without any cluster: it starts the
// hook on loopback, sends it the requests that Metacontroller would send for
// examples/minimal.yaml, and prints what a person would see.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/hook/server"
	"github.com/xflops/flame-operator/internal/rehearsal"
	"github.com/xflops/flame-operator/internal/tree"
)

// mostRounds is far above what a cluster needs to settle.
const mostRounds = 10

func main() {
	example := flag.String("f", "examples/minimal.yaml", "file with one FlameCluster")
	flag.Parse()
	if err := walk(*example, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "walkthrough:", err)
		os.Exit(1)
	}
}

func walk(example string, out io.Writer) (err error) {
	cluster, err := load(example)
	if err != nil {
		return err
	}
	address, stop, err := startHook()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	say(out, "flame-hook listens on http://%s; %s is applied.\n", address, example)

	status := ""
	for round := 1; round <= mostRounds; round++ {
		answer, err := post("http://"+address+"/sync", cluster.Request())
		if err != nil {
			return err
		}
		before := status
		status = statusLine(answer)
		say(out, "sync %d: %s\n", round, status)
		if err := cluster.Apply(answer); err != nil {
			return err
		}
		if status == before {
			break
		}
		cluster.Ready()
	}
	say(out, "\nThe objects that exist now:\n\n")
	if err := showTree(cluster, out); err != nil {
		return err
	}
	text, err := yaml.Marshal(map[string]any{"status": cluster.Status()})
	if err != nil {
		return err
	}
	say(out, "\nWhat `kubectl get fc -o yaml` shows:\n\n%s", text)
	if cluster.Status()["state"] != "Running" {
		return errors.New("the cluster did not become Running")
	}
	return nil
}

func load(file string) (*rehearsal.Cluster, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var parent struct {
		Metadata struct{ Name, Namespace string } `json:"metadata"`
		Spec     any                              `json:"spec"`
	}
	if err := yaml.Unmarshal(raw, &parent); err != nil {
		return nil, err
	}
	if parent.Metadata.Namespace == "" {
		parent.Metadata.Namespace = "default"
	}
	return rehearsal.New(parent.Metadata.Namespace, parent.Metadata.Name, parent.Spec), nil
}

func startHook() (address string, stop func() error, err error) {
	s, err := server.New(server.Config{
		Listen: "127.0.0.1:0", AdminListen: "127.0.0.1:0", ShutdownTimeout: time.Second, Version: "walkthrough",
	})
	if err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	select {
	case <-s.Listening():
		return s.Addr(), func() error { cancel(); return <-ended }, nil
	case err := <-ended:
		cancel()
		return "", nil, err
	}
}

func post(url string, body []byte) ([]byte, error) {
	response, err := http.Post(url, "application/json", bytes.NewReader(body)) //nolint:gosec,noctx // the address is our own, on loopback
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, answer)
	}
	return answer, err
}

func statusLine(answer []byte) string {
	var decoded struct {
		Children []json.RawMessage `json:"children"`
		Status   struct {
			State         string `json:"state"`
			Message       string `json:"message"`
			ReadyReplicas int    `json:"readyReplicas"`
		} `json:"status"`
	}
	if err := json.Unmarshal(answer, &decoded); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d objects wanted, state %s, %d executors ready: %s",
		len(decoded.Children), decoded.Status.State, decoded.Status.ReadyReplicas, strings.TrimSuffix(decoded.Status.Message, "."))
}

func showTree(cluster *rehearsal.Cluster, out io.Writer) error {
	raw, err := json.Marshal(cluster.Parent)
	if err != nil {
		return err
	}
	var parent hook.Parent
	if err := json.Unmarshal(raw, &parent); err != nil {
		return err
	}
	rendering, err := hook.Render(&parent)
	if err != nil {
		return err
	}
	return tree.Print(out, parent.Metadata.Name, rendering.Children)
}

func say(out io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(out, format, args...) }
