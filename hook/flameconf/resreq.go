package flameconf

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// resreq is a slot as Flame writes it, such as "cpu=2,mem=4Gi,gpu=1"
// (common/src/apis/types.rs:479). What is absent or 0 is left out, which means 0
// to Flame. A slot with nothing in it, a fraction or a negative amount is an
// error: Flame would not start, or never give the session an executor.
func resreq(slot *v1alpha1.Slot) (string, error) {
	var parts []string
	for _, dimension := range []struct {
		key      string
		quantity *resource.Quantity
		limit    int64
		format   func(int64) string
	}{
		{"cpu", slot.CPU, math.MaxInt64, decimal},
		{"mem", slot.Memory, math.MaxInt64, memory},
		{"gpu", slot.GPU, math.MaxInt32, decimal},
	} {
		if dimension.quantity == nil {
			continue
		}
		n, err := wholeNumber(*dimension.quantity, dimension.limit)
		if err != nil {
			return "", fmt.Errorf("%s: %w", dimension.key, err)
		}
		if n > 0 {
			parts = append(parts, dimension.key+"="+dimension.format(n))
		}
	}
	if len(parts) == 0 {
		return "", errors.New("every amount is 0")
	}
	return strings.Join(parts, ","), nil
}

// wholeNumber is the quantity as a number from 0 to limit.
func wholeNumber(q resource.Quantity, limit int64) (int64, error) {
	n := q.Value()
	if q.CmpInt64(n) != 0 || n < 0 || n > limit {
		return 0, fmt.Errorf("%s is not a whole number from 0 to %d", q.String(), limit)
	}
	return n, nil
}

func decimal(n int64) string {
	return strconv.FormatInt(n, 10)
}

// memory is a number of bytes in the largest unit that holds it exactly. Flame
// reads Ki to Pi as powers of 1024 and no unit as bytes (common/src/ctx.rs:315);
// decimal units are not used, since Flame takes 1G for 1Gi.
func memory(bytes int64) string {
	units := []string{"", "Ki", "Mi", "Gi", "Ti", "Pi"}
	i := 0
	for bytes != 0 && bytes%1024 == 0 && i < len(units)-1 {
		bytes /= 1024
		i++
	}
	return decimal(bytes) + units[i]
}

// memoryPattern is what Flame takes for an amount of memory: bytes, or a number
// with a unit in any case (common/src/ctx.rs:315, and the parser of bytesize 1.3).
var memoryPattern = regexp.MustCompile(`^(?i)\s*([0-9]{1,18}|[0-9]*\.?[0-9]+\s*(b|[kmgtp](ib?|b)?))\s*$`)

// validResreq tells whether Flame can parse text as a resource requirement. It
// is stricter in one respect: GPUs can't be negative.
func validResreq(text string) bool {
	for _, part := range strings.Split(text, ",") {
		key, value, found := strings.Cut(part, "=")
		value = strings.TrimSpace(value)
		if !found {
			return false
		}
		var err error
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "cpu":
			_, err = strconv.ParseUint(value, 10, 64)
		case "mem", "memory":
			if !memoryPattern.MatchString(value) {
				return false
			}
		case "gpu":
			_, err = strconv.ParseUint(value, 10, 31)
		default:
			return false
		}
		if err != nil {
			return false
		}
	}
	return true
}
