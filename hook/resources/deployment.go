package resources

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// progressDeadlineSeconds is how long a rollout may stand still until the Deployment
// says so: minutes, since without the pods in view it is the only sign of trouble.
const progressDeadlineSeconds int32 = 300

// revisionHistoryLimit keeps few old ReplicaSets: an undone Deployment would be set
// right again anyway.
const revisionHistoryLimit int32 = 2

// newDeployment is what the three Deployments share. Its callers add the number of
// replicas and the strategy.
func newDeployment(c Cluster, name string, d daemon) (*appsv1.Deployment, error) {
	template, err := podTemplate(c, d)
	if err != nil {
		return nil, err
	}
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: c.objectMeta(name, d.component),
		Spec: appsv1.DeploymentSpec{
			Selector:             &metav1.LabelSelector{MatchLabels: Selector(c.Name, d.component)},
			Template:             *template,
			RevisionHistoryLimit: new(revisionHistoryLimit),
		},
	}, nil
}

// replicas is n, or 0 while the cluster is suspended.
func replicas(c Cluster, n int32) *int32 {
	if c.Spec.Suspend {
		n = 0
	}
	return &n
}
