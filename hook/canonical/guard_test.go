package canonical

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func objectOf(text string) Object { return Object{text: text, sent: readSent(text)} }

func TestGuardPassesWhatIsHarmless(t *testing.T) {
	d, err := New(deployment())
	require.NoError(t, err)
	c, err := New(configMap("a"))
	require.NoError(t, err)
	other, err := New(configMap("b"))
	require.NoError(t, err)
	require.NoError(t, Check("team", []Object{d, c, other}))
	require.NoError(t, Check("team", []Object{}), "no children are wanted while there is no good spec")
}

func TestGuardRefusesWhatDoesHarm(t *testing.T) {
	good := objectOf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"team"}}`)
	refused := map[string]struct {
		children []Object
		says     string
	}{
		"missing children delete everything":      {nil, "no children"},
		"a null child crashes Metacontroller":     {[]Object{good, {}}, "children[1] is null"},
		"of two with one identity the last wins":  {[]Object{good, good}, "twice"},
		"an unlisted kind is forgotten":           {[]Object{objectOf(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a","namespace":"team"}}`)}, "does not list"},
		"an unlisted version flaps":               {[]Object{objectOf(`{"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","metadata":{"name":"a","namespace":"team"}}`)}, "does not list"},
		"a foreign namespace is collected":        {[]Object{objectOf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"other"}}`)}, "namespace"},
		"no namespace":                            {[]Object{objectOf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}`)}, "namespace"},
		"no name makes a new object at each sync": {[]Object{objectOf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"team"}}`)}, "no name"},
		"generateName does too":                   {[]Object{objectOf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","generateName":"a-","namespace":"team"}}`)}, "generateName"},
		"owner references are not ours":           {[]Object{objectOf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"team","ownerReferences":[{"name":"x"}]}}`)}, "ownerReferences"},
		"null labels abort the sync":              {[]Object{objectOf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"team","labels":null}}`)}, "labels is not a map"},
		"a number as label aborts the sync":       {[]Object{objectOf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"team","labels":{"n":1}}}`)}, "labels[n]"},
		"a number as annotation":                  {[]Object{objectOf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"team","annotations":{"n":1}}}`)}, "annotations[n]"},
		"controller-uid is the selector":          {[]Object{objectOf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"team","labels":{"controller-uid":"x"}}}`)}, "controller-uid"},
		"the last-applied annotation nests":       {[]Object{objectOf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"team","annotations":{"metacontroller.k8s.io/last-applied-configuration":"{}"}}}`)}, "last-applied"},
		"what is no JSON aborts the sync":         {[]Object{objectOf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"team"}`)}, "no comma"},
		"a null in the metadata":                  {[]Object{objectOf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"team","finalizers":[null]}}`)}, ".metadata.finalizers[0] is null"},
		"a null anywhere is written at each sync": {[]Object{objectOf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a","namespace":"team"},"spec":{"template":{"spec":{"containers":[{"args":null}]}}}}`)}, ".spec.template.spec.containers[0].args is null"},
	}
	for name, test := range refused {
		t.Run(name, func(t *testing.T) {
			err := Check("team", test.children)
			require.Error(t, err)
			assert.Contains(t, err.Error(), test.says)
		})
	}
}
