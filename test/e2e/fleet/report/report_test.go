package report

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/test/e2e/process"
)

func measured() []Result {
	used := func(seconds, mebibytes int) *process.Usage {
		return &process.Usage{CPU: time.Duration(seconds) * time.Second, PeakMemory: int64(mebibytes) << 20}
	}
	control := Used{Engine: used(20, 100), APIServer: *used(60, 900), Controllers: *used(16, 200)}
	withHook := control
	withHook.Hook = used(4, 30)
	return []Result{
		{
			Hook: FlameHook, Size: 200, Running: []time.Duration{10 * time.Second, 42 * time.Second},
			Syncs: Syncs{All: 1200, Asked: 120, Late: 3, LateNews: 2}, Requests: Requests{Engine: 2000, Others: 4000}, Used: withHook,
		},
		{Hook: Constant, Size: 200, Syncs: Syncs{All: 1000}, Used: control},
	}
}

func TestTables(t *testing.T) {
	text := Tables(measured())
	for _, row := range []string{
		"| 200 | flame-hook | 42 s | 1200 | 6.00 | 120 | 3 | 2 | 0 | 30.0 | 10.0 |\n",
		"| 200 | flame-hook | 4.0 s | 20.0 s | 60.0 s | 16.0 s | 4.0 % | 16.7 % | 30 MiB | 100 MiB | 900 MiB |\n",
		"| 200 | constant | - | 20.0 s | 60.0 s | 16.0 s | - | - | - | 100 MiB | 900 MiB |\n",
		"| at most 1.1 x the sync calls of the constant hook | 200 | 1.20 x | no |\n",
		"| the same, those asked for aside | 200 | 1.08 x | yes |\n",
		"| no sync call once a cluster is Running, those asked for aside | 200 | 3 | no |\n",
		"| hook's share of the CPU below 5 % | 200 | 4.0 % | yes |\n",
	} {
		assert.Contains(t, text, row)
	}
}

func TestGoalsWithoutAnythingToCompareWith(t *testing.T) {
	results := measured()[:1]
	results[0].Used.Engine = nil
	results[0].Syncs.Late = 0
	text := Tables(results)
	assert.NotContains(t, text, "1.1 x")
	assert.NotContains(t, text, "share of the CPU")
	assert.Contains(t, text, "| no sync call once a cluster is Running, those asked for aside | 200 | 0 | yes |\n")
}

func TestReplace(t *testing.T) {
	page := "# Page\n\n" + begin + "\nold\n" + end + "\n\nmore\n"
	once, err := Replace(page, "new\n")
	require.NoError(t, err)
	assert.Equal(t, "# Page\n\n"+begin+"\n\nnew\n\n"+end+"\n\nmore\n", once)
	twice, err := Replace(once, "new")
	require.NoError(t, err)
	assert.Equal(t, once, twice)

	for _, broken := range []string{"# Page\n", begin + "\n", end + "\n" + begin + "\n"} {
		_, err := Replace(broken, "new")
		assert.Error(t, err, broken)
	}
}
