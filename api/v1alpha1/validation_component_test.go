package v1alpha1

import "testing"

func TestComponents(t *testing.T) {
	invalid(t, map[string][]string{
		`{"objectCache":{"image":"a b"}}`:              {`spec.objectCache.image: Invalid value: "a b": must be an image reference without blanks`},
		`{"objectCache":{"imagePullPolicy":"Maybe"}}`:  {`spec.objectCache.imagePullPolicy: Unsupported value: "Maybe": supported values: "Always", "IfNotPresent", "Never"`},
		`{"objectCache":{"logLevel":"info\ndebug"}}`:   {`spec.objectCache.logLevel: Invalid value: must be a filter such as "debug" or "info,flame_session_manager=debug", in printable ASCII`},
		`{"objectCache":{"logLevel":"a[b{c=\"d\"}]"}}`: nil,
	})
}
