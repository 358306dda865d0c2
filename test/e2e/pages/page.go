// Package pages takes pages of the documentation apart into the commands that they tell
// their readers to run, and compares what the pages say is printed with what is.
package pages

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Page is one Markdown file.
type Page struct {
	// Commands are in the order of the page.
	Commands []Command
	// Files are blocks of YAML that begin with a comment that is the name of a file.
	Files map[string]string
}

// Command is one line for a shell.
type Command struct {
	// Line is where it stands in the page, counted from 1.
	Line int
	// Script is the command; lines that a backslash joins are one.
	Script string
	// Output is what the page says is printed, without space around it. Empty: the page
	// does not say.
	Output string
	// Inline says that it stands in the text, between backticks.
	Inline bool
}

var (
	fence     = regexp.MustCompile("(?ms)^( *)```([a-z]*)\n(.*?)^ *```$")
	codeSpan  = regexp.MustCompile("`([^`]+)`")
	pipeOrAnd = regexp.MustCompile(`\s(?:\||&&|;)\s`)
	fileName  = regexp.MustCompile(`^# ([a-z-]+\.yaml)\n`)
	// Code by indentation says nothing about what it is.
	indented = regexp.MustCompile(`(?m)^    ((?:kubectl|flame-hook|flmctl|make|go|helm|docker|git) .*)$`)
)

// A block is either for a shell, and then the next block of text is what it prints, or
// it has nothing to do with commands.
var languages = []string{"sh", "console", "text", "yaml", "diff", "lua", "go"}

// Parse takes a page apart. A block whose language is unknown, or not given, is an
// error, since nobody can tell whether it has commands.
//
// In a block called sh each line is a command, and a block called text that follows
// directly is what the last one prints. In a block called console lines that begin with "$ " are
// commands, and the other lines what they print. In the text, kubectl with two words or
// more after it is a command.
func Parse(markdown string) (*Page, error) {
	page := &Page{Files: map[string]string{}}
	var printing *Command // may be followed by what it prints
	add := func(offset int, commands ...Command) {
		for _, c := range commands {
			c.Line += strings.Count(markdown[:offset], "\n") + 1
			page.Commands = append(page.Commands, c)
		}
	}
	end := 0
	for _, match := range fence.FindAllStringSubmatchIndex(markdown, -1) {
		indent, language, body := markdown[match[2]:match[3]], markdown[match[4]:match[5]], markdown[match[6]:match[7]]
		body = strings.TrimSuffix(strings.ReplaceAll("\n"+body, "\n"+indent, "\n"), "\n")[1:] + "\n"
		follows := strings.TrimSpace(markdown[end:match[0]]) == ""
		if !slices.Contains(languages, language) {
			return nil, fmt.Errorf("line %d: a block of %q, which is none of %v", strings.Count(markdown[:match[0]], "\n")+1, language, languages)
		}
		add(end, spans(markdown[end:match[0]])...)
		end = match[1]
		switch {
		case language == "sh":
			add(match[6], lines(body)...)
			printing = &page.Commands[len(page.Commands)-1]
			continue
		case language == "console":
			add(match[6], prompts(body)...)
		case language == "text" && follows && printing != nil:
			printing.Output = strings.TrimSpace(body)
		case language == "yaml":
			if name := fileName.FindStringSubmatch(body); name != nil {
				page.Files[name[1]] = body
			}
		}
		printing = nil
	}
	add(end, spans(markdown[end:])...)
	if unmarked := indented.FindStringSubmatch(fence.ReplaceAllString(markdown, "")); unmarked != nil {
		return nil, fmt.Errorf("%q is code by indentation: put it into a block called sh", unmarked[1])
	}
	return page, nil
}

func lines(body string) []Command {
	var found []Command
	joined := ""
	for i, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		if before, more := strings.CutSuffix(line, `\`); more {
			joined += before
			continue
		}
		if line = strings.TrimSpace(joined + line); line != "" {
			found = append(found, Command{Line: i, Script: line})
		}
		joined = ""
	}
	return found
}

func prompts(body string) []Command {
	var found []Command
	for i, line := range strings.Split(body, "\n") {
		if script, isCommand := strings.CutPrefix(line, "$ "); isCommand {
			found = append(found, Command{Line: i, Script: script})
		} else if last := len(found) - 1; last >= 0 {
			found[last].Output = strings.TrimSpace(found[last].Output + "\n" + line)
		}
	}
	return found
}

func spans(prose string) []Command {
	var found []Command
	for _, match := range codeSpan.FindAllStringSubmatchIndex(prose, -1) {
		script := strings.Join(strings.Fields(prose[match[2]:match[3]]), " ")
		if strings.HasPrefix(script, "kubectl ") && strings.Count(script, " ") > 1 {
			found = append(found, Command{Line: strings.Count(prose[:match[0]], "\n"), Script: script, Inline: true})
		}
	}
	return found
}

// Programs are what the command calls.
func (c Command) Programs() []string {
	var found []string
	for _, part := range pipeOrAnd.Split(c.Script, -1) {
		if words := strings.Fields(part); len(words) > 0 {
			found = append(found, words[0])
		}
	}
	return found
}

// Reads says that the command changes nothing, so that it can be run again.
func (c Command) Reads() bool {
	for _, part := range pipeOrAnd.Split(c.Script, -1) {
		words := strings.Fields(part)
		if len(words) < 2 || words[0] != "kubectl" || !slices.Contains([]string{"get", "describe", "explain"}, words[1]) {
			return false
		}
	}
	return true
}
