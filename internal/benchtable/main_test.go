package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTablesShowMediansRatiosAndGrowth(t *testing.T) {
	const input = `goos: linux
BenchmarkSync/hook=v2/pods=10-2   3   9 sync-allocs   200000 sync-ns  20000 write-ns  100000 valid-ns  800000 map-ns
BenchmarkSync/hook=v2/pods=10-2   3   9 sync-allocs   100000 sync-ns  20000 write-ns  100000 valid-ns  800000 map-ns
BenchmarkSync/hook=v2/pods=10-2   3   9 sync-allocs   900000 sync-ns  20000 write-ns  100000 valid-ns  800000 map-ns
BenchmarkSync/hook=v2/pods=100-2  3   9 sync-allocs  2000000 sync-ns  20000 write-ns 1000000 valid-ns 8000000 map-ns
BenchmarkOther-2                  3   7 ns/op
PASS
`
	var out strings.Builder
	require.NoError(t, run(strings.NewReader(input), &out))
	repeated, tables, _ := strings.Cut(out.String(), "\nOne sync")
	assert.Equal(t, input, repeated)
	assert.Regexp(t, `hook=v2 pods=10 +200 +20 +100 +800 +1.80 +2.00 +0.25 +9`, tables)
	assert.Contains(t, tables, "growth hook=v2 pods from 10 to 100: exponent 1.00")
	assert.NotContains(t, tables, "HTTP", "nothing was measured")
}
