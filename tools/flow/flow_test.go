package main

import (
	"encoding/xml"
	"errors"
	"html"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// words are the texts of a picture, which has to be XML, and elements how many there
// are of each.
func words(t *testing.T, svg []byte) (text string, elements map[string]int) {
	t.Helper()
	elements = map[string]int{}
	var all []string
	decoder := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return strings.Join(strings.Fields(strings.Join(all, " ")), " "), elements
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			elements[token.Name.Local]++
		case xml.CharData:
			all = append(all, string(token))
		}
	}
}

func TestThePictureShowsAllOfTheText(t *testing.T) {
	text, err := os.ReadFile("../../docs/flow.txt")
	require.NoError(t, err)
	p, err := parse(string(text))
	require.NoError(t, err)
	svg, err := p.draw()
	require.NoError(t, err)
	again, err := p.draw()
	require.NoError(t, err)
	assert.Equal(t, string(svg), string(again))

	shown, elements := words(t, svg)
	assert.Equal(t, len(p.boxes)+1, elements["rect"], "a rectangle for each box, and the ground")
	assert.Equal(t, len(p.arrows), elements["line"])
	assert.Contains(t, shown, p.description)
	assert.Contains(t, string(svg), ">"+html.EscapeString(p.title)+"</title>")
	for _, b := range p.boxes {
		for _, line := range b.lines {
			assert.Contains(t, shown, line)
		}
	}
	for _, a := range p.arrows {
		assert.Contains(t, shown, a.label)
	}
}

const twoBoxes = "title: T\ndescription: D & more\nbox a 1 1 1: A\nbox b 2 1 1: B\n"

func TestArrowsOfOnePairLieBesideOneAnother(t *testing.T) {
	p, err := parse(twoBoxes + "a -> b: go\nb -> a: come\n")
	require.NoError(t, err)
	svg, err := p.draw()
	require.NoError(t, err)
	assert.Contains(t, string(svg), `<line class="line" x1="188" y1="47" x2="356" y2="47"`)
	assert.Contains(t, string(svg), `<line class="line" x1="356" y1="93" x2="188" y2="93"`)
	assert.Contains(t, string(svg), "D &amp; more")
}

func TestWhatCantBeDrawnIsSaid(t *testing.T) {
	for text, message := range map[string]string{
		twoBoxes + "a -> c: go":                              `line 5: no box is called "c" so far`,
		twoBoxes + "a goes to b":                             "line 5: neither a title",
		"box a 1 1 1: A":                                     "a picture has a title",
		"title: T\nbox a 1 1 1: A":                           "a picture has a title",
		twoBoxes + "box c 2 2 1: C\na -> c: go":              "share a row",
		twoBoxes + "box c 1 2 1: " + strings.Repeat("c", 40): "too long for a box",
		twoBoxes + "a -> b: " + strings.Repeat("word ", 30):  "too long for an arrow",
	} {
		p, err := parse(text)
		if err == nil {
			_, err = p.draw()
		}
		assert.ErrorContains(t, err, message, text)
	}
}
