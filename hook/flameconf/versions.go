package flameconf

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// dialect is what a range of Flame versions understands.
type dialect struct {
	// until is the last version of the range; nil in the newest dialect, which
	// serves every later version too.
	until *version.Version
	// policies are the scheduler plugins behind each policy. A policy that is
	// absent is not supported. An unset policy leaves the key out in every
	// dialect: there is no list that works in all of them.
	policies map[v1alpha1.SchedulingPolicy][]string
	// plugins are the names that cluster.policies may hold.
	plugins []string
	// requiredPlugin has to be in cluster.policies, or nothing is ever scheduled.
	requiredPlugin string
	// shims and storages are the values that work.
	shims    []v1alpha1.ExecutorShim
	storages []v1alpha1.StorageType
	// maxExecutors tells whether cluster.limits.max_executors has an effect.
	maxExecutors bool
}

// oldest is the first version whose daemons read the configuration that is
// rendered here: 0.5.0 has another file format, and no separate object cache.
var oldest = version.MustParseSemantic("0.6.0")

// dialects are the ranges of versions, in ascending order. A cell says where in
// Flame's source it comes from.
var dialects = []dialect{
	{
		until: version.MustParseSemantic("0.6.0"),
		// Names: session_manager/src/scheduler/plugins/mod.rs:123. Only gang has an
		// opinion on readiness (plugins/mod.rs:335), and sessions without one get no
		// executor (actions/allocate.rs:119), so it is in every list. Only drf checks
		// what a node has room for (plugins/drf.rs:194), so it is in every list too.
		policies: map[v1alpha1.SchedulingPolicy][]string{
			// priority orders first (plugins/priority.rs:245).
			v1alpha1.PolicyPriority: {"priority", "drf", "gang"},
			// drf orders by dominant share (plugins/drf.rs:161).
			v1alpha1.PolicyFair: {"drf", "gang"},
			// Sessions of equal priority are served by creation time
			// (plugins/priority.rs:175).
			v1alpha1.PolicyFIFO: {"priority", "drf", "gang"},
		},
		plugins:        []string{"priority", "drf", "gang"},
		requiredPlugin: "gang",
		// common/src/apis/from_rpc.rs:315 parses host and wasm; the official images
		// are built without wasm (executor_manager/src/shims/mod.rs:210).
		shims: []v1alpha1.ExecutorShim{v1alpha1.ShimHost},
		// session_manager/src/storage/engine/mod.rs:137: none, fs, and SQLite for
		// everything else.
		storages: []v1alpha1.StorageType{v1alpha1.StorageFilesystem, v1alpha1.StorageSQLite, v1alpha1.StorageNone},
		// Parsed (common/src/ctx.rs:100), read by nobody.
		maxExecutors: false,
	},
	{
		// main:session_manager/src/scheduler/plugins/mod.rs:111: gang is gone, from
		// main and from the branch of the next 0.6 release, and its name ends the
		// session manager. Readiness is drf's and priority's (plugins/drf.rs:192,
		// plugins/priority.rs:313), room on a node still drf's (plugins/drf.rs:200).
		policies: map[v1alpha1.SchedulingPolicy][]string{
			// main:plugins/priority.rs:248.
			v1alpha1.PolicyPriority: {"priority", "drf"},
			// main:plugins/drf.rs:159.
			v1alpha1.PolicyFair: {"drf"},
			// main:plugins/priority.rs:175.
			v1alpha1.PolicyFIFO: {"priority", "drf"},
		},
		plugins: []string{"priority", "drf"},
		// main:common/src/apis/from_rpc.rs:315, unchanged.
		shims: []v1alpha1.ExecutorShim{v1alpha1.ShimHost},
		// main:session_manager/src/storage/engine/mod.rs:137, unchanged.
		storages: []v1alpha1.StorageType{v1alpha1.StorageFilesystem, v1alpha1.StorageSQLite, v1alpha1.StorageNone},
		// main:common/src/ctx.rs:100, unchanged.
		maxExecutors: false,
	},
}

// newestRelease is the newest version that was released when the table was
// written. Later ones get the newest dialect, and a warning.
var newestRelease = version.MustParseSemantic("0.6.0")

// semanticVersion is stricter than the parser, which ignores blanks around.
var semanticVersion = regexp.MustCompile(`^v?[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]+)?$`)

// longestVersion is the limit that the API sets on spec.version, in bytes.
const longestVersion = 64

// parseVersion reads a semantic version; a leading v is tolerated. Build
// metadata takes no part in comparisons.
func parseVersion(text string) (*version.Version, error) {
	if len(text) > longestVersion || !semanticVersion.MatchString(text) {
		return nil, errors.New("not a semantic version")
	}
	return version.ParseSemantic(text)
}

// dialectOf is the dialect of the version, which must not be older than oldest.
func dialectOf(v *version.Version) *dialect {
	for i := range dialects {
		if until := dialects[i].until; until == nil || until.AtLeast(v) {
			return &dialects[i]
		}
	}
	return &dialects[len(dialects)-1]
}

// dialectToRender is the dialect of a spec's version.
func dialectToRender(text string) (*dialect, error) {
	v, err := parseVersion(text)
	if err != nil {
		return nil, err
	}
	if v.LessThan(oldest) {
		return nil, fmt.Errorf("version %s is older than %s", text, oldest)
	}
	return dialectOf(v), nil
}

// firstWith says which versions first had what has looks for.
func firstWith(table []dialect, has func(*dialect) bool) string {
	i := slices.IndexFunc(table, func(d dialect) bool { return has(&d) })
	switch {
	case i < 0:
		return "no known version of Flame has it"
	case i == 0:
		return "the first version to have it is " + oldest.String()
	}
	return "the first version to have it is the one after " + table[i-1].until.String()
}

// quoted lists values for a message.
func quoted[T ~string](values []T) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = fmt.Sprintf("%q", string(value))
	}
	return strings.Join(texts, ", ")
}
