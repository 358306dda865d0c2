package scenarios

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/test/e2e/engine"
	"github.com/xflops/flame-operator/test/e2e/hookprocess"
	"github.com/xflops/flame-operator/test/e2e/pages"
	"github.com/xflops/flame-operator/test/e2e/sandbox"
)

// Each page's commands are run as a reader would, one after the other, on a cluster on
// which nothing but Metacontroller is installed. Two readers share the pages.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	root, err := hookprocess.Repository()
	require.NoError(t, err)
	all := readPages(t, root)
	requireKnown(t, all)
	queue := make(chan string, len(all))
	for _, file := range slices.Sorted(maps.Keys(all)) {
		if slices.ContainsFunc(all[file].Commands, func(c pages.Command) bool { return where(file, c) == onCluster }) {
			queue <- file
		}
	}
	close(queue)
	// Parallel subtests would begin behind most other scenarios, and readers take longest.
	var reading sync.WaitGroup
	for _, name := range []string{"first-reader", "second-reader"} {
		reading.Go(func() {
			t.Run(name, func(t *testing.T) {
				r := newReader(t, root, name)
				for file := range queue {
					t.Run(strings.TrimSuffix(file, ".md"), func(t *testing.T) {
						r.read(t, file, all[file])
					})
				}
			})
		})
	}
	reading.Wait()
}

func readPages(t *testing.T, root string) map[string]*pages.Page {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	all := map[string]*pages.Page{}
	for _, file := range append(files, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md")) {
		markdown, err := os.ReadFile(file)
		require.NoError(t, err)
		page, err := pages.Parse(string(markdown))
		require.NoError(t, err, file)
		name, err := filepath.Rel(root, file)
		require.NoError(t, err)
		all[name] = page
	}
	return all
}

// The places where commands are run.
const (
	nowhere   = ""
	onCluster = "on a cluster"
	offline   = "by the tests in docs"
)

// where says who runs a command.
func where(file string, c pages.Command) string {
	if reason(file, c) != nil {
		return nowhere
	}
	programs := c.Programs()
	if slices.Contains(programs, "kubectl") {
		return onCluster
	}
	for _, program := range programs {
		if !slices.Contains([]string{"make", "flame-hook", "bin/flame-hook"}, program) {
			return nowhere
		}
	}
	return offline
}

func reason(file string, c pages.Command) *exemption {
	for i, e := range exemptions {
		if e.page == file && e.command == c.Script {
			return &exemptions[i]
		}
	}
	return nil
}

// requireKnown fails for commands that are run nowhere without a reason, and for what
// is said here about commands that are not there.
func requireKnown(t *testing.T, all map[string]*pages.Page) {
	t.Helper()
	there := map[string]bool{}
	for file, page := range all {
		for _, c := range page.Commands {
			there[file+": "+c.Script] = true
			if where(file, c) == nowhere {
				assert.NotNil(t, reason(file, c), "%s:%d: run nowhere, and no reason is given: %s", file, c.Line, c.Script)
			}
		}
	}
	for _, e := range exemptions {
		assert.NotEmpty(t, e.why)
		assert.True(t, there[e.page+": "+e.command], "exempt, and not in the page: %s: %s", e.page, e.command)
	}
	for file, l := range lessons {
		assert.Contains(t, all, file)
		for command := range l.at {
			assert.True(t, there[file+": "+command], "prepared, and not in the page: %s: %s", file, command)
		}
	}
}

// reader follows pages on a control plane of its own: they install and uninstall, and
// their names are those of the pages.
type reader struct {
	root string
	// bin are the programs that a reader has.
	bin        string
	kubeconfig string
	engine     engine.Config
}

// newReader brings up what pages expect to be there: Kubernetes and Metacontroller, and
// a network that brings calls of the hook's Service to the hook. The fake kubelet says
// that the hook's pods run.
func newReader(t *testing.T, root, name string) *reader {
	t.Helper()
	dir := filepath.Join(bed.dir, name)
	r := &reader{root: root, bin: filepath.Join(dir, "bin")}
	require.NoError(t, os.MkdirAll(r.bin, 0o700))
	for _, name := range []string{"flame-hook", "flame-hook-old"} {
		require.NoError(t, os.Symlink(bed.hook, filepath.Join(r.bin, name)))
	}
	build := exec.CommandContext(bed.ctx, "go", "build", "-o", filepath.Join(r.bin, "kubectl"), "./kubectl")
	build.Dir = filepath.Join(root, "test", "e2e")
	output, err := build.CombinedOutput()
	require.NoError(t, err, "go build ./kubectl: %s", output)

	ctx, stop := context.WithCancel(bed.ctx)
	t.Cleanup(stop)
	cluster, err := sandbox.Start(ctx, dir)
	require.NoError(t, err)
	t.Cleanup(cluster.Plane.Stop)
	require.NoError(t, cluster.DefineNeighbors(ctx))
	r.kubeconfig = cluster.Plane.Kubeconfig()
	hook, err := hookprocess.Start(ctx, bed.hook, filepath.Join(dir, "hook.log"), 0)
	require.NoError(t, err)
	t.Cleanup(func() { hook.Stop(stopTime) })
	network, err := newClusterNetwork(hookHost+":80", strings.TrimPrefix(hook.URL, "http://"))
	require.NoError(t, err)
	t.Cleanup(network.close)
	r.engine = engine.Config{Kubeconfig: r.kubeconfig, Mode: engine.DynamicApply, Log: filepath.Join(dir, "engine.log"), Proxy: network.url}
	return r
}

