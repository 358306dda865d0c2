package report

import "fmt"

// What is hoped for: the hook causes hardly more calls than one that has its whole
// answer ready, none once a cluster runs, and its own work is lost in that of the
// others.
const (
	mostCalls = 1.1 // times those of the constant hook
	mostShare = 5.0 // percent of the processor time
)

// goals says for each fleet whether the goals are met.
func goals(results []Result) string {
	t := table("goal", "clusters", "measured", "met?")
	for i := range results {
		r := &results[i]
		if r.Hook != FlameHook {
			continue
		}
		size := fmt.Sprint(r.Size)
		if yardstick := find(results, Constant, r.Size); yardstick != nil && yardstick.Syncs.All > 0 {
			for _, calls := range []struct {
				n    int
				goal string
			}{
				{r.Syncs.All, "at most 1.1 x the sync calls of the constant hook"},
				{r.Syncs.All - r.Syncs.Asked, "the same, those asked for aside"},
			} {
				ratio := float64(calls.n) / float64(yardstick.Syncs.All)
				t.row(calls.goal, size, fmt.Sprintf("%.2f x", ratio), met(ratio <= mostCalls))
			}
		}
		t.row("no sync call once a cluster is Running, those asked for aside", size, fmt.Sprint(r.Syncs.Late+r.Syncs.Resting), met(r.Syncs.Late+r.Syncs.Resting == 0))
		if share, known := r.hookShare(true); known {
			t.row("hook's share of the CPU below 5 %", size, percent(share, true), met(share < mostShare))
		}
	}
	return t.String()
}

func find(results []Result, hook string, size int) *Result {
	for i := range results {
		if results[i].Hook == hook && results[i].Size == size {
			return &results[i]
		}
	}
	return nil
}

func met(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}
