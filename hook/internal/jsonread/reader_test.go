package jsonread

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// odd are texts on which readers of JSON disagree.
var odd = []string{
	``, ` `, `null`, `nul`, `nullx`, `true`, `tru`, `False`, `"`, `""`, `"\`, `"\x"`, `"\u12"`, `"\u12g4"`, `"\ud800"`, `"\ud83d\ude00"`,
	"\"\x00\"", "\"\x1f\"", "\"\x7f\"", "\"\xff\xfe\"", `"ü€"`, "\"a\nb\"", "\u00a0null", "\ufeffnull", "null\x00",
	`0`, `-0`, `-`, `+1`, `01`, `1.`, `.5`, `1.5e`, `1e+`, `1E-7`, `1e400`, `0x1`, `NaN`, `9223372036854775808`,
	`[]`, `[`, `]`, `[,]`, `[1,]`, `[1 2]`, `[1]]`, `[[[]]]`,
	`{}`, `{`, `}`, `{,}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1 "b":2}`, `{a:1}`, `{"a":1}{}`, `{"a":1,"a":2}`, `{"\u0061":1}`, `{"a":{"b":[{"c":null}]}}`,
	`{"a":1} x`, "{\"a\"\t:\r\n1 }", `{1:2}`, `{null:1}`, `/* */1`,
}

func deep(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// FuzzValid holds what is read and what is skipped against encoding/json.
func FuzzValid(f *testing.F) {
	for _, text := range odd {
		f.Add(text)
	}
	f.Add(deep(maxDepth))
	f.Add(deep(maxDepth + 1))
	f.Fuzz(func(t *testing.T, text string) {
		valid := json.Valid([]byte(text))
		skipping := New(text)
		skipping.Skip()
		require.Equal(t, valid, skipping.End() == nil, "%q: %v", text, skipping.Err())

		reading := New(text)
		got := readAny(reading)
		require.Equal(t, valid, reading.End() == nil, "%q: %v", text, reading.Err())
		if valid {
			var want any
			decoder := json.NewDecoder(strings.NewReader(text))
			decoder.UseNumber()
			require.NoError(t, decoder.Decode(&want))
			require.Equal(t, want, got)
		}
	})
}

// readAny reads a value through the calls that views are made of.
func readAny(r *Reader) any {
	switch r.Kind() {
	case Null:
		r.Null()
		return nil
	case Object:
		object := map[string]any{}
		for name := range r.Members() {
			object[name] = readAny(r)
		}
		return object
	case List:
		list := []any{}
		for range r.Elements() {
			list = append(list, readAny(r))
		}
		return list
	case String:
		var s string
		r.String(&s)
		return s
	case Bool:
		var b bool
		r.Bool(&b)
		return b
	}
	return json.Number(r.Raw())
}

func TestOddTexts(t *testing.T) {
	for _, text := range append(odd, deep(maxDepth), deep(maxDepth+1)) {
		r := New(text)
		r.Skip()
		assert.Equal(t, json.Valid([]byte(text)), r.End() == nil, "%.40q", text)
	}
}

// Each value has to end up as encoding/json would put it there, or be an error where
// that one has an error.
func TestValuesAreThoseOfEncodingJSON(t *testing.T) {
	type target struct {
		Text  string            `json:"text"`
		Flag  bool              `json:"flag"`
		Small int32             `json:"small"`
		Large int64             `json:"large"`
		At    metav1.Time       `json:"at"`
		Map   map[string]string `json:"map"`
	}
	before := target{Text: "before", Flag: true, Small: 1, Large: 2, At: metav1.NewTime(time.Unix(0, 0)), Map: map[string]string{"a": "b"}}
	values := append([]string{
		`"x"`, `"\u003c\n\ud800"`, `false`, `7`, `-7`, `7.0`, `7e0`, `2147483647`, `2147483648`, `-2147483649`, `9223372036854775807`, `9223372036854775808`,
		`"2026-11-30T20:34:47Z"`, `"2026-11-30T20:34:47.123+02:00"`, `"2026-11-30"`, `{"k":"v"}`, `{"k":null}`, `{"k":1}`, `{"k":"v","k":"w"}`, `["k"]`,
	}, odd...)
	for _, member := range []string{"text", "flag", "small", "large", "at", "map"} {
		for _, value := range values {
			text := `{"` + member + `":` + value + `}`
			want := before
			want.Map = map[string]string{"a": "b"}
			wantErr := json.Unmarshal([]byte(text), &want)

			got := before
			got.Map = map[string]string{"a": "b"}
			r := New(text)
			for name := range r.Members() {
				switch name {
				case "text":
					r.String(&got.Text)
				case "flag":
					r.Bool(&got.Flag)
				case "small":
					r.Int32(&got.Small)
				case "large":
					r.Int64(&got.Large)
				case "at":
					r.Time(&got.At)
				case "map":
					r.Strings(&got.Map)
				}
			}
			if wantErr != nil {
				assert.Error(t, r.End(), text)
				continue
			}
			if assert.NoError(t, r.End(), text) {
				assert.Equal(t, want, got, text)
			}
		}
	}
}

func TestALoopNeedNotReadEverything(t *testing.T) {
	r := New(`{"a":[1,{"b":"c"}],"d":"e","f":{}}`)
	var names []string
	var d string
	for name := range r.Members() {
		names = append(names, name)
		if name == "d" {
			r.String(&d)
		}
	}
	require.NoError(t, r.End())
	assert.Equal(t, []string{"a", "d", "f"}, names)
	assert.Equal(t, "e", d)
}

func TestNothingIsReadAfterAnError(t *testing.T) {
	r := New(`{"a":"text","b":2}`)
	var a, b int64 = math.MinInt64, math.MinInt64
	for name := range r.Members() {
		switch name {
		case "a":
			r.Int64(&a)
		case "b":
			r.Int64(&b)
		}
	}
	require.Error(t, r.End())
	assert.Equal(t, int64(math.MinInt64), a)
	assert.Equal(t, int64(math.MinInt64), b)
	assert.False(t, r.Null())
	assert.Empty(t, r.Raw())
}
