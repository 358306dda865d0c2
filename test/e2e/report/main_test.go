package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReport(t *testing.T) {
	run := func(lines ...string) (string, bool) {
		var out strings.Builder
		ok := report(strings.NewReader(strings.Join(lines, "\n")), &out)
		return out.String(), ok
	}
	out, ok := run(
		`go: downloading something`,
		`{"Action":"run","Package":"m/scenarios","Test":"TestScale"}`,
		`{"Action":"run","Package":"m/scenarios","Test":"TestScale/one"}`,
		`{"Action":"output","Package":"m/scenarios","Test":"TestScale/one","Output":"chatter\n"}`,
		`{"Action":"pass","Package":"m/scenarios","Test":"TestScale/one","Elapsed":1.25}`,
		`{"Action":"pass","Package":"m/scenarios","Test":"TestScale","Elapsed":1.25}`,
		`{"Action":"pass","Package":"m/scenarios","Elapsed":2}`)
	assert.True(t, ok)
	assert.Equal(t, "go: downloading something\nPASS      1.2s  Scale/one\n", out)

	out, ok = run(
		`{"Action":"run","Package":"m/scenarios","Test":"TestScale"}`,
		`{"Action":"output","Package":"m/scenarios","Test":"TestScale","Output":"too few\n"}`,
		`{"Action":"fail","Package":"m/scenarios","Test":"TestScale","Elapsed":3}`,
		`{"Action":"fail","Package":"m/scenarios","Elapsed":4}`)
	assert.False(t, ok)
	assert.Contains(t, out, "FAIL      3.0s  Scale\ntoo few\n")

	out, ok = run(
		`{"Action":"run","Package":"m/process","Test":"TestStop"}`,
		`{"Action":"pass","Package":"m/process","Test":"TestStop"}`,
		`{"Action":"pass","Package":"m/process","Elapsed":0.5}`,
		`{"Action":"skip","Package":"m/crds"}`)
	assert.True(t, ok)
	assert.Equal(t, "PASS      0.5s  m/process\n", out)

	_, ok = run(`{"Action":"build-output","ImportPath":"m/p","Output":"syntax error\n"}`, `{"Action":"build-fail","ImportPath":"m/p"}`, `{"Action":"fail","Package":"m/scenarios","FailedBuild":"m/p"}`)
	assert.False(t, ok, "a build that fails")
	_, ok = run()
	assert.False(t, ok, "nothing at all")
}
