package main

import (
	"bytes"
	"fmt"
	"html"
	"strings"
)

// Lengths in pixels. A letter is as wide as one of a sans-serif font of 12 pixels is
// on average, with some room.
const (
	margin    = 16
	boxWidth  = 172
	boxHeight = 92
	columnGap = 168
	rowGap    = 56
	letter    = 7
	lineStep  = 16
)

// The picture has a ground of its own, so that it is readable whatever page it stands on.
const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title description" font-family="sans-serif" font-size="12">
<title id="title">%s</title>
<desc id="description">%s</desc>
<style>
.ground { fill: #ffffff } .box { fill: #f3f6fa; stroke: #57708c } .line { stroke: #57708c; stroke-width: 1.5 } .tip { fill: #57708c }
text { fill: #1c2733; text-anchor: middle } .name { font-size: 14px; font-weight: bold }
@media (prefers-color-scheme: dark) {
.ground { fill: #0f151c } .box { fill: #1b2530; stroke: #8aa3bd } .line { stroke: #8aa3bd } .tip { fill: #8aa3bd }
text { fill: #e4ebf2 }
}
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>
<rect class="ground" width="100%%" height="100%%" rx="8"/>
`

func (p *picture) draw() ([]byte, error) {
	if p.title == "" || p.description == "" {
		return nil, fmt.Errorf("a picture has a title and a description, for those who can't see it")
	}
	width, height := 0, 0
	for _, b := range p.boxes {
		width, height = max(width, b.right()+margin), max(height, b.bottom()+margin)
	}
	var svg bytes.Buffer
	fmt.Fprintf(&svg, head, width, height, html.EscapeString(p.title), html.EscapeString(p.description))
	for i := range p.boxes {
		if err := p.boxes[i].draw(&svg); err != nil {
			return nil, err
		}
	}
	for i := range p.arrows {
		if err := p.drawArrow(&svg, i); err != nil {
			return nil, err
		}
	}
	svg.WriteString("</svg>\n")
	return svg.Bytes(), nil
}

func (b *box) left() int   { return margin + (b.column-1)*(boxWidth+columnGap) }
func (b *box) right() int  { return b.left() + boxWidth }
func (b *box) top() int    { return margin + (b.row-1)*(boxHeight+rowGap) }
func (b *box) bottom() int { return b.top() + b.rows*boxHeight + (b.rows-1)*rowGap }
func (b *box) middle() int { return b.left() + boxWidth/2 }

func (b *box) draw(svg *bytes.Buffer) error {
	fmt.Fprintf(svg, "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", b.left(), b.top(), boxWidth, b.bottom()-b.top())
	y := (b.top()+b.bottom())/2 - (len(b.lines)-1)*lineStep/2 + 4
	for i, line := range b.lines {
		if len(line)*letter > boxWidth {
			return fmt.Errorf("too long for a box: %s", line)
		}
		class := ""
		if i == 0 {
			class = ` class="name"`
		}
		fmt.Fprintf(svg, "<text%s x=\"%d\" y=\"%d\">%s</text>\n", class, b.middle(), y+i*lineStep, html.EscapeString(line))
	}
	return nil
}

// drawArrow draws the arrow with that index. Those between the same two boxes lie beside
// one another.
func (p *picture) drawArrow(svg *bytes.Buffer, index int) error {
	a := p.arrows[index]
	from, to := p.box(a.from), p.box(a.to)
	place, count := 0, 0
	for i, other := range p.arrows {
		if other.from == a.from && other.to == a.to || other.from == a.to && other.to == a.from {
			count++
			if i < index {
				place++
			}
		}
	}
	top, bottom := max(from.top(), to.top()), min(from.bottom(), to.bottom())
	if top < bottom {
		y := top + (bottom-top)*(2*place+1)/(2*count) + lineStep/2
		start, end := from.right(), to.left()
		if from.column > to.column {
			start, end = from.left(), to.right()
		}
		line(svg, start, y, end, y)
		return label(svg, (start+end)/2, y-6, a.label)
	}
	if from.column != to.column || count > 1 {
		return fmt.Errorf("%s -> %s: arrows join boxes that share a row, or one pair of boxes in a column once", a.from, a.to)
	}
	start, end := from.bottom(), to.top()
	if from.row > to.row {
		start, end = from.top(), to.bottom()
	}
	line(svg, from.middle(), start, to.middle(), end)
	return label(svg, from.middle()+len(a.label)*letter/2+2, (start+end)/2+4, a.label)
}

func line(svg *bytes.Buffer, x1, y1, x2, y2 int) {
	fmt.Fprintf(svg, "<line class=\"line\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" marker-end=\"url(#tip)\"/>\n", x1, y1, x2, y2)
}

// label writes upwards from its last line, which is at y.
func label(svg *bytes.Buffer, x, y int, text string) error {
	var lines []string
	for _, word := range strings.Fields(text) {
		if last := len(lines) - 1; last >= 0 && (len(lines[last])+1+len(word))*letter <= columnGap-12 {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	if len(lines) > 2 {
		return fmt.Errorf("too long for an arrow: %s", text)
	}
	for i, part := range lines {
		fmt.Fprintf(svg, "<text x=\"%d\" y=\"%d\">%s</text>\n", x, y-(len(lines)-1-i)*(lineStep-2), html.EscapeString(part))
	}
	return nil
}
