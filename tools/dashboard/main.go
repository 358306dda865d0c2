// Command dashboard draws the layout of a Grafana dashboard as SVG: its panels, as
// they lie on the grid, with title, kind and unit.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
)

// The size of a cell of Grafana's grid of 24 columns, and of the text, in pixels.
const (
	columns    = 24
	cellWidth  = 40
	cellHeight = 20
	gap        = 6
	letter     = 7
)

func main() {
	in := flag.String("in", "", "file with the dashboard, as JSON")
	out := flag.String("out", "", "file to write")
	flag.Parse()
	if err := run(*in, *out); err != nil {
		fmt.Fprintln(os.Stderr, "dashboard:", err)
		os.Exit(1)
	}
}

func run(in, out string) error {
	text, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	picture, err := draw(text)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(out, picture, 0o644)
}

// dashboard is what the picture shows of a Grafana dashboard.
type dashboard struct {
	Title  string  `json:"title"`
	Panels []panel `json:"panels"`
}

type panel struct {
	Title       string `json:"title"`
	Type        string `json:"type"`
	GridPos     struct{ H, W, X, Y int }
	FieldConfig struct {
		Defaults struct{ Unit string }
	}
}

func draw(text []byte) ([]byte, error) {
	var d dashboard
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	rows := 0
	for _, p := range d.Panels {
		rows = max(rows, p.GridPos.Y+p.GridPos.H)
	}
	var svg bytes.Buffer
	fmt.Fprintf(&svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n", columns*cellWidth+gap, rows*cellHeight+gap)
	fmt.Fprintf(&svg, "<title>Layout of the dashboard %s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#f4f5f5\"/>\n", html.EscapeString(d.Title))
	for _, p := range d.Panels {
		p.draw(&svg)
	}
	svg.WriteString("</svg>\n")
	return svg.Bytes(), nil
}

func (p panel) draw(svg *bytes.Buffer) {
	x, y := p.GridPos.X*cellWidth+gap, p.GridPos.Y*cellHeight+gap
	width, height := p.GridPos.W*cellWidth-gap, p.GridPos.H*cellHeight-gap
	if p.Type == "row" {
		fmt.Fprintf(svg, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>\n", x, y+12, html.EscapeString(p.Title))
		return
	}
	fmt.Fprintf(svg, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#ffffff\" stroke=\"#c7d0d9\"/>\n", x, y, width, height)
	lines := wrap(p.Title, (width-2*gap)/letter)
	for i, line := range lines {
		fmt.Fprintf(svg, "<text x=\"%d\" y=\"%d\">%s</text>\n", x+gap, y+16+i*15, html.EscapeString(line))
	}
	kind := strings.Trim(p.Type+", "+p.FieldConfig.Defaults.Unit, ", ")
	fmt.Fprintf(svg, "<text x=\"%d\" y=\"%d\" fill=\"#6e7c89\" font-size=\"10\">%s</text>\n", x+gap, y+height-gap, html.EscapeString(kind))
}

// wrap breaks text into lines of at most width letters, longer words aside.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
