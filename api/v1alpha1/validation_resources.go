package v1alpha1

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/xflops/flame-operator/internal/secrecy"
)

func validateResources(resources *corev1.ResourceRequirements, path *field.Path) field.ErrorList {
	path = path.Child("resources")
	return slices.Concat(
		validateResourceList(resources.Limits, path, "limits"),
		validateResourceList(resources.Requests, path, "requests"),
		ValidateRequests(resources, path),
		validateClaims(resources.Claims, path, "claims"),
	)
}

// ValidateRequests checks the requests of a container against its limits by the API
// server's rules: a request is at most its limit, and for devices and huge pages it is
// the limit. path is that of the resources.
func ValidateRequests(resources *corev1.ResourceRequirements, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range sortedKeys(resources.Requests) {
		request, key := resources.Requests[name], secrecy.Shown(string(name))
		limit, limited := resources.Limits[name]
		switch {
		case limited && request.Cmp(limit) > 0:
			errs = append(errs, field.Invalid(path.Child("requests").Key(key), request.String(), "must be at most the limit, "+limit.String()))
		case overcommitable(name):
		case !limited:
			errs = append(errs, field.Required(path.Child("limits").Key(key), "give the limit; it is the request too"))
		case request.Cmp(limit) != 0:
			errs = append(errs, field.Invalid(path.Child("requests").Key(key), request.String(), "must be equal to the limit, "+limit.String()+": devices and huge pages can't be overcommitted"))
		}
	}
	return errs
}

func validateResourceList(list corev1.ResourceList, path *field.Path, name string) field.ErrorList {
	errs := validateCount(len(list), maxResources, path, name)
	for _, resourceName := range sortedKeys(list) {
		quantity, key := list[resourceName], secrecy.Shown(string(resourceName))
		if !containerResource(resourceName) {
			errs = append(errs, field.Invalid(path.Child(name).Key(key), key,
				`must be cpu, memory, ephemeral-storage, hugepages-SIZE, or a device such as "nvidia.com/gpu"`))
		}
		switch {
		case quantity.Sign() < 0:
			errs = append(errs, field.Invalid(path.Child(name).Key(key), quantity.String(), "must not be negative"))
		case !overcommitable(resourceName) && !whole(quantity):
			errs = append(errs, field.Invalid(path.Child(name).Key(key), quantity.String(), "must be a whole number"))
		}
	}
	return errs
}

func validateClaims(claims []corev1.ResourceClaim, path *field.Path, name string) field.ErrorList {
	var errs field.ErrorList
	seen := make(map[string]bool, len(claims))
	for i, claim := range claims {
		if seen[claim.Name] {
			errs = append(errs, field.Duplicate(path.Child(name).Index(i), secrecy.Shown(claim.Name)))
		}
		seen[claim.Name] = true
	}
	return errs
}

// resourceName matches the resources that a container can have: the API server's
// own rule, short of a bound on the length of a device's domain.
var resourceName = regexp.MustCompile(`^(cpu|memory|ephemeral-storage|hugepages-[A-Za-z0-9.]{1,53}|` +
	`[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)$`)

func containerResource(name corev1.ResourceName) bool {
	return resourceName.MatchString(string(name)) && !strings.HasPrefix(string(name), corev1.DefaultResourceRequestsPrefix)
}

// overcommitable says whether a request may be lower than the limit. Kubernetes
// does not allow it for huge pages and for extended resources, such as GPUs.
func overcommitable(name corev1.ResourceName) bool {
	text := string(name)
	return !strings.HasPrefix(text, corev1.ResourceHugePagesPrefix) &&
		(!strings.Contains(text, "/") || strings.Contains(text, corev1.ResourceDefaultNamespacePrefix))
}

// whole says whether a quantity is a whole number that 64 bits hold.
func whole(quantity resource.Quantity) bool {
	rounded := resource.NewQuantity(quantity.Value(), quantity.Format)
	return quantity.Cmp(*rounded) == 0
}
