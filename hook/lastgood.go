package hook

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/resources"
	"github.com/xflops/flame-operator/hook/status"
)

// plan is what one answer is built from.
type plan struct {
	// spec is what runs; nil when no good spec was ever seen.
	spec *v1alpha1.FlameClusterSpec
	// record is what the last-good ConfigMap will say.
	record resources.LastGood
	// frozen is true while spec comes from the record, which has no replicas: see
	// wantedExecutors.
	frozen bool
	// invalid says what is wrong with the parent's own spec, nil when nothing is.
	invalid  *status.Invalid
	warnings []string
}

// planFor decides which spec the answer is built from: the parent's own when it is
// good, the last good one when it is not or while the cluster is paused.
func (m *Memo) planFor(r *Request) (plan, error) {
	judgement := m.judge(r.Parent.Metadata.Name, r.Parent.Spec)
	record, found := observedRecord(r)
	known := r.Parent.PreviousStatus().LastGoodGeneration
	stale := record.Generation < known

	if len(judgement.Errors) == 0 && found && record.Spec != judgement.record {
		judgement.Errors = m.updateErrors(r, record, judgement.Spec)
	}
	if len(judgement.Errors) == 0 && !r.Parent.Metadata.Paused() {
		generation := r.Parent.Metadata.Generation
		if found && !stale && record.Spec == judgement.record {
			generation = record.Generation
		}
		return plan{
			spec:     judgement.Spec,
			record:   resources.LastGood{Spec: judgement.record, Generation: generation},
			warnings: judgement.Warnings,
		}, nil
	}

	p := plan{frozen: true, warnings: judgement.Warnings}
	if len(judgement.Errors) > 0 {
		p.invalid = &status.Invalid{Reason: judgement.Reason(), Errors: judgement.Errors}
	}
	switch {
	case stale && !found:
		return plan{}, askAgain("the spec is not in force, and the ConfigMap with the last good one is not seen: the cache lags, or somebody deleted it; then repair the spec of the FlameCluster, until then nothing is changed")
	case stale:
		return plan{}, askAgain("the cache lags: the last good spec is older than the status says")
	case !found && r.Children.Len() == 0:
		return p, nil
	case !found:
		return plan{}, noSafeAnswer("the spec is not in force, and the ConfigMap with the last good one is missing: repair the spec of the FlameCluster; until then nothing is changed")
	}
	return m.fromRecord(p, r, record, &judgement)
}

// fromRecord fills in the spec that the record keeps.
func (m *Memo) fromRecord(p plan, r *Request, record resources.LastGood, current *Judgement) (plan, error) {
	kept := m.judge(r.Parent.Metadata.Name, []byte(record.Spec))
	if len(kept.Errors) > 0 {
		onlyRulesTightened := kept.Spec != nil && record.Spec == current.record
		if !onlyRulesTightened {
			return plan{}, noSafeAnswer("the last good spec is not valid for this version of flame-hook: repair the spec of the FlameCluster; until then nothing is changed")
		}
		p.invalid = nil
		p.frozen = r.Parent.Metadata.Paused()
		kept.Warnings = append([]string{"this version of flame-hook would refuse this spec if it were new: " + kept.Errors.ToAggregate().Error()}, kept.Warnings...)
		spec := *kept.Spec
		spec.Replicas = current.Spec.Replicas
		kept.Spec = &spec
	}
	p.spec, p.record = kept.Spec, record
	p.warnings = kept.Warnings
	return p, nil
}

// observedRecord is the last good spec as it is observed. One that can't be read
// counts as not there: whatever somebody wrote into it, a good spec replaces it.
func observedRecord(r *Request) (record resources.LastGood, found bool) {
	configMap := r.Children.ConfigMaps[resources.LastGoodName(r.Parent.Metadata.Name)]
	if configMap == nil {
		return resources.LastGood{}, false
	}
	record, err := resources.ParseLastGood(configMap.Data())
	if err != nil {
		return resources.LastGood{}, false
	}
	return record, true
}

func (m *Memo) updateErrors(r *Request, record resources.LastGood, updated *v1alpha1.FlameClusterSpec) field.ErrorList {
	old := m.judge(r.Parent.Metadata.Name, []byte(record.Spec))
	if old.Spec == nil {
		return nil
	}
	return v1alpha1.ValidateUpdate(old.Spec, updated, r.Parent.Metadata.Annotations)
}
