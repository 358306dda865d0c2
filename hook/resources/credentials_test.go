package resources

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/flameconf"
)

// shells are the POSIX shells of this machine that images have as /bin/sh.
func shells(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for name, command := range map[string][]string{"dash": {"dash"}, "bash": {"bash", "--posix"}, "busybox": {"busybox", "sh"}} {
		if path, err := exec.LookPath(command[0]); err == nil {
			found[name] = append([]string{path}, command[1:]...)
		}
	}
	require.NotEmpty(t, found)
	return found
}

// runScript runs the init container as the kubelet would, with its files in a temporary
// directory and nothing on PATH. It returns the exit code, the file it wrote and its output.
func runScript(t *testing.T, shell []string, storageType, value, config string) (code int, written, output string) {
	t.Helper()
	spec := decodeSpec(t, "sessionManager: {storage: {type: filesystem, secretRef: {name: flame-storage, key: url}}}")
	spec.SessionManager.Storage.Type = v1alpha1.StorageType(storageType)
	init := sessionManagerDaemon(Cluster{Name: "demo", Spec: spec}).initContainers[0]

	dir := t.TempDir()
	source, target := filepath.Join(dir, "source"), filepath.Join(dir, "target")
	require.NoError(t, os.WriteFile(source, []byte(config), 0o600))
	replace := strings.NewReplacer("/etc/flame/flame-cluster.yaml", source, "/run/flame/flame-cluster.yaml", target)
	args := append([]string{}, shell[1:]...)
	for _, a := range append(init.Command[1:], init.Args...) {
		args = append(args, replace.Replace(a))
	}
	var out bytes.Buffer
	command := exec.Command(shell[0], args...)
	// The harder locale: bytes are no characters in it.
	command.Env = []string{"PATH=/nonexistent", "LC_ALL=C.UTF-8", init.Env[0].Name + "=" + value}
	command.Stdout, command.Stderr = &out, &out
	if err := command.Run(); err != nil {
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
	}
	text, err := os.ReadFile(target)
	if err != nil {
		require.ErrorIs(t, err, os.ErrNotExist)
	}
	return command.ProcessState.ExitCode(), string(text), out.String()
}

func renderedConfig(t *testing.T) string {
	t.Helper()
	spec := decodeSpec(t, `
sessionManager: {storage: {type: filesystem, secretRef: {name: flame-storage, key: url}}}
extraConfig: {other: {text: "a\\b\t$x \"'", lines: "one\n two\n"}}`)
	return newCluster(t, spec).Config.Cluster
}

func TestCredentialsScriptQuotesAnyContent(t *testing.T) {
	var controls, c1, continuation strings.Builder
	for r := rune(1); r < 0x20; r++ {
		controls.WriteRune(r)
	}
	for r := rune(0x7f); r <= 0xff; r++ {
		c1.WriteRune(r)
	}
	// Every continuation byte, in characters of two, three and four bytes.
	for r := rune(0x80); r < 0xc0; r++ {
		continuation.WriteRune(0x400 + r)
		continuation.WriteRune(0x4000 + r)
		continuation.WriteRune(0x1f600 + r)
	}
	values := map[string]string{
		"plain":              "/data",
		"spaces":             "  two  spaces  ",
		"double quotes":      `a"b""c"`,
		"single quotes":      `a'b''c'`,
		"dollar":             "$HOME ${x} $(id) `id` $1 $$",
		"backslashes":        `\ \\ \n \x41 \" \`,
		"comment":            "a # b #c",
		"mapping":            "a: b: {c: [d]}, - e",
		"glob":               "* ? [a-z] ~ !",
		"percent":            "%s %d %%",
		"newlines":           "one\ntwo\n\nthree",
		"trailing newline":   "value\n",
		"trailing newlines":  "value\n\n\n",
		"carriage returns":   "a\r\nb\r",
		"tabs":               "\ta\tb\t",
		"control characters": controls.String(),
		"latin 1 and DEL":    c1.String(),
		"continuation bytes": continuation.String(),
		"line separators":    "a\u2028b\u2029c\u0085d",
		"byte order mark":    "\ufeffa\ufeff",
		"noncharacters":      "\ufffe\uffff",
		"emoji":              "\U0001f525\U0001f469\u200d\U0001f680",
		"right to left":      "\u05e9\u05dc\u05d5\u05dd \u202e",
		"placeholder":        flameconf.StoragePlaceholder + "\n  storage: " + flameconf.StoragePlaceholder,
		"4 KiB":              strings.Repeat("abcdefgh", 512),
		"4 KiB of quotes":    strings.Repeat(`"`, 4096),
		"4 KiB of escapes":   strings.Repeat("\\\n\"\t", 1024),
		"ampersand":          `p&q=1;r|s<t>u`,
	}
	config := renderedConfig(t)
	for shellName, shell := range shells(t) {
		for name, value := range values {
			t.Run(shellName+"/"+name, func(t *testing.T) {
				value := "fs://" + value
				code, written, output := runScript(t, shell, "filesystem", value, config)
				require.Zero(t, code, output)
				assert.Empty(t, output)
				var want, got map[string]any
				require.NoError(t, yaml.Unmarshal([]byte(config), &want))
				require.NoError(t, yaml.Unmarshal([]byte(written), &got), written)
				want["cluster"].(map[string]any)["storage"] = value
				assert.Equal(t, want, got)
			})
		}
	}
}

