package process

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUsageIsReadFromProc(t *testing.T) {
	stat := []byte("17 (a (strange) name) S 1 17 17 0 -1 4194560 9 8 7 6 150 50 3 4 20 0 5 0 100 1000 200\n")
	status := []byte("Name:\tname\nVmPeak:\t 2000 kB\nVmHWM:\t 1024 kB\nVmRSS:\t 512 kB\n")
	usage, err := parseUsage(stat, status)
	require.NoError(t, err)
	assert.Equal(t, Usage{CPU: 2 * time.Second, PeakMemory: 1 << 20}, usage)

	_, err = parseUsage([]byte("17 (name) S 1"), status)
	assert.Error(t, err, "cut off")
	_, err = parseUsage(stat, []byte("Name:\tname\n"))
	assert.Error(t, err, "a kernel thread has no memory")
}

func TestUsageOfThisProcess(t *testing.T) {
	usage, err := UsageOf(os.Getpid())
	require.NoError(t, err)
	assert.Positive(t, usage.PeakMemory)
	_, err = UsageOf(-1)
	assert.Error(t, err)
}
