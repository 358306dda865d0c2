package resources

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// Labels are the labels of the objects and pods of one component. The
// app.kubernetes.io labels are for people and dashboards: nothing selects by them, so
// a podTemplate may replace them.
func Labels(cluster string, component v1alpha1.Component) map[string]string {
	l := clusterLabels(cluster)
	l[v1alpha1.LabelComponent] = string(component)
	l["app.kubernetes.io/component"] = string(component)
	return l
}

// clusterLabels are the labels of the objects that belong to no single component.
func clusterLabels(cluster string) map[string]string {
	return map[string]string{
		v1alpha1.LabelCluster:          cluster,
		"app.kubernetes.io/name":       "flame",
		"app.kubernetes.io/instance":   cluster,
		"app.kubernetes.io/managed-by": "flame-hook",
	}
}

// Selector selects the pods of one component. Selectors of Deployments can't be
// changed, so it depends on nothing that a spec can change.
func Selector(cluster string, component v1alpha1.Component) map[string]string {
	return map[string]string{
		v1alpha1.LabelCluster:   cluster,
		v1alpha1.LabelComponent: string(component),
	}
}

// SelectorString is Selector in the form of the scale subresource, keys sorted.
func SelectorString(cluster string, component v1alpha1.Component) string {
	return labels.Set(Selector(cluster, component)).String()
}

// objectMeta is the metadata of one component's child.
func (c Cluster) objectMeta(name string, component v1alpha1.Component) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Namespace: c.Namespace, Labels: Labels(c.Name, component)}
}

// clusterObjectMeta is the metadata of a child that belongs to no single component.
func (c Cluster) clusterObjectMeta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Namespace: c.Namespace, Labels: clusterLabels(c.Name)}
}
