package status

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// Only the first answer and a flip carry the time of the request.
func TestTransitionTimes(t *testing.T) {
	old := func(status metav1.ConditionStatus, when metav1.Time) []metav1.Condition {
		return []metav1.Condition{{Type: v1alpha1.ConditionReady, Status: status, LastTransitionTime: when, Reason: "x"}}
	}
	fraction := metav1.NewTime(now.Add(-time.Hour + 300*time.Millisecond))
	elsewhere := metav1.NewTime(now.Add(-time.Hour).In(time.FixedZone("", 3600)))
	for name, c := range map[string]struct {
		previous []metav1.Condition
		want     time.Time
	}{
		"no status":                    {nil, now},
		"the same":                     {old("True", at(time.Hour)), now.Add(-time.Hour)},
		"flipped":                      {old("False", at(time.Hour)), now},
		"was unknown":                  {old("Unknown", at(time.Hour)), now},
		"no time":                      {old("True", metav1.Time{}), now},
		"a status of another API":      {old("Degraded", at(time.Hour)), now},
		"fractions of a second":        {old("True", fraction), now.Add(-time.Hour)},
		"another time zone":            {old("True", elsewhere), now.Add(-time.Hour)},
		"listed twice: first counts":   {append(old("True", at(time.Hour)), old("True", at(time.Minute))...), now.Add(-time.Hour)},
		"listed twice: nonsense first": {append(old("", at(time.Hour)), old("True", at(time.Minute))...), now.Add(-time.Minute)},
	} {
		t.Run(name, func(t *testing.T) {
			w := running(func(w *world) { w.Previous.Conditions = c.previous }, func(w *world) { w.Now = now.Add(700 * time.Millisecond) })
			assert.Equal(t, c.want, conditionOf(w.compute(t), v1alpha1.ConditionReady).LastTransitionTime.Time)
		})
	}
}

// What another controller left in the status neither survives nor does harm.
func TestStatusOfAnotherVersion(t *testing.T) {
	want := running(func(w *world) { w.Previous = v1alpha1.FlameClusterStatus{} })
	w := running(func(w *world) {
		w.Previous = v1alpha1.FlameClusterStatus{
			State: "ready", Message: "all good", Replicas: 7, ObservedGeneration: 99,
			Conditions: []metav1.Condition{
				{Type: "Available", Status: "True", Reason: "x", LastTransitionTime: at(time.Hour)},
				{Type: v1alpha1.ConditionReconciling, Status: "False", Reason: "x", LastTransitionTime: at(time.Hour)},
				{Type: v1alpha1.ConditionStalled, Status: "False", Reason: "x", LastTransitionTime: at(time.Hour)},
			},
		}
	})
	assert.Equal(t, encode(t, want.compute(t)), encode(t, w.compute(t)))
}

// The same answer says the same, whenever it is asked for.
func TestNothingMovesWithTime(t *testing.T) {
	w := running()
	want := encode(t, w.compute(t))
	for range 5 {
		w.next(t, 300*time.Second)
		assert.Equal(t, want, encode(t, w.compute(t)))
	}
}

// Requests of a first sync lack most things.
func TestNilMembers(t *testing.T) {
	in := running().Input
	in.Children, in.Related = nil, nil
	assert.NotPanics(t, func() { Compute(in) })
	in.Children, in.Related = &observed.Children{}, &observed.Related{}
	assert.NotPanics(t, func() { Compute(in) })
	assert.NotPanics(t, func() { Compute(Input{}) })
}

func TestCountsAndEndpoints(t *testing.T) {
	s := running(observe(executorsName, counts(4, 2, 3)), generation(4)).compute(t)
	assert.EqualValues(t, 4, s.Replicas)
	assert.EqualValues(t, 3, s.ReadyReplicas)
	assert.Equal(t, &v1alpha1.ComponentStatus{Desired: 3, Ready: 3, Updated: 2}, s.ExecutorManager)
	assert.Equal(t, &v1alpha1.ComponentStatus{Desired: 1, Ready: 1, Updated: 1, Endpoint: "http://my-session-manager.ns.svc:8080"}, s.SessionManager)
	assert.Equal(t, &v1alpha1.ComponentStatus{Desired: 1, Ready: 1, Updated: 1, Endpoint: "grpc://my-object-cache.ns.svc:9090"}, s.ObjectCache)
	assert.Equal(t, "http://my-session-manager.ns.svc:8080", s.Endpoint)
	assert.Equal(t, "grpc://my-object-cache.ns.svc:9090", s.CacheEndpoint)
	assert.Equal(t, "flame.xflops.io/cluster=my,flame.xflops.io/component=executor-manager", s.Selector)
	assert.EqualValues(t, 3, s.LastGoodGeneration)

	s = running(noCache).compute(t)
	assert.Nil(t, s.ObjectCache)
	assert.Empty(t, s.CacheEndpoint)

	s = running(observe(executorsName, hash(olderHash))).compute(t)
	assert.Zero(t, s.ExecutorManager.Updated, "no pod is known to be of the wanted revision")
}
