package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func steps(seconds ...float64) []time.Duration {
	var all []time.Duration
	for _, s := range seconds {
		all = append(all, time.Duration(s*float64(time.Second)))
	}
	return all
}

func TestDraw(t *testing.T) {
	panels := []Panel{
		{Title: "2 clusters", Lines: []Line{{"flame-hook", steps(10, 30)}, {"answers < constant", steps(5, 20)}}},
		{Title: "1 cluster", Lines: []Line{{"flame-hook", steps(0.2)}}},
	}
	picture, err := Draw("Clusters & time", "clusters Running", panels)
	require.NoError(t, err)
	again, err := Draw("Clusters & time", "clusters Running", panels)
	require.NoError(t, err)
	assert.Equal(t, picture, again, "equal input, equal bytes")

	var texts []string
	decoder := xml.NewDecoder(strings.NewReader(string(picture)))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err, "the picture is XML")
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			texts = append(texts, string(text))
		}
	}
	for _, text := range []string{"Clusters & time", "2 clusters", "1 cluster", "flame-hook", "answers < constant", "time in s", "clusters Running"} {
		assert.Contains(t, texts, text)
	}
	// 30 s in steps of 10 s are 632 pixels wide, 2 clusters 204 high.
	assert.Contains(t, string(picture), `d="M64 260H274.7V158H696V56"`, "flame-hook, with 10 and with 30 s")
	assert.Contains(t, string(picture), `d="M64 260H169.3V158H485.3V56"`, "the constant one, with 5 and with 20 s")
}

func TestDrawOfNothing(t *testing.T) {
	picture, err := Draw("", "", []Panel{{Lines: []Line{{Label: "no cluster runs"}}}})
	require.NoError(t, err)
	assert.NotContains(t, string(picture), "NaN")
	assert.NotContains(t, string(picture), "Inf")
}

func TestDrawOfTooManyLines(t *testing.T) {
	_, err := Draw("", "", []Panel{{Lines: make([]Line, len(colors)+1)}})
	assert.Error(t, err)
}

func TestStepsWithinAPixelAreOne(t *testing.T) {
	many := make([]time.Duration, 1000)
	for i := range many {
		many[i] = time.Duration(i+1) * time.Millisecond
	}
	picture, err := Draw("", "", []Panel{{Lines: []Line{{"close together", many}, {"far away", steps(1000)}}}})
	require.NoError(t, err)
	assert.Less(t, len(picture), 5000)
	assert.Contains(t, string(picture), "V56", "the last step is there")
}

func TestNiceStep(t *testing.T) {
	for value, step := range map[float64]float64{1: 0.2, 5: 1, 6: 2, 200: 50, 230: 50, 1000: 200, 0.3: 0.1} {
		assert.InDelta(t, step, niceStep(value), 1e-9, "%g", value)
	}
}
