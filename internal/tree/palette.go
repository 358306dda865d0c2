package tree

import (
	"io"
	"os"
)

// palette colours the parts of a tree, or leaves them as they are.
type palette struct{ coloured bool }

// paletteOf colours what a person reads. See https://no-color.org.
func paletteOf(w io.Writer) palette {
	file, isFile := w.(*os.File)
	if !isFile || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return palette{}
	}
	info, err := file.Stat()
	return palette{coloured: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

func (p palette) kind(text string) string  { return p.with("36", text) } // cyan
func (p palette) name(text string) string  { return p.with("1", text) }  // bold
func (p palette) label(text string) string { return p.with("2", text) }  // dim

// with puts a text between ANSI sequences.
func (p palette) with(attribute, text string) string {
	if !p.coloured {
		return text
	}
	return "\x1b[" + attribute + "m" + text + "\x1b[0m"
}
