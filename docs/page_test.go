package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// page is one Markdown file, taken apart.
type page struct {
	file   string
	prose  string   // without fenced blocks
	blocks []string // the fenced blocks
}

var fence = regexp.MustCompile("(?ms)^( *)```[a-z]*\n(.*?)^ *```$")

func pages(t *testing.T) []page {
	t.Helper()
	files, err := filepath.Glob("*.md")
	require.NoError(t, err)
	var all []page
	for _, file := range append(files, "../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md") {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		p := page{file: file, prose: fence.ReplaceAllString(string(text), "")}
		for _, match := range fence.FindAllStringSubmatch(string(text), -1) {
			p.blocks = append(p.blocks, regexp.MustCompile("(?m)^"+match[1]).ReplaceAllString(match[2], ""))
		}
		all = append(all, p)
	}
	return all
}

var (
	codeSpan     = regexp.MustCompile("`([^`]+)`")
	indentedLine = regexp.MustCompile(`(?m)^    (\S.*)$`)
)

// spans are the pieces of code in the prose.
func (p page) spans() []string {
	var found []string
	for _, pattern := range []*regexp.Regexp{codeSpan, indentedLine} {
		for _, match := range pattern.FindAllStringSubmatch(p.prose, -1) {
			found = append(found, strings.Join(strings.Fields(match[1]), " "))
		}
	}
	return found
}

// command is a command line with the output that the page shows for it. Only blocks
// with a prompt show some.
type command struct {
	line, output string
	shown        bool
}

// commands are all lines that call a program.
func (p page) commands(program string) []command {
	calls := regexp.MustCompile(`(^|\| )(bin/)?` + program + " ")
	var found []command
	add := func(c command) {
		c.line, _, _ = strings.Cut(c.line, " #")
		if calls.MatchString(c.line) {
			found = append(found, c)
		}
	}
	for _, block := range p.blocks {
		if !strings.HasPrefix(block, "$ ") {
			for line := range strings.Lines(block) {
				add(command{line: strings.TrimSpace(line)})
			}
			continue
		}
		for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
			line, output, _ := strings.Cut(part, "\n")
			add(command{line, strings.TrimSpace(output), true})
		}
	}
	for _, span := range p.spans() {
		add(command{line: span})
	}
	return found
}
