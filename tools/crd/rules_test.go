package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const ruled = `
metadata: {name: things.example.com}
spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              manager:
                type: object
                properties:
                  volumeSource: {type: object, properties: {emptyDir: {type: object}}}
                  storage: {type: object, properties: {path: {type: string}, secretRef: {type: object}}}
                  scheduleInterval: {type: string}
                  service:
                    type: object
                    properties:
                      labels: {type: object, additionalProperties: {type: string}}
                      annotations: {type: object, additionalProperties: {type: string}}
              cache:
                type: object
                properties:
                  storage: {type: string}
`

func TestFinishAddsRules(t *testing.T) {
	text, err := finish([]byte(ruled))
	require.NoError(t, err)
	spec := specOf(t, text)
	manager := spec.Properties["manager"]

	volume := manager.Properties["volumeSource"]
	assert.EqualValues(t, 1, *volume.MinProperties)
	assert.EqualValues(t, 1, *volume.MaxProperties)
	assert.Equal(t, []string{"path", "secretRef"}, manager.Properties["storage"].Not.Required)
	assert.Nil(t, spec.Properties["cache"].Properties["storage"].Not, "a path is a string")
	assert.EqualValues(t, maxDuration, *manager.Properties["scheduleInterval"].MaxLength)
	service := manager.Properties["service"]
	assert.EqualValues(t, maxLabel, *service.Properties["labels"].AdditionalProperties.Schema.MaxLength)
	assert.EqualValues(t, maxAnnotation, *service.Properties["annotations"].AdditionalProperties.Schema.MaxLength)
}
