package resources

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestStatePersistent(t *testing.T) {
	for name, tc := range map[string]struct {
		spec string
		want bool
	}{
		"default":                 {"{}", false},
		"emptyDir":                {"sessionManager: {volumeSource: {emptyDir: {}}}", false},
		"claim":                   {"sessionManager: {volumeSource: {persistentVolumeClaim: {claimName: a}}}", true},
		"claim per pod":           {"sessionManager: {volumeSource: {ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}}", false},
		"inline CSI":              {"sessionManager: {volumeSource: {csi: {driver: a.example.com}}}", false},
		"host path":               {"sessionManager: {volumeSource: {hostPath: {path: /data}}}", true},
		"NFS":                     {"sessionManager: {volumeSource: {nfs: {server: a, path: /data}}}", true},
		"nothing kept on a claim": {"sessionManager: {storage: {type: none}, volumeSource: {persistentVolumeClaim: {claimName: a}}}", false},
		"sqlite on a claim":       {"sessionManager: {storage: {type: sqlite}, volumeSource: {persistentVolumeClaim: {claimName: a}}}", true},
		"database":                {"sessionManager: {storage: {type: postgres, secretRef: {name: a, key: b}}}", true},
	} {
		assert.Equal(t, tc.want, StatePersistent(decodeSpec(t, tc.spec)), name)
	}
}

func TestStateIdentity(t *testing.T) {
	identity := func(spec string) string { return StateIdentity(decodeSpec(t, spec)) }
	base := identity("{}")
	assert.Len(t, base, 16)
	assert.Equal(t, base, identity("{replicas: 9, version: 0.7.0, sessionManager: {policy: fair, volumeSource: {emptyDir: {}}}}"))
	seen := map[string]string{base: "{}"}
	for _, spec := range []string{
		"sessionManager: {storage: {type: sqlite}}",
		"sessionManager: {storage: {type: none}}",
		"sessionManager: {storage: {path: /var/lib/flame/session/b}}",
		"sessionManager: {storage: {secretRef: {name: a, key: b}}}",
		"sessionManager: {volumeSource: {persistentVolumeClaim: {claimName: a}}}",
		"sessionManager: {volumeSource: {persistentVolumeClaim: {claimName: b}}}",
	} {
		assert.NotContains(t, seen, identity(spec), spec)
		seen[identity(spec)] = spec
	}
}
