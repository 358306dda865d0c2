// Command report reads the output of `go test -json` and prints one line for each
// scenario when it ends, one for each other package, and everything that a failed
// test said. It exits with 1 if anything failed.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// event is a line of `go test -json`.
type event struct {
	Action  string
	Package string
	Test    string
	Elapsed float64
	Output  string
}

func main() {
	if !report(os.Stdin, os.Stdout) {
		os.Exit(1)
	}
}

// report copies lines that are no events, which is what `go` itself has to say, and
// returns whether all packages passed, of which there must be one.
func report(in io.Reader, out io.Writer) bool {
	said := map[string]*strings.Builder{}
	parents := map[string]bool{}
	passed, failed := 0, 0
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(out, lines.Text())
			continue
		}
		key := e.Package + " " + e.Test
		switch e.Action {
		case "build-output":
			fmt.Fprint(out, e.Output)
		case "run":
			for i, c := range e.Test {
				if c == '/' {
					parents[e.Package+" "+e.Test[:i]] = true
				}
			}
		case "output":
			if said[key] == nil {
				said[key] = &strings.Builder{}
			}
			said[key].WriteString(e.Output)
		case "pass", "fail", "skip":
			if e.Test == "" {
				if e.Action == "fail" {
					failed++
				} else if e.Action == "pass" {
					passed++
				}
			}
			if e.Test != "" || e.Action != "skip" {
				line(out, e, parents[key], said[key])
			}
			delete(said, key)
		}
	}
	return failed == 0 && passed > 0 && lines.Err() == nil
}

// line prints the end of a scenario or a package. A test that only groups others
// is silent, and so is a package without tests.
func line(out io.Writer, e event, group bool, said *strings.Builder) {
	name, isScenario := e.Package, strings.HasSuffix(e.Package, "/scenarios")
	if e.Test != "" {
		name = strings.TrimPrefix(e.Test, "Test")
	}
	if !group && isScenario == (e.Test != "") || e.Action == "fail" {
		fmt.Fprintf(out, "%-5s %7.1fs  %s\n", strings.ToUpper(e.Action), e.Elapsed, name)
	}
	if e.Action == "fail" && said != nil {
		fmt.Fprint(out, said.String())
	}
}
