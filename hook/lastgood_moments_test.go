package hook_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/hook"
	"github.com/xflops/flame-operator/internal/rehearsal"
)

// Whenever it comes, an invalid edit is answered with the children that the last good
// spec would have been answered with: while a cluster comes up, is suspended, resumes,
// scales or rolls out.
func TestABadEditMeansNothingAtAnyMoment(t *testing.T) {
	const base = `sessionManager: {policy: fair}, executorManager: {podDisruptionBudget: {}}`
	story := []string{
		`{replicas: 3, ` + base + `}`,
		`{replicas: 5, ` + base + `}`,
		`{replicas: 5, suspend: true, ` + base + `}`,
		`{replicas: 4, ` + base + `}`,
		`{replicas: 4, restartedAt: a, networkPolicy: {enabled: true}, ` + base + `}`,
		`{replicas: 0, objectCache: {enabled: false}, ` + base + `}`,
		`{replicas: 2, ` + base + `}`,
	}
	c := rehearsal.New("team", "my-flame", nil)
	for _, good := range story {
		c.Edit(spec(good))
		sync(t, c, noon) // the good spec is recorded, and so is what it wants in the status
		for round := range 4 {
			want := children(t, answerTo(t, c.Request(), noon))
			c.Edit(spec(`{replicas: 9, suspend: true, sessionManager: {policy: zzz}}`))
			request, err := hook.DecodeRequest(c.Request())
			require.NoError(t, err)
			require.NotEmpty(t, hook.Judge("my-flame", request.Parent.Spec).Errors)
			assert.Equalf(t, want, children(t, answerTo(t, c.Request(), noon)), "%s, round %d", good, round)
			c.Edit(spec(good))
			if round%2 == 0 {
				c.Ready()
			}
			sync(t, c, noon)
		}
	}
}
