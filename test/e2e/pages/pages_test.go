package pages

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const example = "# Page\n\nLook with `kubectl get\nfc`, or `kubectl apply`:\n\n" +
	"```sh\nkubectl apply -f a.yaml   # now\nkubectl get fc \\\n  -A\n```\n\n```text\nNAME   AGE\na      1s\n```\n\n" +
	"- in a list:\n\n  ```console\n  $ flame-hook version\n  v1\n  $ kubectl get fc -o yaml | flame-hook render -f -\n  ```\n\n" +
	"```yaml\n# reset.yaml\nkind: Pod\n```\n"

func TestParse(t *testing.T) {
	page, err := Parse(example)
	require.NoError(t, err)
	assert.Equal(t, []Command{
		{Line: 3, Script: "kubectl get fc", Inline: true},
		{Line: 7, Script: "kubectl apply -f a.yaml   # now"},
		{Line: 9, Script: "kubectl get fc   -A", Output: "NAME   AGE\na      1s"},
		{Line: 20, Script: "flame-hook version", Output: "v1"},
		{Line: 22, Script: "kubectl get fc -o yaml | flame-hook render -f -"},
	}, page.Commands)
	assert.Equal(t, map[string]string{"reset.yaml": "# reset.yaml\nkind: Pod\n"}, page.Files)
	assert.Equal(t, []string{"kubectl", "flame-hook"}, page.Commands[4].Programs())
	assert.True(t, page.Commands[0].Reads())
	assert.False(t, page.Commands[1].Reads())
	assert.False(t, page.Commands[4].Reads())
}

func TestParseRefusesWhatCouldHideCommands(t *testing.T) {
	for _, markdown := range []string{
		"```\nkubectl get fc\n```\n",
		"```bash\nkubectl get fc\n```\n",
		"Run\n\n    kubectl get fc\n",
	} {
		_, err := Parse(markdown)
		assert.Error(t, err, markdown)
	}
}

func TestMatches(t *testing.T) {
	const pods = "NAME                 READY   RESTARTS   AGE\nexecutor-6f7dd4b785-8gdfr   1/1     0   5s\n"
	for _, test := range []struct {
		name, shown, printed string
		matches              bool
	}{
		{"the same", pods, pods, true},
		{"other pods", "NAME                 READY   AGE\na-6f7dd4b785-8gdfr   1/1     5s", "NAME                 READY   AGE\na-78d7794746-2fj6q   1/1     1m2s", true},
		{"a row more", "NAME   READY\na      1/1", "NAME   READY\na      1/1\nb      1/1", false},
		{"another value", "NAME   READY\na      1/1", "NAME   READY\na      0/1", false},
		{"another column", "NAME   READY\na      1/1", "NAME   STATE\na      1/1", false},
		{"a column without a value", "NAME   VERSION   AGE\na                2s", "NAME   VERSION   AGE\na      0.6.0     2s", false},
		{"a state that passes", "NAME   STATE     READY\na      Pending   0", "NAME   STATE     READY\na      Running   1", true},
		{"one table of two", "NAME   READY\na      1/1", "NAME   READY\na      1/1\n\nNAME   DATA\nb      1", false},
		{"lines left out", "one\nthree", "one\ntwo\nthree", true},
		{"another order", "three\none", "one\ntwo\nthree", true},
		{"more often", "one\none", "one\ntwo", false},
		{"a line that is not there", "four", "one", false},
		{"another time and space", "at 2026-11-30T20:58:04Z:  x", "at 2027-01-02T03:04:05Z: x", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := Matches(test.shown, test.printed)
			assert.Equal(t, test.matches, err == nil, "%v", err)
		})
	}
}

func TestIsFailure(t *testing.T) {
	assert.True(t, IsFailure(`Error from server: no`))
	assert.True(t, IsFailure(`The FlameCluster "my-flame" is invalid: no`))
	assert.False(t, IsFailure("namespace/a created"))
}