// leaveNothing is what a page may leave behind.
const leaveNothing = `
kubectl delete compositecontrollers --all
kubectl get crd flameclusters.flame.xflops.io && kubectl delete fc --all -A
kubectl delete crd flameclusters.flame.xflops.io --ignore-not-found
kubectl delete deployments,services,configmaps,poddisruptionbudgets,networkpolicies -l app.kubernetes.io/managed-by=flame-hook
kubectl delete namespace flame-system team --ignore-not-found
kubectl delete pods --all
`

// read runs the commands of a page in a directory with what the repository holds, and
// the files that the page gives.
func (r *reader) read(t *testing.T, file string, page *pages.Page) {
	directory := t.TempDir()
	for name, source := range map[string]string{"examples": "examples", "manifests": "manifests", "crd": "crd", ".": "docs/testdata"} {
		require.NoError(t, os.CopyFS(filepath.Join(directory, name), os.DirFS(filepath.Join(r.root, source))))
	}
	// The one of a release is called like this.
	require.NoError(t, os.Symlink("manifests/install.yaml", filepath.Join(directory, "install.yaml")))
	require.NoError(t, os.Symlink(r.bin, filepath.Join(directory, "bin")))
	require.NoError(t, os.Symlink(filepath.Join(r.root, "test/e2e/scenarios/testdata"), filepath.Join(directory, "testdata")))
	l := lessons[file]
	for name, content := range page.Files {
		require.NoError(t, os.WriteFile(filepath.Join(directory, name), []byte(l.fill(content)), 0o600))
	}
	s := &shell{t: t, reader: r, directory: directory}
	defer func() {
		if t.Failed() {
			s.explain()
		}
		_, _ = s.run(leaveNothing)
	}()
	// Anew for each page: what watches a kind that is gone for long comes back slowly.
	running, err := bed.startEngine(bed.ctx, r.engine)
	require.NoError(t, err)
	defer running.Stop(stopTime)
	s.mustRun(l.before)
	for _, c := range page.Commands {
		if place := where(file, c); place == nowhere || place == offline && c.Programs()[0] == "make" {
			continue
		}
		s.mustRun(l.at[c.Script])
		c.Script = l.fill(c.Script)
		if err := s.follow(c); err != nil {
			t.Fatalf("%s:%d: %s\n%v", file, c.Line, c.Script, err)
		}
	}
}

type shell struct {
	t         *testing.T
	reader    *reader
	directory string
	// last is the script that was run last.
	last string
}

// run runs a script to its end, whatever commands before the last one return.
func (s *shell) run(script string) (string, error) {
	ctx, cancel := context.WithTimeout(bed.ctx, 2*patience)
	defer cancel()
	command := exec.CommandContext(ctx, "sh", "-c", script)
	command.Dir = s.directory
	command.Env = append(os.Environ(), "KUBECONFIG="+s.reader.kubeconfig, "HOME="+s.directory, "KUBECTL_KUBERC=false",
		"PATH="+s.reader.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	start := time.Now()
	output, err := command.CombinedOutput()
	if script != s.last {
		s.t.Logf("$ %s   # %.1fs\n%s", script, time.Since(start).Seconds(), output)
		s.last = script
	}
	return string(output), err
}

func (s *shell) mustRun(script string) {
	s.t.Helper()
	if script != "" {
		output, err := s.run("set -eu\n" + script)
		require.NoError(s.t, err, "%s\n%s", script, output)
	}
}

// circumstances shows what keeps a page from going on.
const circumstances = `
kubectl get fc -A -o yaml
kubectl get deployments,replicasets,pods -A
kubectl get events -A --sort-by=.lastTimestamp | tail -n 30
tail -n 30 "$ENGINE_LOG"
`

// explain shows the cluster on which a command failed, which is gone afterwards.
func (s *shell) explain() { _, _ = s.run("ENGINE_LOG='" + s.reader.engine.Log + "'" + circumstances) }

// follow runs a command of a page and compares what it prints. A command that only
// reads is run again until it prints what the page shows, and so is one that asks for a
// kind of which the API server does not know yet: a reader is slower.
func (s *shell) follow(c pages.Command) error {
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Second) {
		err := s.compare(c)
		if err == nil || time.Now().After(deadline) || !c.Reads() && !tooEarly.MatchString(err.Error()) {
			return err
		}
	}
}

var tooEarly = regexp.MustCompile(`ensure CRDs are installed first|the server doesn't have a resource type`)

func (s *shell) compare(c pages.Command) error {
	output, err := s.run(c.Script)
	switch wanted := pages.IsFailure(c.Output); {
	case err != nil && !wanted:
		return fmt.Errorf("%w\n%s", err, output)
	case err == nil && wanted:
		return fmt.Errorf("it does not fail, and the page shows:\n%s", c.Output)
	}
	if c.Output == "" {
		return nil
	}
	if err := pages.Matches(c.Output, output); err != nil {
		return fmt.Errorf("%w\nthe page shows:\n%s\nprinted is:\n%s", err, c.Output, output)
	}
	return nil
}

var nameOfOnesOwn = regexp.MustCompile(`\b[A-Z]+\b`)

// fill replaces words that stand for names of the reader's.
func (l lesson) fill(text string) string {
	return nameOfOnesOwn.ReplaceAllStringFunc(text, func(word string) string {
		if name, known := l.words[word]; known {
			return name
		}
		return word
	})
}
