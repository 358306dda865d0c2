package alerts

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/rules"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	rulesFile = "../../manifests/components/monitoring/prometheusrule.yaml"
	// interval is the time between two samples and between two evaluations.
	interval = time.Minute
)

// healthy is two hooks that answer a few FlameClusters, and a Metacontroller that
// keeps up, for two hours.
const healthy = `
up{job="flame-hook-metrics", pod="a"} 1x120
up{job="flame-hook-metrics", pod="b"} 1x120
flame_hook_requests_total{hook="sync", code="200", pod="a"} 0+60x120
flame_hook_requests_total{hook="sync", code="200", pod="b"} 0+60x120
flame_hook_requests_total{hook="sync", code="500", pod="a"} 0x120
flame_hook_requests_total{hook="customize", code="200", pod="a"} 0+6x120
flame_hook_request_duration_seconds_bucket{hook="sync", le="0.01"} 0+119x120
flame_hook_request_duration_seconds_bucket{hook="sync", le="2.5"} 0+120x120
flame_hook_request_duration_seconds_bucket{hook="sync", le="10"} 0+120x120
flame_hook_request_duration_seconds_bucket{hook="sync", le="+Inf"} 0+120x120
flame_hook_guard_refusals_total 0x120
flame_hook_panics_total 0x120
flame_hook_invalid_specs_total{reason="InvalidSpec"} 0x120
flame_hook_reloads_total{content="tokens", result="done"} 0x30 1x90
flame_hook_certificate_not_after_timestamp_seconds 2592000x120
workqueue_depth{name="CompositeController-flamecluster"} 0 3 0 5x117
workqueue_retries_total{name="CompositeController-flamecluster"} 0x30 2x90
`

// without returns series that do not contain any of the words.
func without(series string, words ...string) string {
	var kept []string
	for line := range strings.Lines(series) {
		if !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(line, word) }) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

type fired struct{ first, last int }

// firing evaluates all alerts each minute for two hours and returns the minutes at
// which each one fired first and last, and the summaries that a person would read.
func firing(t *testing.T, series string) (map[string]fired, map[string]string) {
	t.Helper()
	alerts, err := read(rulesFile)
	require.NoError(t, err)
	storage := promqltest.LoadedStorage(t, "load 1m\n"+indent(series))
	engine := promqltest.NewTestEngine(t, false, 5*time.Minute, 100_000)
	query := rules.EngineQueryFunc(engine, storage)
	minutes, summaries := map[string]fired{}, map[string]string{}
	for minute := range 121 {
		now := time.Unix(0, 0).Add(time.Duration(minute) * interval)
		for _, alert := range alerts {
			_, err := alert.Eval(t.Context(), 0, now, query, &url.URL{}, 0)
			require.NoError(t, err, alert.Name())
			for _, active := range alert.ActiveAlerts() {
				if active.State != rules.StateFiring {
					continue
				}
				if _, before := minutes[alert.Name()]; !before {
					minutes[alert.Name()] = fired{first: minute}
					summaries[alert.Name()] = active.Annotations.Get("summary")
				}
				minutes[alert.Name()] = fired{minutes[alert.Name()].first, minute}
				for _, annotation := range []string{"summary", "description"} {
					assert.NotContains(t, active.Annotations.Get(annotation), "error expanding template", alert.Name())
				}
			}
		}
	}
	return minutes, summaries
}

func indent(series string) string {
	var text strings.Builder
	for line := range strings.Lines(strings.TrimSpace(series)) {
		// A blank line would end the series.
		if line = strings.TrimSpace(line); line != "" {
			text.WriteString("  " + line + "\n")
		}
	}
	return text.String()
}

