package scenarios

// exemption is a command that is run nowhere.
type exemption struct {
	page, command, why string
}

const (
	flamesOwn = "flmctl is Flame's own command, in the image of the session manager"
	noKubelet = "no kubelet has logs here"
	otherwise = "another way to do what the command before has done"
	elsewhere = "Metacontroller is no pod here"
)

var exemptions = []exemption{
	{"docs/operations.md", "flmctl list -n      # nodes: NotReady, or Unknown for long, with more than 0 CPUs; or Ready, and there is no such pod", flamesOwn},
	{"docs/operations.md", "flmctl list -e      # executors: Void for more than a few seconds, on such a node", flamesOwn},
	{"docs/operations.md", "flmctl close -s ID", flamesOwn},
	{"docs/operations.md", "kubectl delete -k .", otherwise},
	{"docs/troubleshooting.md", "kubectl logs POD -c CONTAINER --previous", noKubelet},
	{"docs/troubleshooting.md", "kubectl -n metacontroller logs statefulset/metacontroller", elsewhere},
}

// lesson is what a page takes for granted.
type lesson struct {
	// words are what the page writes in capitals for names of the reader's.
	words map[string]string
	// before is a script that comes first, and at one before a command of the page.
	before string
	at     map[string]string
}

// installed is a cluster with flame-hook and a FlameCluster.
const installed = `
kubectl apply -f manifests/install.yaml
until kubectl get fc; do sleep 1; done
kubectl apply -f examples/minimal.yaml
kubectl wait --for=condition=Ready fc/my-flame --timeout=5m
`

// theSessionManager is what to write for a pod's name.
const theSessionManager = "$(kubectl get pods -l flame.xflops.io/component=session-manager -o jsonpath={.items[0].metadata.name})"

var lessons = map[string]lesson{
	"docs/api.md": {
		words:  map[string]string{"NAME": "my-flame", "N": "2"},
		before: installed,
	},
	"docs/configuration.md": {
		words: map[string]string{"NAME": "my-flame"},
		before: installed + `
kubectl create secret generic tls-session-manager --from-literal=tls.crt=certificate --from-literal=tls.key=key --from-literal=ca.crt=authority
kubectl apply -f examples/tls.yaml
`,
	},
	"docs/components.md": {
		before: `
kubectl apply -k crd
until kubectl get fc; do sleep 1; done
sed -i 's|https://github.com/xflops/flame-operator//\(.*\)?ref=.*|\1|' kustomization.yaml
`,
	},
	"docs/operations.md": {
		words: map[string]string{"NAME": "my-flame", "CLAIM": "flame-state"},
		before: installed + `
kubectl create -f - <<'END'
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: flame-state}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
END
`,
		at: map[string]string{
			"kubectl -n flame-system get certificate,secret flame-hook-tls": `
kubectl -n flame-system create secret generic flame-hook-tls
kubectl create -f - <<'END'
apiVersion: cert-manager.io/v1
kind: Certificate
metadata: {name: flame-hook-tls, namespace: flame-system}
spec: {}
END
`,
			"kubectl delete fc --all -A --cascade=orphan":              installed + "kubectl delete compositecontroller flamecluster\n",
			"kubectl get fc NAME -o jsonpath='{.metadata.finalizers}'": "kubectl apply -f examples/minimal.yaml",
		},
	},
	"docs/troubleshooting.md": {
		words: map[string]string{
			"NAME": "my-flame", "NAMESPACE": "default", "KIND": "configmap", "POD": theSessionManager,
		},
		before: installed + `
kubectl create secret generic my-flame
kubectl create configmap my-flame
`,
	},
	"docs/migration.md": {
		words: map[string]string{"NAME": "conn"},
		before: `
kubectl apply -f testdata/first-release.yaml
kubectl create namespace team
until kubectl get flameclusters; do sleep 1; done
kubectl apply -f cluster.yaml -f conn.yaml
sed s/my-flame/ssa/ cluster.yaml | kubectl apply --server-side --field-manager=gitops -f -
`,
		at: map[string]string{
			"kubectl apply --server-side --field-manager=gitops -f cluster.yaml": `
sed -i s/my-flame/ssa/ cluster.yaml
`,
			"kubectl get secret NAME-storage": "kubectl create secret generic conn-storage",
			"kubectl -n flame-system delete deployment flame-operator-controller-manager": `
kubectl -n flame-system create deployment flame-operator-controller-manager --image=xflops/flame-operator
`,
			"kubectl -n team delete pods,services,configmaps -l 'flame.xflops.io/cluster=proto,app.kubernetes.io/managed-by!=flame-hook'": prototype,
			"kubectl get fc proto -n team -o jsonpath='{.status.state}: {.status.message}'": prototype + `
sed s/ssa/proto/ cluster.yaml | kubectl apply -f -
`,
		},
	},
}

// prototype are objects that the prototype makes of a FlameCluster called proto.
const prototype = `
kubectl create -f - <<'END'
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: proto-config, namespace: team, labels: {flame.xflops.io/cluster: proto}}
- apiVersion: v1
  kind: Service
  metadata: {name: proto-session-manager, namespace: team, labels: {flame.xflops.io/cluster: proto}}
  spec: {ports: [{port: 8080}]}
- apiVersion: v1
  kind: Service
  metadata: {name: proto-object-cache, namespace: team, labels: {flame.xflops.io/cluster: proto}}
  spec: {ports: [{port: 9090}]}
- apiVersion: v1
  kind: Pod
  metadata: {name: proto-session-manager, namespace: team, labels: {flame.xflops.io/cluster: proto}}
  spec: {containers: [{name: flame, image: xflops/flame-session-manager}]}
- apiVersion: v1
  kind: Pod
  metadata: {name: proto-executor-manager-0, namespace: team, labels: {flame.xflops.io/cluster: proto}}
  spec: {containers: [{name: flame, image: xflops/flame-executor-manager}]}
END
`
