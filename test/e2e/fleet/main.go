// Command fleet measures what many FlameClusters cost that are created at once: on
// an embedded control plane, with Metacontroller (METACONTROLLER_BIN) or its
// stand-in. Each fleet is brought up twice, by flame-hook and by a hook whose answers
// are constant: those which flame-hook gave last. What the second needs nobody can
// save.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/xflops/flame-operator/test/e2e/clientlog"
	"github.com/xflops/flame-operator/test/e2e/controlplane"
	"github.com/xflops/flame-operator/test/e2e/fleet/chart"
	"github.com/xflops/flame-operator/test/e2e/fleet/report"
	"github.com/xflops/flame-operator/test/e2e/sandbox"
)

func main() {
	controlplane.Main()
	b := bench{}
	sizes := flag.String("clusters", "200,1000", "sizes of the fleets, separated by commas")
	flag.DurationVar(&b.patience, "patience", 30*time.Minute, "how long a fleet may take")
	flag.StringVar(&b.docs, "docs", "", "the directory of performance.md, whose section is written anew, and of fleet.svg; empty: print the section only")
	flag.BoolVar(&b.keep, "keep", false, "keep the directory with all logs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := b.run(ctx, *sizes)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		os.Exit(1)
	}
}

type bench struct {
	patience time.Duration
	docs     string
	keep     bool
	dir      string
	binary   string
}

func (b *bench) run(ctx context.Context, list string) error {
	sizes, err := parseSizes(list)
	if err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "flame-fleet-"); err != nil {
		return err
	}
	if b.keep {
		fmt.Fprintln(os.Stderr, "logs are in", b.dir)
	} else {
		defer os.RemoveAll(b.dir)
	}
	if err := clientlog.ToFile(filepath.Join(b.dir, "client-go.log")); err != nil {
		return err
	}
	if b.binary, err = sandbox.Hook(ctx, b.dir); err != nil {
		return err
	}
	var results []report.Result
	for _, size := range sizes {
		pair, err := b.compare(ctx, size)
		if err != nil {
			return err
		}
		results = append(results, pair...)
		// After each size, since the next one takes long and may fail.
		if err := b.write(results); err != nil {
			return err
		}
	}
	fmt.Print(section(results))
	return nil
}

func parseSizes(list string) ([]int, error) {
	var sizes []int
	for _, field := range strings.Split(list, ",") {
		size, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || size < 1 {
			return nil, fmt.Errorf("%q is no number of FlameClusters", field)
		}
		sizes = append(sizes, size)
	}
	return sizes, nil
}

// compare brings a fleet up with both hooks.
func (b *bench) compare(ctx context.Context, size int) ([]report.Result, error) {
	withHook, answers, err := b.fleet(ctx, report.FlameHook, size, nil)
	if err != nil {
		return nil, err
	}
	constant, _, err := b.fleet(ctx, report.Constant, size, answers)
	return []report.Result{withHook, constant}, err
}

// fleet brings a fleet up with one hook, and returns the last answers too.
func (b *bench) fleet(ctx context.Context, hook string, size int, constant map[exchange][]byte) (report.Result, map[exchange][]byte, error) {
	fmt.Fprintf(os.Stderr, "%d FlameClusters, %s\n", size, hook)
	dir := filepath.Join(b.dir, fmt.Sprintf("%s-%d", hook, size))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return report.Result{}, nil, err
	}
	e, err := newEnvironment(ctx, dir, b.binary, constant)
	if err != nil {
		return report.Result{}, nil, err
	}
	defer e.stop()
	result, err := e.measure(ctx, hook, size, b.patience)
	if err == nil && result.Syncs.Failed > 0 {
		err = fmt.Errorf("%d sync calls failed", result.Syncs.Failed)
	}
	return result, e.tap.kept(), err
}

// section is what the documentation says about the results.
func section(results []report.Result) string {
	return fmt.Sprintf("Measured with %s, on %d cores.\n\n%s", engineName(), runtime.NumCPU(), report.Tables(results))
}

// write writes the section of the documentation and the picture, if asked for.
func (b *bench) write(results []report.Result) error {
	if b.docs == "" {
		return nil
	}
	picture, err := chart.Draw("FlameClusters Running over time", "FlameClusters Running", panels(results))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(b.docs, "fleet.svg"), picture, 0o644); err != nil {
		return err
	}
	page := filepath.Join(b.docs, "performance.md")
	content, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	replaced, err := report.Replace(string(content), "![FlameClusters Running over time](fleet.svg)\n\n"+section(results))
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	return os.WriteFile(page, []byte(replaced), 0o644)
}

// panels are one for each size, with a line for each hook.
func panels(results []report.Result) []chart.Panel {
	var all []chart.Panel
	for _, r := range results {
		title := fmt.Sprintf("%d FlameClusters of %d executors", r.Size, executors)
		if len(all) == 0 || all[len(all)-1].Title != title {
			all = append(all, chart.Panel{Title: title})
		}
		last := &all[len(all)-1]
		last.Lines = append(last.Lines, chart.Line{Label: fmt.Sprintf("%s, %.0f s", r.Hook, r.Took().Seconds()), Steps: r.Running})
	}
	return all
}
