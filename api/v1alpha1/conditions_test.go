package v1alpha1_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// vocabulary reads the values of the constants whose name begins with prefix.
func vocabulary(t *testing.T, prefix string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "conditions.go", nil, 0)
	require.NoError(t, err)
	var values []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, isValue := n.(*ast.ValueSpec)
		if !isValue || !strings.HasPrefix(spec.Names[0].Name, prefix) {
			return true
		}
		value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		require.NoError(t, err)
		values = append(values, value)
		return true
	})
	return values
}

// Whoever meets a reason or a condition finds it explained.
func TestTroubleshootingKnowsEveryReason(t *testing.T) {
	page, err := os.ReadFile("../../docs/troubleshooting.md")
	require.NoError(t, err)
	reasons := vocabulary(t, "Reason")
	require.Greater(t, len(reasons), 20)
	for _, reason := range reasons {
		explained := regexp.MustCompile(`(?m)^(### ` + reason + `$|\| ` + reason + ` \| .+ \| .*\|$)`)
		assert.Regexp(t, explained, string(page), reason)
	}
	conditions := vocabulary(t, "Condition")
	require.Len(t, conditions, 8)
	for _, condition := range conditions {
		assert.Regexp(t, `(?m)^\| .*`+condition+`.* \| .+ \|$`, string(page))
	}
}

// Conditions and reasons follow the conventions of metav1.Condition.
func TestReasonsAreWellFormed(t *testing.T) {
	for _, word := range append(vocabulary(t, "Reason"), vocabulary(t, "Condition")...) {
		assert.Regexp(t, `^[A-Z][A-Za-z]{2,60}$`, word)
	}
}
