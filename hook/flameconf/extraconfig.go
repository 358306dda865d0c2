package flameconf

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// protected are the keys that extraConfig can't touch, with the field that sets
// each: Services, mounts, probes and the status depend on them.
var protected = map[string]map[string]string{
	"cluster": {
		"name":     "metadata.name",
		"endpoint": "spec.sessionManager.service.port and spec.tls.sessionManager",
		"storage":  "spec.sessionManager.storage",
		"tls":      "spec.tls.sessionManager",
	},
	"cache": {
		"endpoint": "spec.objectCache.service.port and spec.tls.objectCache",
		"storage":  "spec.objectCache.volumeSource",
		"tls":      "spec.tls.objectCache",
	},
}

// decodeExtraConfig reads spec.extraConfig; nothing, null and {} give an empty
// map. Anything but an object is an error, which does not repeat the value.
func decodeExtraConfig(spec *v1alpha1.FlameClusterSpec) (map[string]any, error) {
	if spec.ExtraConfig == nil || len(spec.ExtraConfig.Raw) == 0 {
		return map[string]any{}, nil
	}
	var extra map[string]any
	if err := utiljson.Unmarshal(spec.ExtraConfig.Raw, &extra); err != nil {
		var wrongType *json.UnmarshalTypeError
		if errors.As(err, &wrongType) {
			return nil, fmt.Errorf("extraConfig: a map is needed, not %s", wrongType.Value)
		}
		return nil, errors.New("extraConfig: not valid JSON")
	}
	if extra == nil {
		extra = map[string]any{}
	}
	return extra, nil
}

// merge merges over into base and returns the result: maps are merged, anything
// else replaces what was there, lists as a whole. null removes the key, which is
// what an absent and an empty value both mean to Flame: its own default.
func merge(base, over map[string]any) map[string]any {
	merged := maps.Clone(base)
	for name, value := range over {
		switch value := value.(type) {
		case nil:
			delete(merged, name)
		case map[string]any:
			below, _ := merged[name].(map[string]any)
			if below == nil {
				below = map[string]any{}
			}
			merged[name] = merge(below, value)
		default:
			merged[name] = value
		}
	}
	return merged
}

// checkExtraConfig reports what extraConfig must not change, values that Flame's
// parser would end on, and keys that Flame would ignore. flame names the version
// in messages.
func checkExtraConfig(spec *v1alpha1.FlameClusterSpec, d *dialect, flame string) (field.ErrorList, []string) {
	path := field.NewPath("spec", "extraConfig")
	extra, err := decodeExtraConfig(spec)
	if err != nil {
		return field.ErrorList{typeError(path, "a map")}, nil
	}
	c := extraConfigCheck{dialect: d, flame: flame}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		section, known := flameKeys.fields[name]
		fields, isMap := extra[name].(map[string]any)
		switch {
		case !known:
			c.unknown(path.Child(name), flameKeys, name)
		case !isMap:
			c.errs = append(c.errs, typeError(path.Child(name), "a map: anything else would remove keys that are protected"))
		default:
			c.walk(path.Child(name), section, fields, protected[name])
		}
	}
	if !spec.CacheEnabled() {
		if _, found := extra["cache"]; found {
			c.warn(path.Child("cache"), "has no effect while spec.objectCache.enabled is false")
		}
	}
	if spec.SessionManager.Storage != nil && spec.SessionManager.Storage.SecretRef != nil && contains(extra, StoragePlaceholder) {
		c.errs = append(c.errs, field.Forbidden(path, fmt.Sprintf("%q is reserved: with storage.secretRef it marks the place of the connection string", StoragePlaceholder)))
	}
	return c.errs, c.warnings
}

// extraConfigCheck collects what was found.
type extraConfigCheck struct {
	dialect  *dialect
	flame    string
	errs     field.ErrorList
	warnings []string
}

func (c *extraConfigCheck) warn(path *field.Path, text string) {
	c.warnings = append(c.warnings, path.String()+": "+text)
}

