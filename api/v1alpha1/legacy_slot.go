package v1alpha1

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

// legacyMemory is Flame's grammar for an amount of memory: decimals and a unit in
// any case. All units are binary, so that 1g and 1GiB are the same; none is bytes.
var legacyMemory = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?) ?(?:([kmgtp])i?b?|b)?$`)

var legacyUnits = map[string]int64{"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40, "p": 1 << 50}

// TranslateLegacySlot reads the string form of sessionManager.slot, which is
// Flame's resreq: "cpu=1,mem=1g,gpu=0". It returns the fields of a Slot as JSON
// has them. Anything else is an error at path.
func TranslateLegacySlot(text string, path *field.Path) (map[string]any, *field.Error) {
	slot := map[string]any{}
	for part := range strings.SplitSeq(text, ",") {
		key, value, found := strings.Cut(part, "=")
		if !found {
			return nil, badSlot(path, text, `must be written like {cpu: "1", memory: 1Gi}; the string form is "cpu=1,mem=1g,gpu=1"`)
		}
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		switch key {
		case "cpu", "gpu":
			number, err := strconv.ParseUint(value, 10, 31)
			if err != nil {
				return nil, badSlot(path, text, key+" must be a whole number of at least 0")
			}
			slot[key] = strconv.FormatUint(number, 10)
		case "mem", "memory":
			amount, ok := parseLegacyMemory(value)
			if !ok {
				return nil, badSlot(path, text, `mem must be whole bytes, such as "1g" or "512Mi" (all units are binary)`)
			}
			slot["memory"] = amount
		default:
			return nil, badSlot(path, text, "knows only cpu, mem (or memory) and gpu")
		}
	}
	return slot, nil
}

// parseLegacyMemory gives the amount as a canonical quantity; false for what is no
// amount, and for one that is no whole number of bytes or more than 63 bits hold.
func parseLegacyMemory(text string) (string, bool) {
	match := legacyMemory.FindStringSubmatch(strings.ToLower(text))
	if match == nil || len(match[1]) > MaxQuantityLength {
		return "", false
	}
	amount, ok := new(big.Rat).SetString(match[1])
	if !ok {
		return "", false
	}
	amount.Mul(amount, new(big.Rat).SetInt64(legacyUnits[match[2]]))
	if !amount.IsInt() || !amount.Num().IsInt64() {
		return "", false
	}
	return resource.NewQuantity(amount.Num().Int64(), resource.BinarySI).String(), true
}

func badSlot(path *field.Path, text, message string) *field.Error {
	return field.Invalid(path, secrecy.Shown(text), message)
}

// slotFlow is a translated slot as a person would write it in YAML.
func slotFlow(slot map[string]any) string {
	var parts []string
	for _, key := range []string{"cpu", "memory", "gpu"} {
		if value, found := slot[key]; found {
			parts = append(parts, fmt.Sprintf("%s: %q", key, value))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
