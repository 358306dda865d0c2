// Command benchtable prints what the benchmarks on its standard input measured as
// tables with ratios. It repeats its input first, so that benchstat can read what it
// prints.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "benchtable:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	var results results
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if _, err := fmt.Fprintln(out, lines.Text()); err != nil {
			return err
		}
		results.add(lines.Text())
	}
	if err := lines.Err(); err != nil {
		return err
	}
	for _, t := range tables {
		if err := t.print(out, &results); err != nil {
			return err
		}
	}
	return nil
}

// results are the measured values by benchmark and unit, of every run.
type results struct {
	names  []string
	values map[string]map[string][]float64
}

// add reads a line such as "BenchmarkX/pods=10-2  100  5 ns/op  7 sync-ns"; others
// are passed over.
func (r *results) add(line string) {
	fields := strings.Fields(line)
	if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
		return
	}
	name := fields[0]
	if dash := strings.LastIndex(name, "-"); dash > 0 {
		name = name[:dash]
	}
	if r.values == nil {
		r.values = map[string]map[string][]float64{}
	}
	if r.values[name] == nil {
		r.values[name] = map[string][]float64{}
		r.names = append(r.names, name)
	}
	for i := 2; i+1 < len(fields); i += 2 {
		if value, err := strconv.ParseFloat(fields[i], 64); err == nil {
			r.values[name][fields[i+1]] = append(r.values[name][fields[i+1]], value)
		}
	}
}

// median is NaN when nothing was measured.
func (r *results) median(name, unit string) float64 {
	all := slices.Clone(r.values[name][unit])
	if len(all) == 0 {
		return math.NaN()
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// table shows the benchmarks with a prefix, one a line.
type table struct {
	title, prefix string
	columns       []column
	// size and cost, if given, are the key in the names and the unit of which the
	// growth is told.
	size, cost string
}

type column struct {
	head  string
	value func(of func(unit string) float64) string
}

func micros(unit string) func(func(string) float64) string {
	return func(of func(string) float64) string { return fmt.Sprintf("%.0f", of(unit)/1000) }
}

func number(unit string) func(func(string) float64) string {
	return func(of func(string) float64) string { return fmt.Sprintf("%.0f", of(unit)) }
}

func ratio(above func(func(string) float64) float64, below string) func(func(string) float64) string {
	return func(of func(string) float64) string { return fmt.Sprintf("%.2f", above(of)/of(below)) }
}

func just(unit string) func(func(string) float64) float64 {
	return func(of func(string) float64) float64 { return of(unit) }
}

func syncWithoutWriting(of func(string) float64) float64 { return of("sync-ns") - of("write-ns") }

var tables = []table{
	{
		title: "One sync, from request bytes to answer bytes", prefix: "BenchmarkSync/",
		columns: []column{
			{"sync µs", micros("sync-ns")},
			{"write µs", micros("write-ns")},
			{"json.Valid µs", micros("valid-ns")},
			{"map µs", micros("map-ns")},
			{"(sync-write)/Valid", ratio(syncWithoutWriting, "valid-ns")},
			{"sync/Valid", ratio(just("sync-ns"), "valid-ns")},
			{"sync/map", ratio(just("sync-ns"), "map-ns")},
			{"allocations", number("sync-allocs")},
		},
		size: "pods", cost: "sync-ns",
	},
	{
		title: "Executors, without pods in view", prefix: "BenchmarkExecutors/",
		columns: []column{{"sync µs", micros("sync-ns")}, {"allocations", number("sync-allocs")}},
		size:    "executors", cost: "sync-ns",
	},
	{
		title: "HTTP on loopback", prefix: "BenchmarkConnections/",
		columns: []column{
			{"hook req/s", number("hook-req/s")},
			{"p50 µs", micros("hook-p50-ns")},
			{"p99 µs", micros("hook-p99-ns")},
			{"constant req/s", number("constant-req/s")},
			{"p50 µs", micros("constant-p50-ns")},
			{"p99 µs", micros("constant-p99-ns")},
			{"json.Valid req/s", number("valid-req/s")},
			{"hook/constant", ratio(just("hook-req/s"), "constant-req/s")},
			{"hook/Valid", ratio(just("hook-req/s"), "valid-req/s")},
		},
	},
	{
		title: "Memory of the process", prefix: "BenchmarkMemory/",
		columns: []column{{"resident MiB", number("resident-MiB")}},
	},
}

func (t table) print(out io.Writer, r *results) error {
	var names []string
	for _, name := range r.names {
		if strings.HasPrefix(name, t.prefix) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\n%s (medians)\n\t", t.title)
	for _, c := range t.columns {
		fmt.Fprintf(w, "%s\t", c.head)
	}
	for _, name := range names {
		fmt.Fprintf(w, "\n%s\t", strings.ReplaceAll(strings.TrimPrefix(name, t.prefix), "/", " "))
		for _, c := range t.columns {
			fmt.Fprintf(w, "%s\t", c.value(func(unit string) float64 { return r.median(name, unit) }))
		}
	}
	fmt.Fprintln(w)
	t.growth(w, r, names)
	return w.Flush()
}

// growth says how the cost grows with the size: the exponent between a benchmark and
// the one before it that differs in the size only. 0 is constant, 1 is linear.
func (t table) growth(w io.Writer, r *results, names []string) {
	last := map[string]string{}
	for _, name := range names {
		size, rest := t.sizeIn(name)
		before, found := last[rest]
		last[rest] = name
		smaller, _ := t.sizeIn(before)
		if !found || smaller == 0 || size == 0 {
			continue
		}
		exponent := math.Log(r.median(name, t.cost)/r.median(before, t.cost)) / math.Log(size/smaller)
		fmt.Fprintf(w, "growth %s %s from %.0f to %.0f: exponent %.2f\n", rest, t.size, smaller, size, exponent)
	}
}

// sizeIn splits a name into the size and everything else.
func (t table) sizeIn(name string) (size float64, rest string) {
	var others []string
	for _, part := range strings.Split(strings.TrimPrefix(name, t.prefix), "/") {
		key, value, _ := strings.Cut(part, "=")
		if n, err := strconv.ParseFloat(value, 64); t.size != "" && key == t.size && err == nil {
			size = n
			continue
		}
		others = append(others, part)
	}
	return size, cmp.Or(strings.Join(others, " "), "with")
}
