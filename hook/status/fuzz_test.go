package status

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// FuzzCompute feeds any children, any pods and any previous status. The answer is
// sound, and agrees with itself when it comes back.
func FuzzCompute(f *testing.F) {
	for _, s := range situations() {
		in := s.world
		children, err := json.Marshal(map[string]any{
			"ConfigMap.v1": in.Children.ConfigMaps, "Deployment.apps/v1": in.Children.Deployments, "Service.v1": in.Children.Services,
		})
		require.NoError(f, err)
		pods := map[string]observed.Pod{}
		for _, p := range s.world.pods {
			pods[p.Metadata.Name] = p
		}
		related, err := json.Marshal(map[string]any{"Pod.v1": pods})
		require.NoError(f, err)
		previous, err := json.Marshal(in.Previous)
		require.NoError(f, err)
		f.Add(children, related, previous, in.Parent.Generation, s.world.Spec != nil && s.world.Spec.Suspend)
	}
	f.Fuzz(func(t *testing.T, children, related, previous []byte, generation int64, suspended bool) {
		w := running()
		w.Parent.Generation = generation
		if suspended {
			suspend(w)
		}
		w.Children, w.Previous = &observed.Children{}, v1alpha1.FlameClusterStatus{}
		var pods observed.Related
		if json.Unmarshal(children, w.Children) != nil || json.Unmarshal(related, &pods) != nil || json.Unmarshal(previous, &w.Previous) != nil {
			return
		}
		in := w.Input
		in.Related = &pods
		status := Compute(in)
		requireSound(t, in, status)
		want := encode(t, status)
		in.Previous = v1alpha1.FlameClusterStatus{}
		require.NoError(t, json.Unmarshal([]byte(want), &in.Previous))
		require.Equal(t, want, encode(t, Compute(in)))
		in.Now = in.Now.Add(24 * time.Hour)
		requireSound(t, in, Compute(in))
	})
}
