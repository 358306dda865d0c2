// Package chart draws how counts grow with time, as SVG: one panel for each group of
// lines, one below the other. Equal input gives equal bytes.
package chart

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"time"
)

// Line is a count that grows by one at each of some times.
type Line struct {
	Label string
	// Steps are the times, in ascending order.
	Steps []time.Duration
}

// Panel is a group of lines that share their axes.
type Panel struct {
	Title string
	// Lines are drawn in this order, at most as many as there are colors.
	Lines []Line
}

// Layout, in pixels.
const (
	width   = 720
	height  = 316 // of a panel
	left    = 64
	right   = 24
	top     = 56
	bottom  = 56
	plotW   = width - left - right
	plotH   = height - top - bottom
	ticks   = 5
	keyLine = 24
	keyStep = plotW / 4
)

// colors are told apart by the color-blind too, on the background's near white.
var colors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7"}

// Draw returns the picture. The background is opaque, so that it can be read on
// light and on dark pages.
func Draw(title, countLabel string, panels []Panel) ([]byte, error) {
	var svg bytes.Buffer
	total := height * len(panels)
	fmt.Fprintf(&svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#24292f\">\n",
		width, total, width, total)
	fmt.Fprintf(&svg, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#f6f8fa\"/>\n", html.EscapeString(title))
	for i, p := range panels {
		if len(p.Lines) > len(colors) {
			return nil, fmt.Errorf("%s: %d lines, at most %d can be told apart", p.Title, len(p.Lines), len(colors))
		}
		p.draw(&svg, i*height, countLabel)
	}
	svg.WriteString("</svg>\n")
	return svg.Bytes(), nil
}

func (p Panel) draw(svg *bytes.Buffer, y int, countLabel string) {
	seconds, count := p.extent()
	xStep, yStep := niceStep(seconds), max(1, niceStep(float64(count)))
	xMax, yMax := math.Ceil(seconds/xStep)*xStep, math.Ceil(float64(count)/yStep)*yStep
	s := scale{originX: left, originY: float64(y + top + plotH), perSecond: plotW / xMax, perCount: plotH / yMax}

	fmt.Fprintf(svg, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>\n", left, y+20, html.EscapeString(p.Title))
	for v := 0.0; v <= yMax+yStep/2; v += yStep {
		gy := s.y(v)
		fmt.Fprintf(svg, "<path d=\"M%d %sH%d\" stroke=\"#d0d7de\"/>\n", left, number(gy), left+plotW)
		fmt.Fprintf(svg, "<text x=\"%d\" y=\"%s\" text-anchor=\"end\">%s</text>\n", left-8, number(gy+4), number(v))
	}
	for v := 0.0; v <= xMax+xStep/2; v += xStep {
		gx := s.x(v)
		fmt.Fprintf(svg, "<path d=\"M%s %dv5\" stroke=\"#57606a\"/>\n", number(gx), y+top+plotH)
		fmt.Fprintf(svg, "<text x=\"%s\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", number(gx), y+top+plotH+19, number(v))
	}
	fmt.Fprintf(svg, "<path d=\"M%d %dv%dh%d\" fill=\"none\" stroke=\"#57606a\"/>\n", left, y+top, plotH, plotW)
	fmt.Fprintf(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">time in s</text>\n", left+plotW/2, y+top+plotH+40)
	fmt.Fprintf(svg, "<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n", y+top+plotH/2, html.EscapeString(countLabel))
	for i, l := range p.Lines {
		fmt.Fprintf(svg, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", s.path(l.Steps), colors[i])
		kx, ky := left+i*keyStep, y+top-16
		fmt.Fprintf(svg, "<path d=\"M%d %dh%d\" stroke=\"%s\" stroke-width=\"2\"/>\n", kx, ky-4, keyLine, colors[i])
		fmt.Fprintf(svg, "<text x=\"%d\" y=\"%d\">%s</text>\n", kx+keyLine+8, ky, html.EscapeString(l.Label))
	}
}

// extent is the last time, in seconds, and the highest count of a panel.
func (p Panel) extent() (seconds float64, count int) {
	seconds = 1
	for _, l := range p.Lines {
		count = max(count, len(l.Steps))
		if n := len(l.Steps); n > 0 {
			seconds = max(seconds, l.Steps[n-1].Seconds())
		}
	}
	return seconds, max(count, 1)
}

// scale turns times and counts into pixels.
type scale struct{ originX, originY, perSecond, perCount float64 }

func (s scale) x(seconds float64) float64 { return s.originX + seconds*s.perSecond }
func (s scale) y(count float64) float64   { return s.originY - count*s.perCount }

// path is a staircase. Steps less than a pixel apart are drawn as one.
func (s scale) path(steps []time.Duration) string {
	var d bytes.Buffer
	fmt.Fprintf(&d, "M%s %s", number(s.x(0)), number(s.y(0)))
	drawn := s.x(0)
	for i, step := range steps {
		x := s.x(step.Seconds())
		if i+1 < len(steps) && s.x(steps[i+1].Seconds())-drawn < 1 {
			continue
		}
		drawn = x
		fmt.Fprintf(&d, "H%sV%s", number(x), number(s.y(float64(i+1))))
	}
	return d.String()
}

// niceStep is 1, 2 or 5 times a power of ten, so that a handful of them reach the
// given value.
func niceStep(value float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(value/ticks)))
	for _, factor := range []float64{1, 2, 5} {
		if value <= ticks*factor*power {
			return factor * power
		}
	}
	return 10 * power
}

// number writes a number with at most one digit behind the point.
func number(v float64) string {
	return fmt.Sprintf("%g", math.Round(v*10)/10)
}
