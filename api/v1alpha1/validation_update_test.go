package v1alpha1

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// An SQLite database does not survive a change of the Flame version.
func TestVersionChangeWithSQLite(t *testing.T) {
	const sqlite = `{"version":"0.6.0","sessionManager":{"storage":{"type":"sqlite"}}}`
	const next = `{"version":"0.7.0","sessionManager":{"storage":{"type":"sqlite"}}}`
	tests := map[string]struct {
		old, updated string
		annotations  map[string]string
		refused      bool
	}{
		"another version":            {sqlite, next, nil, true},
		"back again":                 {next, sqlite, nil, true},
		"allowed":                    {sqlite, next, map[string]string{AnnotationAllowStateLoss: "true"}, false},
		"allowed only by true":       {sqlite, next, map[string]string{AnnotationAllowStateLoss: "yes"}, true},
		"the same version":           {sqlite, `{"version":"v0.6.0","sessionManager":{"storage":{"type":"sqlite"}}}`, nil, false},
		"to files":                   {sqlite, `{"version":"0.7.0"}`, nil, false},
		"files":                      {`{"version":"0.6.0"}`, `{"version":"0.7.0"}`, nil, false},
		"from files":                 {`{"version":"0.6.0"}`, next, nil, false},
		"a connection from a Secret": {`{"sessionManager":{"storage":{"type":"sqlite","secretRef":{"name":"a","key":"b"}}}}`, next, nil, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			old, updated := decoded(t, test.old), decoded(t, test.updated)
			SetDefaults(old)
			SetDefaults(updated)
			errs := ValidateUpdate(old, updated, test.annotations)
			if !test.refused {
				assert.Empty(t, errs)
				return
			}
			assert.Equal(t, []string{"spec.version"}, fieldsOf(errs))
			assert.Contains(t, errs[0].Detail, AnnotationAllowStateLoss)
		})
	}
	assert.Empty(t, ValidateUpdate(nil, &FlameClusterSpec{}, nil), "the first spec")
}
