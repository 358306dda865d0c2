package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// picture is what a text describes.
type picture struct {
	title, description string
	boxes              []box
	arrows             []arrow
}

// box lies on a grid whose columns and rows are counted from 1.
type box struct {
	name              string
	column, row, rows int
	lines             []string
}

type arrow struct{ from, to, label string }

var (
	boxLine   = regexp.MustCompile(`^box (\w+) +(\d) (\d) (\d): (.+)$`)
	arrowLine = regexp.MustCompile(`^(\w+) -> (\w+): (.+)$`)
)

func parse(text string) (*picture, error) {
	p := &picture{}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := p.add(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return p, nil
}

func (p *picture) add(line string) error {
	if title, is := strings.CutPrefix(line, "title: "); is {
		p.title = title
		return nil
	}
	if description, is := strings.CutPrefix(line, "description: "); is {
		p.description = description
		return nil
	}
	if m := boxLine.FindStringSubmatch(line); m != nil {
		b := box{name: m[1], column: number(m[2]), row: number(m[3]), rows: number(m[4])}
		for part := range strings.SplitSeq(m[5], "|") {
			b.lines = append(b.lines, strings.TrimSpace(part))
		}
		p.boxes = append(p.boxes, b)
		return nil
	}
	if m := arrowLine.FindStringSubmatch(line); m != nil {
		for _, name := range m[1:3] {
			if p.box(name) == nil {
				return fmt.Errorf("no box is called %q so far", name)
			}
		}
		p.arrows = append(p.arrows, arrow{m[1], m[2], m[3]})
		return nil
	}
	return fmt.Errorf("neither a title, a description, a box nor an arrow: %s", line)
}

// number is the value of a digit.
func number(digit string) int {
	n, _ := strconv.Atoi(digit)
	return n
}

func (p *picture) box(name string) *box {
	for i := range p.boxes {
		if p.boxes[i].name == name {
			return &p.boxes[i]
		}
	}
	return nil
}
