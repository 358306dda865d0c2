package v1alpha1

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// All of Flame's units are binary, in any case.
func TestTranslateLegacySlot(t *testing.T) {
	tests := map[string]map[string]any{
		"cpu=1,mem=1g":              {"cpu": "1", "memory": "1Gi"},
		"cpu=2, memory=1.5g":        {"cpu": "2", "memory": "1536Mi"},
		" CPU = 4 , MEM = 512m ":    {"cpu": "4", "memory": "512Mi"},
		"cpu=1,mem=1GiB,gpu=1":      {"cpu": "1", "memory": "1Gi", "gpu": "1"},
		"mem=1KB":                   {"memory": "1Ki"},
		"mem=1000":                  {"memory": "1k"},
		"mem=1500B":                 {"memory": "1500"},
		"mem=2t":                    {"memory": "2Ti"},
		"mem=1p":                    {"memory": "1Pi"},
		"cpu=1,cpu=2":               {"cpu": "2"},
		"gpu=0,cpu=007":             {"gpu": "0", "cpu": "7"},
		"mem=0.0009765625k,cpu=1":   {"memory": "1", "cpu": "1"},
		"cpu=2147483647,mem=1024Mi": {"cpu": "2147483647", "memory": "1Gi"},
	}
	for text, want := range tests {
		t.Run(text, func(t *testing.T) {
			slot, err := TranslateLegacySlot(text, field.NewPath("slot"))
			require.Nil(t, err)
			assert.Equal(t, want, slot)
		})
	}
}

func TestTranslateLegacySlotRefuses(t *testing.T) {
	for _, text := range []string{
		"", " ", "cpu", "cpu=", "cpu=0.5", "cpu=500m", "cpu=-1", "gpu=-1", "gpu=1g", "disk=1g", "cpu=1,", ",", "cpu=1;mem=1g",
		"mem=", "mem=g", "mem=1x", "mem=-1g", "mem=1.5", "mem=0.1k", "mem=99999999999p", "cpu=99999999999", "mem=1e3", "mem=1..5g",
	} {
		t.Run(text, func(t *testing.T) {
			_, err := TranslateLegacySlot(text, field.NewPath("slot"))
			assert.NotNil(t, err)
		})
	}
}