// walk checks the fields of a map against the keys that Flame knows. owners are
// the fields that are protected.
func (c *extraConfigCheck) walk(path *field.Path, k key, fields map[string]any, owners map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		known, found := k.fields[name]
		below, value := path.Child(name), fields[name]
		nested, isMap := value.(map[string]any)
		switch {
		case owners[name] != "":
			c.errs = append(c.errs, field.Forbidden(below, "is protected; it follows from "+owners[name]))
		case !found:
			c.unknown(below, k, name)
		case value == nil:
		case isMap && known.kind == kindMap:
			c.walk(below, known, nested, nil)
		case !known.accepts(value):
			c.errs = append(c.errs, typeError(below, known.expectation()))
		default:
			c.unchecked(below, value)
		}
	}
}

// unknown warns about a key that is not in the table.
func (c *extraConfigCheck) unknown(path *field.Path, siblings key, name string) {
	text := fmt.Sprintf("is not a key that %s is known to read; Flame ignores unknown keys", c.flame)
	if suggestion := nearestKey(siblings, name); suggestion != "" {
		text += fmt.Sprintf("; did you mean %q?", suggestion)
	}
	c.warn(path, text)
}

// unchecked warns about the two keys that may go beyond the table of versions. A
// wrong value leaves a cluster that does nothing, or that starts over and over.
func (c *extraConfigCheck) unchecked(path *field.Path, value any) {
	switch path.String() {
	case "spec.extraConfig.cluster.executors.shim":
		c.warn(path, fmt.Sprintf("is not checked; %s is known to work with %s, and its daemons end at start with a shim that they don't know", c.flame, quoted(c.dialect.shims)))
	case "spec.extraConfig.cluster.policies":
		text := fmt.Sprintf("is not checked; %s is known to work with %s, and its session manager ends with exit code 0 on a name that it doesn't know", c.flame, quoted(c.dialect.plugins))
		items, _ := value.([]any)
		if required := c.dialect.requiredPlugin; required != "" && !slices.Contains(items, any(required)) {
			text += fmt.Sprintf("; without %q it gives no session an executor", required)
		} else if len(items) == 0 {
			text += "; with none it gives no session an executor"
		}
		c.warn(path, text)
	}
}

// typeError reports a value of a wrong type without repeating it.
func typeError(path *field.Path, needed string) *field.Error {
	return field.TypeInvalid(path, field.OmitValueType{}, "must be "+needed)
}

// expectation says which values the key takes.
func (k key) expectation() string {
	switch {
	case k.kind != kindInteger:
		return k.kind.String()
	case k.max == math.MaxInt64:
		return fmt.Sprintf("%s, at least %d", k.kind, k.min)
	}
	return fmt.Sprintf("%s from %d to %d", k.kind, k.min, k.max)
}

// accepts tells whether Flame's parser takes the value for this key. Where it
// wants a text it takes numbers and booleans, too.
func (k key) accepts(value any) bool {
	switch k.kind {
	case kindText:
		return isScalar(value)
	case kindMemory:
		return isScalar(value) && memoryPattern.MatchString(fmt.Sprint(value))
	case kindResreq:
		text, ok := value.(string)
		return ok && validResreq(text)
	case kindTextList:
		items, ok := value.([]any)
		return ok && !slices.ContainsFunc(items, func(item any) bool { return !isScalar(item) })
	case kindInteger:
		n, ok := value.(int64)
		return ok && n >= k.min && n <= k.max
	}
	return false
}

func isScalar(value any) bool {
	switch value.(type) {
	case string, bool, int64, float64:
		return true
	}
	return false
}

// contains tells whether text is part of any key or text within value.
func contains(value any, text string) bool {
	switch value := value.(type) {
	case string:
		return strings.Contains(value, text)
	case []any:
		return slices.ContainsFunc(value, func(item any) bool { return contains(item, text) })
	case map[string]any:
		for name, field := range value {
			if strings.Contains(name, text) || contains(field, text) {
				return true
			}
		}
	}
	return false
}
