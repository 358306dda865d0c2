package status

import (
	"fmt"
	"slices"
	"strings"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/observed"
)

// otherChildren are the wanted children that are no Deployments of a component: an
// item for those that are missing, one for those that somebody added to, and one for
// others that are not as they are sent.
func (v *view) otherChildren() []item {
	deployments := map[string]bool{v.SessionManager.Name: true, v.Executors.Name: true, v.ObjectCache.Name: true}
	var missing, edited, older []Ref
	for ref, wanted := range v.wanted {
		if ref.Kind == "Deployment" && deployments[ref.Name] {
			continue
		}
		meta := v.Children.Find(ref.Kind, ref.Name)
		switch {
		case meta == nil:
			missing = append(missing, wanted)
		case wanted.Strays != "":
			edited = append(edited, wanted)
		case outdated(meta, wanted):
			older = append(older, wanted)
		}
	}
	var items []item
	for _, i := range []item{{refs: missing, missing: true}, {refs: edited}, {refs: older}} {
		if len(i.refs) > 0 {
			slices.SortFunc(i.refs, func(a, b Ref) int { return strings.Compare(a.String(), b.String()) })
			items = append(items, i)
		}
	}
	return items
}

func (v *view) describeOthers() {
	late := !v.Parent.Deleting && v.expired(v.since(v1alpha1.ConditionReady, v.ready), graceApply)
	for i := range v.others {
		o := &v.others[i]
		first := o.refs[0]
		stalled := late && (o.missing || !v.beginsSuspended())
		o.moving, o.stalled = !o.missing || v.changing() || !v.stuck && v.before.has(v1alpha1.ConditionReconciling), stalled
		o.change = v1alpha1.ReasonRollingOut
		if o.missing {
			o.change = v1alpha1.ReasonCreating
		}
		o.reason = o.change
		switch {
		case o.missing && stalled:
			o.reason, o.message = v1alpha1.ReasonChildMissing, v.missingText(first.Kind, first.Name)+andTheRest(o.refs)
		case o.missing:
			o.message = "not created yet: " + listRefs(o.refs)
		case stalled:
			o.reason = v1alpha1.ReasonApplyFailed
			o.message = v.refusedText(first, v.Children.Find(first.Kind, first.Name)) + andTheRest(o.refs)
		default:
			o.message = "the wanted revision is not applied yet to " + listRefs(o.refs)
		}
	}
}

// beginsSuspended says whether something begins in a cluster that rests suspended: Ready,
// which is False all that time, does not tell since when.
func (v *view) beginsSuspended() bool {
	return v.suspend() && !v.stuck && !v.before.has(v1alpha1.ConditionReconciling) && !v.before.has(v1alpha1.ConditionStalled)
}

// String is how messages name a child.
func (r Ref) String() string { return r.Kind + " " + r.Name }

func listRefs(refs []Ref) string {
	var list []string
	for _, r := range refs {
		text := r.String()
		if r.Strays != "" {
			text += " (" + r.Strays + ")"
		}
		list = append(list, text)
	}
	return names(list)
}

func andTheRest(refs []Ref) string {
	if len(refs) == 1 {
		return ""
	}
	return "; the same with " + listRefs(refs[1:])
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

// refusedText says why a child is not as it is sent.
func (v *view) refusedText(ref Ref, meta *observed.Meta) string {
	kubectl := func(command string) string {
		return fmt.Sprintf("`kubectl -n %s %s`", v.Parent.Namespace, command)
	}
	object := strings.ToLower(ref.Kind) + " " + ref.Name
	if meta.DeletionTimestamp != nil {
		return fmt.Sprintf("%s is being deleted and does not go (see the finalizers in %s)", ref, kubectl("get "+object+" -o yaml"))
	}
	if ref.Strays != "" {
		return fmt.Sprintf("%s has what the FlameCluster does not ask for and what is in its way: %s; take it out with %s", ref, ref.Strays, kubectl("edit "+object))
	}
	return fmt.Sprintf("%s does not take the change: the API server refuses it (see the events of %s)", ref, kubectl("describe fc "+v.Parent.Name))
}