// cases are one trouble each, and the alerts it raises with the minute of the first.
var cases = map[string]struct {
	series  string
	want    map[string]int
	summary string
}{
	"healthy": {healthy, nil, ""},
	"both hooks are gone after half an hour": {
		without(healthy, "up{") + `
up{job="flame-hook-metrics", pod="a"} 1x30 0x90
up{job="flame-hook-metrics", pod="b"} 1x30 0x90`,
		map[string]int{"FlameHookDown": 36},
		"No flame-hook is running.",
	},
	"one hook is gone": {
		without(healthy, "up{") + `
up{job="flame-hook-metrics", pod="a"} 1x30 0x90
up{job="flame-hook-metrics", pod="b"} 1x120`,
		nil, "",
	},
	"a short series of errors": {
		without(healthy, `code="500"`) + `
flame_hook_requests_total{hook="sync", code="500", pod="a"} 0x30 1 2 3 4x87`,
		nil, "",
	},
	"lasting errors": {
		without(healthy, `code="500"`) + `
flame_hook_requests_total{hook="sync", code="500", pod="a"} 0x30 1+1x89`,
		map[string]int{"FlameHookErrors": 41},
		"flame-hook answers sync with an error.",
	},
	"one refusal of the guard": {
		without(healthy, "guard") + `
flame_hook_guard_refusals_total 0x30 1x90`,
		map[string]int{"FlameHookGuardRefusal": 31},
		"flame-hook refused its own answer as harmful.",
	},
	"one panic": {
		without(healthy, "panics") + `
flame_hook_panics_total 0x30 1x90`,
		map[string]int{"FlameHookPanic": 31},
		"flame-hook panicked.",
	},
	"slow answers": {
		without(healthy, "duration") + `
flame_hook_request_duration_seconds_bucket{hook="sync", le="0.01"} 0+60x120
flame_hook_request_duration_seconds_bucket{hook="sync", le="2.5"} 0+60x120
flame_hook_request_duration_seconds_bucket{hook="sync", le="10"} 0+120x120
flame_hook_request_duration_seconds_bucket{hook="sync", le="+Inf"} 0+120x120`,
		map[string]int{"FlameHookSlow": 16},
		"One in a hundred syncs takes 9.85s.",
	},
	"a tenth of the requests is put off": {
		healthy + `
flame_hook_requests_total{hook="sync", code="429", pod="a"} 0+14x120`,
		map[string]int{"FlameHookOverloaded": 16},
		"flame-hook puts off 10% of its requests.",
	},
	"a wrong token": {
		healthy + `
flame_hook_requests_total{hook="none", code="401", pod="a"} 0+10x120`,
		map[string]int{"FlameHookRefusesCaller": 6},
		"flame-hook refuses the credentials of its caller.",
	},
	"a broken certificate file": {
		healthy + `
flame_hook_reloads_total{content="certificate", result="failed"} 0x30 1x90`,
		map[string]int{"FlameHookReloadFailed": 31},
		"flame-hook can't use the new certificate.",
	},
	"a certificate that nobody renews": {
		without(healthy, "certificate") + `
flame_hook_certificate_not_after_timestamp_seconds 172800x120`,
		map[string]int{"FlameHookCertificateExpires": 60},
		"The certificate of flame-hook expires in 1d 23h 0m 0s.",
	},
	"a refused spec that stays": {
		without(healthy, "invalid_specs") + `
flame_hook_invalid_specs_total{reason="UnsupportedByVersion"} 0x10 1+1x109`,
		map[string]int{"FlameClusterSpecRefused": 41},
		"A FlameCluster has a spec that is refused (UnsupportedByVersion).",
	},
	"a refused spec that is soon corrected": {
		without(healthy, "invalid_specs") + `
flame_hook_invalid_specs_total{reason="InvalidSpec"} 0x10 1 2 3x107`,
		nil, "",
	},
	"Metacontroller is not there": {
		without(healthy, "workqueue"),
		map[string]int{"FlameMetacontrollerDown": 15},
		"Metacontroller doesn't work on FlameClusters.",
	},
	"syncs that fail again and again": {
		without(healthy, "retries") + `
workqueue_retries_total{name="CompositeController-flamecluster"} 0x30 0+4x90`,
		map[string]int{"FlameMetacontrollerRetries": 50},
		"Metacontroller keeps trying to sync FlameClusters.",
	},
	"more FlameClusters than Metacontroller can serve": {
		without(healthy, "depth") + `
workqueue_depth{name="CompositeController-flamecluster"} 400x120`,
		map[string]int{"FlameMetacontrollerBacklog": 15},
		"400 FlameClusters wait for their turn.",
	},
}

func TestAlerts(t *testing.T) {
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			minutes, summaries := firing(t, test.series)
			first := map[string]int{}
			for alert, at := range minutes {
				first[alert] = at.first
			}
			if test.want == nil {
				assert.Empty(t, first)
				return
			}
			assert.Equal(t, test.want, first)
			for alert := range test.want {
				assert.Equal(t, test.summary, summaries[alert])
			}
		})
	}
}

// What happened once is not worth waking up for an hour later.
func TestAlertsEnd(t *testing.T) {
	minutes, _ := firing(t, cases["one panic"].series)
	assert.Less(t, minutes["FlameHookPanic"].last, 50)
}

func TestEveryAlertIsTried(t *testing.T) {
	alerts, err := read(rulesFile)
	require.NoError(t, err)
	for _, alert := range alerts {
		raised := false
		for _, test := range cases {
			_, found := test.want[alert.Name()]
			raised = raised || found
		}
		assert.True(t, raised, alert.Name())
		assert.Contains(t, []string{"info", "warning", "critical"}, alert.Labels().Get("severity"), alert.Name())
		assert.NotEmpty(t, alert.Annotations().Get("summary"), alert.Name())
		assert.NotEmpty(t, alert.Annotations().Get("description"), alert.Name())
	}
}
