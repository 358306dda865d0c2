package report

import (
	"fmt"
	"strings"

	"github.com/xflops/flame-operator/test/e2e/process"
)

// Tables returns the results as Markdown: the calls and requests, what they took,
// and whether the goals are met.
func Tables(results []Result) string {
	calls := table("clusters", "hook", "all Running after", "sync calls", "per cluster", "asked for", "when Running", "with news", "at rest", "API requests per cluster", "by the engine")
	used := table("clusters", "hook", "CPU: hook", "engine", "API server", "controllers", "hook / all four", "hook / (hook + engine)", "memory: hook", "engine", "API server")
	for i := range results {
		r := &results[i]
		size := fmt.Sprint(r.Size)
		calls.row(size, r.Hook, fmt.Sprintf("%.0f s", r.Took().Seconds()), fmt.Sprint(r.Syncs.All), fmt.Sprintf("%.2f", r.per(r.Syncs.All)),
			fmt.Sprint(r.Syncs.Asked), fmt.Sprint(r.Syncs.Late), fmt.Sprint(r.Syncs.LateNews), fmt.Sprint(r.Syncs.Resting),
			fmt.Sprintf("%.1f", r.per(r.Requests.Engine+r.Requests.Others)), fmt.Sprintf("%.1f", r.per(r.Requests.Engine)))
		used.row(size, r.Hook, cpu(r.Used.Hook), cpu(r.Used.Engine), cpu(&r.Used.APIServer), cpu(&r.Used.Controllers),
			percent(r.hookShare(true)), percent(r.hookShare(false)), memory(r.Used.Hook), memory(r.Used.Engine), memory(&r.Used.APIServer))
	}
	return calls.String() + "\n" + used.String() + "\n" + goals(results)
}

type markdownTable struct{ strings.Builder }

func table(header ...string) *markdownTable {
	t := &markdownTable{}
	t.row(header...)
	t.WriteString(strings.Repeat("|---", len(header)) + "|\n")
	return t
}

func (t *markdownTable) row(cells ...string) {
	t.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// unknown is in the cell of what can't be told apart.
const unknown = "-"

func cpu(u *process.Usage) string {
	if u == nil {
		return unknown
	}
	return fmt.Sprintf("%.1f s", u.CPU.Seconds())
}

func memory(u *process.Usage) string {
	if u == nil {
		return unknown
	}
	return fmt.Sprintf("%d MiB", u.PeakMemory>>20)
}

func percent(value float64, known bool) string {
	if !known {
		return unknown
	}
	return fmt.Sprintf("%.1f %%", value)
}