func TestCredentialsScriptAcceptsOnlyThePrefixesOfTheType(t *testing.T) {
	for _, tc := range []struct {
		storageType string
		good, bad   []string
	}{
		{"sqlite", []string{"sqlite://a.db", "sqlite:a.db"}, []string{"postgres://u:hidden@h/d", "SQLite://hidden", "fs:///hidden", " sqlite:hidden", "\nsqlite:hidden"}},
		{"filesystem", []string{"fs:///a", "file:///a", "filesystem:///a"}, []string{"/hidden", "fs:/hidden", "sqlite:hidden", "none-hidden"}},
		{"postgres", []string{"postgres://u:p@h/d", "postgresql://u:p@h/d"}, []string{"mysql://u:hidden@h/d", "sqlite:hidden"}},
		{"mysql", []string{"mysql://u:p@h/d"}, []string{"postgres://u:hidden@h/d"}},
		{"none", nil, []string{"none", "sqlite:hidden"}},
	} {
		for shellName, shell := range shells(t) {
			t.Run(shellName+"/"+tc.storageType, func(t *testing.T) {
				for _, value := range tc.good {
					code, written, output := runScript(t, shell, tc.storageType, value, renderedConfig(t))
					assert.Zero(t, code, output)
					assert.Contains(t, written, value)
				}
				for _, value := range append(tc.bad, "") {
					code, written, output := runScript(t, shell, tc.storageType, value, renderedConfig(t))
					assert.Equal(t, 1, code)
					assert.Empty(t, written)
					assert.NotContains(t, output, "hidden")
					assert.Contains(t, output, "storage type "+tc.storageType+", ")
					assert.Contains(t, output, `key "url" of Secret "flame-storage"`)
				}
			})
		}
	}
}

func TestCredentialsScriptNeedsThePlaceholder(t *testing.T) {
	for shellName, shell := range shells(t) {
		t.Run(shellName, func(t *testing.T) {
			code, _, output := runScript(t, shell, "sqlite", "sqlite:hidden", "cluster:\n  name: demo\n")
			assert.Equal(t, 1, code)
			assert.NotContains(t, output, "hidden")
		})
	}
}

// The kubelet expands $(NAME) and $$ in commands, so the script has no text that it could
// take for a variable of the container.
func TestCredentialsScriptIsNoExpansionForTheKubelet(t *testing.T) {
	assert.NotContains(t, credentialsScript, "$$")
	assert.NotContains(t, credentialsScript, "$(FLAME")
	assert.Equal(t, strings.Count(credentialsScript, "$("), strings.Count(credentialsScript, "$(printf "))
}

func TestStorageCredentials(t *testing.T) {
	d := deployments(t, `
sessionManager:
  storage: {type: sqlite, secretRef: {name: flame-storage, key: url}}
  resources: {limits: {cpu: "2", memory: 1Gi, ephemeral-storage: 1Gi, example.com/fpga: "1"}}`)
	sessionManager := d[v1alpha1.ComponentSessionManager]
	daemon := container(t, sessionManager)
	init := findContainer(sessionManager.Spec.Template.Spec.InitContainers, v1alpha1.CredentialsContainer)
	require.NotNil(t, init)

	assert.Equal(t, []string{"--config", "/run/flame/flame-cluster.yaml"}, daemon.Args)
	assert.Equal(t, daemon.Image, init.Image)
	assert.Equal(t, corev1.TerminationMessageFallbackToLogsOnError, init.TerminationMessagePolicy, "the status says what is wrong")
	assert.Equal(t, &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: "flame-storage"}, Key: "url"}, init.Env[0].ValueFrom.SecretKeyRef)
	assert.True(t, strings.HasSuffix(envValue(daemon, "RUST_LOG"), ",flame_session_manager::storage::engine=warn"), "the connection string is logged at info")
	assert.Equal(t, "unset", envValue(daemon, "FLAME_STORAGE"), "the daemon does not need it")
	assert.Equal(t, "2", init.Resources.Limits.Cpu().String())
	assert.NotContains(t, init.Resources.Limits, corev1.ResourceName("example.com/fpga"), "a device would be occupied")
	assert.NotContains(t, init.Resources.Requests, corev1.ResourceName("example.com/fpga"))
	for _, v := range sessionManager.Spec.Template.Spec.Volumes {
		if v.Name == "credentials" {
			assert.Equal(t, corev1.StorageMediumMemory, v.EmptyDir.Medium, "never on a disk")
		}
	}
	for component, d := range d {
		if component != v1alpha1.ComponentSessionManager {
			assert.NotContains(t, toYAML(t, d), "flame-storage")
		}
	}
}

func TestResourcesOfTheCredentialsContainerAreTheUsersToChoose(t *testing.T) {
	spec := decodeSpec(t, "sessionManager: {storage: {type: sqlite, secretRef: {name: a, key: b}}}")
	setTemplate(spec, "sessionManager", []byte(`{"spec":{"initContainers":[{"name":"storage-credentials","resources":{"limits":{"memory":"2Gi"}}}]}}`))
	errs, _ := CheckPodTemplates("demo", spec)
	require.Empty(t, errs)
	d := find[*appsv1.Deployment](t, allChildren(t, newCluster(t, spec)), "demo-session-manager")
	init := findContainer(d.Spec.Template.Spec.InitContainers, v1alpha1.CredentialsContainer)
	require.NotNil(t, init)
	assert.Equal(t, "2Gi", init.Resources.Limits.Memory().String())
	assert.NotEmpty(t, init.Resources.Requests, "a quota asks for them")
	assert.NotEmpty(t, init.Env, "the rest stays")
}

func TestNoCredentialsContainerWithoutSecretRef(t *testing.T) {
	d := find[*appsv1.Deployment](t, children(t, "{}"), "demo-session-manager")
	assert.Nil(t, findContainer(d.Spec.Template.Spec.InitContainers, v1alpha1.CredentialsContainer))
	assert.NotContains(t, envValue(container(t, d), "RUST_LOG"), "storage::engine")
}
