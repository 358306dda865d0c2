package v1alpha1

import (
	"net/netip"
	"reflect"

	networkingv1 "k8s.io/api/networking/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

func validateNetworkPolicy(policy *NetworkPolicySpec, path *field.Path) field.ErrorList {
	if policy == nil {
		return nil
	}
	path = path.Child("networkPolicy")
	errs := validateCount(len(policy.Clients), maxPeers, path, "clients")
	for i, peer := range policy.Clients {
		errs = append(errs, validatePeer(peer, path.Child("clients").Index(i))...)
	}
	return errs
}

func validatePeer(peer networkingv1.NetworkPolicyPeer, path *field.Path) field.ErrorList {
	selectors := peer.PodSelector != nil || peer.NamespaceSelector != nil
	if (peer.IPBlock != nil) == selectors {
		return field.ErrorList{field.Invalid(path, field.OmitValueType{}, "must have podSelector, namespaceSelector or both, or ipBlock alone")}
	}
	if peer.IPBlock != nil {
		return validateIPBlock(peer.IPBlock, path.Child("ipBlock"))
	}
	options := metav1validation.LabelSelectorValidationOptions{}
	errs := metav1validation.ValidateLabelSelector(peer.PodSelector, options, path.Child("podSelector"))
	errs = append(errs, metav1validation.ValidateLabelSelector(peer.NamespaceSelector, options, path.Child("namespaceSelector"))...)
	for _, err := range errs {
		// Kubernetes repeats every value, an operator too.
		if value := reflect.ValueOf(err.BadValue); value.Kind() == reflect.String {
			err.BadValue = secrecy.Shown(value.String())
		}
	}
	return errs
}

func validateIPBlock(block *networkingv1.IPBlock, path *field.Path) field.ErrorList {
	const wanted = `must be a block of addresses, such as "10.0.0.0/8"`
	cidr, err := netip.ParsePrefix(block.CIDR)
	if err != nil {
		return field.ErrorList{field.Invalid(path.Child("cidr"), secrecy.Shown(block.CIDR), wanted)}
	}
	var errs field.ErrorList
	for i, text := range block.Except {
		except, err := netip.ParsePrefix(text)
		switch {
		case err != nil:
			errs = append(errs, field.Invalid(path.Child("except").Index(i), secrecy.Shown(text), wanted))
		case except.Bits() <= cidr.Bits() || !cidr.Overlaps(except):
			errs = append(errs, field.Invalid(path.Child("except").Index(i), secrecy.Shown(text), "must be a part of cidr, "+secrecy.Shown(block.CIDR)))
		}
	}
	return errs
}
