package v1alpha1

import "testing"

func TestVolumes(t *testing.T) {
	volume := func(object string) string { return `{"objectCache":{"volumeSource":` + object + `}}` }
	const path = `spec.objectCache.volumeSource`
	invalid(t, map[string][]string{
		volume(`{"emptyDir":{}}`):                                   nil,
		volume(`{"ephemeral":{"volumeClaimTemplate":{"spec":{}}}}`): nil,
		volume(`{}`): {path + `: Invalid value: must have exactly one kind of volume, not 0; leave volumeSource out for an emptyDir`},
		volume(`{"emptyDir":{},"hostPath":{"path":"/a"}}`):   {path + `: Invalid value: must have exactly one kind of volume, not 2; leave volumeSource out for an emptyDir`},
		volume(`{"persistentVolumeClaim":{"claimName":""}}`): {path + `.persistentVolumeClaim.claimName: Required value: name the claim`},
		volume(`{"hostPath":{"path":"a"}}`):                  {path + `.hostPath.path: Invalid value: "a": must be an absolute path without the segment ..`},
		volume(`{"hostPath":{"path":"/a/../b"}}`):            {path + `.hostPath.path: Invalid value: "/a/../b": must be an absolute path without the segment ..`},
		volume(`{"emptyDir":{"sizeLimit":"-1"}}`):            {path + `.emptyDir.sizeLimit: Invalid value: "-1": must not be negative`},
		volume(`{"ephemeral":{}}`):                           {path + `.ephemeral.volumeClaimTemplate: Required value: give the claim that each pod gets`},
	})
}

func TestOneClaimServesOnePod(t *testing.T) {
	const claim = `"volumeSource":{"persistentVolumeClaim":{"claimName":"a"}}`
	const advice = `pods: use ephemeral, which gives each pod its own, or one replica`
	invalid(t, map[string][]string{
		`{"executorManager":{` + claim + `}}`:                           nil,
		`{"replicas":0,"executorManager":{` + claim + `}}`:              nil,
		`{"replicas":5,"executorManager":{"replicas":1,` + claim + `}}`: nil,
		`{"replicas":5,"sessionManager":{` + claim + `}}`:               nil,
		`{"objectCache":{"replicas":1,` + claim + `}}`:                  nil,
		`{"replicas":2,"executorManager":{` + claim + `}}`:              {`spec.executorManager.volumeSource.persistentVolumeClaim: Invalid value: one claim can't serve 2 ` + advice},
		`{"replicas":1,"executorManager":{"replicas":3,` + claim + `}}`: {`spec.executorManager.volumeSource.persistentVolumeClaim: Invalid value: one claim can't serve 3 ` + advice},
		`{"objectCache":{"replicas":2,` + claim + `}}`:                  {`spec.objectCache.volumeSource.persistentVolumeClaim: Invalid value: one claim can't serve 2 ` + advice},
	})
}
