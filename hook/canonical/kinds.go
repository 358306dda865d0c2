package canonical

// ChildKind is a kind of object that an answer may contain.
type ChildKind struct {
	APIVersion string
	Kind       string
	// Resource is the plural name, as CompositeController lists it.
	Resource string
}

// ChildKinds lists all kinds that an answer may contain. The CompositeController
// in manifests lists exactly these: an object of another kind would be created once
// and never be updated, observed or deleted.
func ChildKinds() []ChildKind {
	return []ChildKind{
		{"v1", "ConfigMap", "configmaps"},
		{"v1", "Service", "services"},
		{"apps/v1", "Deployment", "deployments"},
		{"networking.k8s.io/v1", "NetworkPolicy", "networkpolicies"},
		{"policy/v1", "PodDisruptionBudget", "poddisruptionbudgets"},
	}
}

func isChildKind(apiVersion, kind string) bool {
	for _, k := range ChildKinds() {
		if k.APIVersion == apiVersion && k.Kind == kind {
			return true
		}
	}
	return false
}
