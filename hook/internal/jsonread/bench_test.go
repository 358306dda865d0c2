package jsonread

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkSkip reads a recorded request, as the floor for everything else. Valid is
// encoding/json's way to do the same.
func BenchmarkSkip(b *testing.B) {
	raw, err := os.ReadFile("../../../test/golden/requests/v2-sync-steady.json")
	require.NoError(b, err)
	var body bytes.Buffer
	require.NoError(b, json.Compact(&body, raw))
	text := body.String()
	b.Run("by=Skip", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			r := New(text)
			r.Skip()
			if r.End() != nil {
				b.Fatal(r.Err())
			}
		}
	})
	b.Run("by=Valid", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if !json.Valid(body.Bytes()) {
				b.Fatal("invalid")
			}
		}
	})
}
