package flameconf

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

func slotOf(cpu, memory, gpu string) *v1alpha1.Slot {
	quantity := func(text string) *resource.Quantity {
		if text == "" {
			return nil
		}
		q := resource.MustParse(text)
		return &q
	}
	return &v1alpha1.Slot{CPU: quantity(cpu), Memory: quantity(memory), GPU: quantity(gpu)}
}

func TestResreq(t *testing.T) {
	for _, test := range []struct{ cpu, memory, gpu, want string }{
		{"1", "", "", "cpu=1"},
		{"2", "4Gi", "1", "cpu=2,mem=4Gi,gpu=1"},
		{"2000m", "4096Mi", "0", "cpu=2,mem=4Gi"},
		{"1", "1536Mi", "", "cpu=1,mem=1536Mi"},
		// Flame reads 1G as 1Gi, so decimal units become bytes.
		{"1", "1G", "", "cpu=1,mem=1000000000"},
		{"1", "1500M", "", "cpu=1,mem=1500000000"},
		{"", "1Pi", "", "mem=1Pi"},
		{"", "2Ei", "", "mem=2048Pi"},
		{"", "", "2147483647", "gpu=2147483647"},
		{"0", "1", "0", "mem=1"},
	} {
		got, err := resreq(slotOf(test.cpu, test.memory, test.gpu))
		require.NoError(t, err)
		assert.Equal(t, test.want, got)
		assert.True(t, validResreq(got), got)
	}
}

func TestResreqRefusesWhatFlameCantUse(t *testing.T) {
	for _, slot := range []*v1alpha1.Slot{
		slotOf("", "", ""),
		slotOf("0", "0", "0"),
		slotOf("500m", "", ""),
		slotOf("1", "100m", ""),
		slotOf("-1", "", ""),
		slotOf("1", "-1Gi", ""),
		slotOf("1", "", "-1"),
		slotOf("1", "", "2147483648"),
		slotOf("1e30", "", ""),
	} {
		_, err := resreq(slot)
		assert.Error(t, err)
	}
}

// flameBytes reads an amount of memory by Flame's rules: units are powers of
// 1024, and no unit means bytes.
func flameBytes(t *testing.T, text string) int64 {
	t.Helper()
	number := strings.TrimRight(text, "KMGTPi")
	n, err := strconv.ParseInt(number, 10, 64)
	require.NoError(t, err)
	switch unit := text[len(number):]; unit {
	case "":
		return n
	default:
		return n << (10 * (1 + strings.Index("KMGTP", unit[:1])))
	}
}

func TestMemoryIsExact(t *testing.T) {
	for _, bytes := range []int64{0, 1, 1023, 1024, 1025, 1 << 20, 1<<20 + 1, 3 << 30, 1_000_000_000, 1<<53 + 1, 1 << 60, math.MaxInt64} {
		text := memory(bytes)
		assert.Equal(t, bytes, flameBytes(t, text), text)
		assert.True(t, memoryPattern.MatchString(text) || bytes > 999_999_999_999_999_999, text)
	}
}

func TestValidResreqKnowsFlamesGrammar(t *testing.T) {
	for _, text := range []string{
		"cpu=1", " cpu = 1 , MEM = 1.5g ", "memory=512m,gpu=0", "mem=1024", "mem=1 GiB", "mem=3Kb,cpu=2", "cpu=1,cpu=2",
	} {
		assert.True(t, validResreq(text), text)
	}
	for _, text := range []string{
		"", "cpu", "cpu=", "cpu=1,", ",cpu=1", "cpu=0.5", "cpu=500m", "cpu=-1", "cpu=1=2", "gpu=-1", "disk=1", "mem=1X", "mem=", "mem=GiB", "slots=1",
	} {
		assert.False(t, validResreq(text), text)
	}
}
