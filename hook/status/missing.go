package status

import (
	"fmt"
	"slices"
	"strings"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// otherChildren are the wanted children that are no Deployments of a component and
// are missing or not as they are sent, sorted.
func (v *view) otherChildren() []item {
	deployments := map[string]bool{v.SessionManager.Name: true, v.Executors.Name: true, v.ObjectCache.Name: true}
	var items []item
	for ref, hash := range v.hashes {
		if ref.Kind == "Deployment" && deployments[ref.Name] {
			continue
		}
		meta := v.Children.Find(ref.Kind, ref.Name)
		switch {
		case meta == nil:
			items = append(items, item{title: ref.Kind + " " + ref.Name, missing: true})
		case outdated(meta, hash):
			items = append(items, item{title: ref.Kind + " " + ref.Name})
		}
	}
	slices.SortFunc(items, func(a, b item) int { return strings.Compare(a.title, b.title) })
	return items
}

func (v *view) describeOthers() {
	stalled := !v.Parent.Deleting && v.expired(v.since(v1alpha1.ConditionReady, v.ready), graceApply)
	for i := range v.others {
		o := &v.others[i]
		kind, name, _ := strings.Cut(o.title, " ")
		o.moving, o.stalled = !o.missing || v.changing() || !v.stuck && v.before.has(v1alpha1.ConditionReconciling), stalled
		o.change = v1alpha1.ReasonRollingOut
		if o.missing {
			o.change = v1alpha1.ReasonCreating
		}
		switch {
		case o.missing && stalled:
			o.reason, o.message = v1alpha1.ReasonChildMissing, v.missingText(kind, name)
		case o.missing:
			o.reason, o.message = v1alpha1.ReasonCreating, "does not exist yet"
		case stalled:
			o.reason, o.message = v1alpha1.ReasonApplyFailed, v.refusedText(kind, name, v.Children.Find(kind, name))
		default:
			o.reason, o.message = v1alpha1.ReasonRollingOut, "the wanted revision is not applied yet"
		}
	}
}

// missingText names both causes of a child that does not come up. Metacontroller
// reports neither to the hook: what the API server refuses becomes an Event on the
// FlameCluster, and an object of that name that belongs to somebody else is not
// reported at all.
func (v *view) missingText(kind, name string) string {
	return fmt.Sprintf("%s %s does not exist or is not ours: either the API server refused it (see the events of `kubectl -n %s describe fc %s`), "+
		"or something else owns the name (see `kubectl -n %s get %s %s -o yaml`)",
		kind, name, v.Parent.Namespace, v.Parent.Name, v.Parent.Namespace, strings.ToLower(kind), name)
}

func (v *view) refusedText(kind, name string, meta *observed.Meta) string {
	if meta.DeletionTimestamp != nil {
		return fmt.Sprintf("%s %s is being deleted and does not go (see the finalizers in `kubectl -n %s get %s %s -o yaml`)",
			kind, name, v.Parent.Namespace, strings.ToLower(kind), name)
	}
	return fmt.Sprintf("%s %s does not take the change: the API server refuses it (see the events of `kubectl -n %s describe fc %s`)",
		kind, name, v.Parent.Namespace, v.Parent.Name)
}
