package manifests

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const monitoring = "components/monitoring/"

// An alert on a metric that does not exist never fires, and nobody notices.
func TestMonitoringNamesMetricsThatExist(t *testing.T) {
	exported := map[string]bool{}
	sources, err := filepath.Glob("../hook/server/*.go")
	require.NoError(t, err)
	declared := regexp.MustCompile(`Name:\s+"(flame_hook_[a-z_]+)"`)
	for _, source := range sources {
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		for _, match := range declared.FindAllStringSubmatch(string(text), -1) {
			exported[match[1]] = true
		}
	}
	require.NotEmpty(t, exported)

	used := map[string]bool{}
	for _, file := range []string{"prometheusrule.yaml", "dashboard.json"} {
		text, err := os.ReadFile(monitoring + file)
		require.NoError(t, err)
		for _, name := range regexp.MustCompile(`flame_hook_[a-z_]+`).FindAllString(string(text), -1) {
			name = strings.TrimSuffix(name, "_bucket")
			used[name] = true
			assert.True(t, exported[name], "%s names %s", file, name)
		}
	}
	for name := range exported {
		assert.True(t, used[name], "%s is neither on the dashboard nor in an alert", name)
	}
}

func TestDashboardPanelsDoNotOverlap(t *testing.T) {
	text, err := os.ReadFile(monitoring + "dashboard.json")
	require.NoError(t, err)
	var dashboard struct {
		Panels []struct {
			ID      int    `json:"id"`
			Title   string `json:"title"`
			Type    string `json:"type"`
			GridPos struct{ H, W, X, Y int }
			Targets []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &dashboard))
	require.NotEmpty(t, dashboard.Panels)
	ids := map[int]bool{}
	cells := map[[2]int]string{}
	for _, panel := range dashboard.Panels {
		assert.False(t, ids[panel.ID], "id %d", panel.ID)
		ids[panel.ID] = true
		if panel.Type != "row" {
			assert.NotEmpty(t, panel.Targets, panel.Title)
		}
		assert.LessOrEqual(t, panel.GridPos.X+panel.GridPos.W, 24, panel.Title)
		for x := panel.GridPos.X; x < panel.GridPos.X+panel.GridPos.W; x++ {
			for y := panel.GridPos.Y; y < panel.GridPos.Y+panel.GridPos.H; y++ {
				assert.Empty(t, cells[[2]int{x, y}], panel.Title)
				cells[[2]int{x, y}] = panel.Title
			}
		}
	}
}

// Whoever is woken by an alert finds it on the page for operations.
func TestEveryAlertIsExplained(t *testing.T) {
	rules, err := os.ReadFile(monitoring + "prometheusrule.yaml")
	require.NoError(t, err)
	page, err := os.ReadFile("../docs/operations.md")
	require.NoError(t, err)
	alerts := regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(string(rules), -1)
	require.NotEmpty(t, alerts)
	for _, alert := range alerts {
		assert.Contains(t, string(page), "\n| "+alert[1]+" |")
	}
}
