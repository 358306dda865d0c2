package argocd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	lua "github.com/yuin/gopher-lua"
	"sigs.k8s.io/yaml"
)

const (
	page       = "../../../docs/argo-cd-health.md"
	situations = "../../../hook/status/testdata/situations"
	edited     = ", one generation later"
)

type health struct{ status, message string }

// script is the Lua between the fences of the page.
func script(t *testing.T) string {
	t.Helper()
	_, rest, found := strings.Cut(readPage(t), "```lua\n")
	require.True(t, found)
	code, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	return code
}

func readPage(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile(page)
	require.NoError(t, err)
	return string(raw)
}

func readObject(t *testing.T, name string) map[string]any {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(situations, name+".yaml"))
	require.NoError(t, err)
	var object map[string]any
	require.NoError(t, yaml.Unmarshal(raw, &object))
	return object
}

// assess runs the script as Argo CD does: the object is the global `obj`, and of the
// standard library only what can do no harm is there.
func assess(t *testing.T, code string, object map[string]any) health {
	t.Helper()
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	for name, open := range map[string]lua.LGFunction{lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable, lua.StringLibName: lua.OpenString} {
		require.NoError(t, state.CallByParam(lua.P{Fn: state.NewFunction(open), Protect: true}, lua.LString(name)))
	}
	state.SetGlobal("obj", value(state, object))
	require.NoError(t, state.DoString(code))
	result, isTable := state.Get(-1).(*lua.LTable)
	require.True(t, isTable, "the script returns a table")
	return health{lua.LVAsString(result.RawGetString("status")), lua.LVAsString(result.RawGetString("message"))}
}

func value(state *lua.LState, v any) lua.LValue {
	switch v := v.(type) {
	case string:
		return lua.LString(v)
	case bool:
		return lua.LBool(v)
	case float64:
		return lua.LNumber(v)
	case []any:
		list := state.NewTable()
		for _, element := range v {
			list.Append(value(state, element))
		}
		return list
	case map[string]any:
		table := state.NewTable()
		for key, element := range v {
			table.RawSetString(key, value(state, element))
		}
		return table
	}
	return lua.LNil
}

// The table on the page is what the script does.
func TestCasesOfThePage(t *testing.T) {
	code := script(t)
	_, table, found := strings.Cut(readPage(t), "|---|---|---|\n")
	require.True(t, found)
	rows := strings.Split(strings.TrimSpace(table), "\n")
	require.Greater(t, len(rows), 15)
	for _, row := range rows {
		cells := strings.Split(strings.Trim(row, "|"), "|")
		require.Len(t, cells, 3, row)
		name, wanted, begins := strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])
		t.Run(name, func(t *testing.T) {
			file, later := strings.CutSuffix(name, edited)
			object := readObject(t, file)
			if later {
				metadata := object["metadata"].(map[string]any)
				metadata["generation"] = metadata["generation"].(float64) + 1
			}
			got := assess(t, code, object)
			assert.Equal(t, wanted, got.status)
			assert.True(t, strings.HasPrefix(got.message, begins), got.message)
		})
	}
}

// Argo CD knows four healths that a check may give, and shows the message.
func TestEverySituationHasAHealth(t *testing.T) {
	code := script(t)
	files, err := os.ReadDir(situations)
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(file.Name(), ".yaml")
		object := readObject(t, name)
		got := assess(t, code, object)
		state := object["status"].(map[string]any)["state"]
		assert.NotEmpty(t, got.message, name)
		switch got.status {
		case "Healthy":
			assert.Equal(t, "Running", state, name)
		case "Degraded":
			assert.Contains(t, []any{"Degraded", "Failed"}, state, name)
		case "Suspended":
			assert.Equal(t, "Suspended", state, name)
		case "Progressing":
			assert.NotContains(t, []any{"Running", "Failed", "Suspended"}, state, name)
		default:
			t.Errorf("%s: health %q is none of Argo CD's", name, got.status)
		}
	}
}

// An object that nobody has answered for yet, or that another controller wrote.
func TestStrangeObjects(t *testing.T) {
	code := script(t)
	for name, object := range map[string]map[string]any{
		"no status":         {"metadata": map[string]any{"generation": 1.0}},
		"empty status":      {"metadata": map[string]any{"generation": 1.0}, "status": map[string]any{}},
		"no condition":      {"metadata": map[string]any{"generation": 1.0}, "status": map[string]any{"conditions": []any{}, "observedGeneration": 1.0}},
		"only old words":    {"metadata": map[string]any{"generation": 1.0}, "status": map[string]any{"state": "ready"}},
		"ready of long ago": {"metadata": map[string]any{"generation": 2.0}, "status": map[string]any{"observedGeneration": 1.0, "conditions": []any{map[string]any{"type": "Ready", "status": "True"}}}},
	} {
		assert.Equal(t, "Progressing", assess(t, code, object).status, name)
	}
}
