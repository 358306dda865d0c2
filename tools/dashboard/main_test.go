package main

import (
	"encoding/json"
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

func TestEveryPanelIsInThePicture(t *testing.T) {
	text, err := os.ReadFile("../../manifests/components/monitoring/dashboard.json")
	require.NoError(t, err)
	picture, err := draw(text)
	require.NoError(t, err)

	decoder := xml.NewDecoder(strings.NewReader(string(picture)))
	boxes := 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err, "the picture is XML")
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "rect" {
			boxes++
		}
	}
	var d dashboard
	require.NoError(t, json.Unmarshal(text, &d))
	panels := 0
	for _, p := range d.Panels {
		if p.Type != "row" {
			panels++
		}
		for _, word := range strings.Fields(p.Title) {
			assert.Contains(t, string(picture), html.EscapeString(word))
		}
	}
	assert.Equal(t, panels+1, boxes, "panels and the background")
}

func TestTitlesAreEscapedAndWrapped(t *testing.T) {
	picture, err := draw([]byte(`{"title":"a & b","panels":[{"title":"less < more than this fits","type":"stat","gridPos":{"h":4,"w":3,"x":0,"y":0}}]}`))
	require.NoError(t, err)
	assert.Contains(t, string(picture), "a &amp; b")
	assert.Contains(t, string(picture), "less &lt; more")
	assert.NotContains(t, string(picture), "more than this fits")
	_, err = draw([]byte("{"))
	assert.Error(t, err)
}
