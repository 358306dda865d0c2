package observed

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/hook/internal/jsonread"
)

// Pod is the view of a pod of one of the daemons.
type Pod struct {
	Metadata Meta      `json:"metadata"`
	Status   PodStatus `json:"status"`
}

func (p *Pod) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "metadata":
			p.Metadata.read(r)
		case "status":
			p.Status.read(r)
		}
	}
}

// PodStatus is the view of a pod's status.
type PodStatus struct {
	Phase                 corev1.PodPhase   `json:"phase"`
	Reason                string            `json:"reason"`
	Message               string            `json:"message"`
	Conditions            []PodCondition    `json:"conditions"`
	InitContainerStatuses []ContainerStatus `json:"initContainerStatuses"`
	ContainerStatuses     []ContainerStatus `json:"containerStatuses"`
}

func (s *PodStatus) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "phase":
			jsonread.Text(r, &s.Phase)
		case "reason":
			r.String(&s.Reason)
		case "message":
			r.String(&s.Message)
		case "conditions":
			s.Conditions = readList[PodCondition](r)
		case "initContainerStatuses":
			s.InitContainerStatuses = readList[ContainerStatus](r)
		case "containerStatuses":
			s.ContainerStatuses = readList[ContainerStatus](r)
		}
	}
}

// PodCondition is the view of a condition in a pod's status.
type PodCondition struct {
	Type    corev1.PodConditionType `json:"type"`
	Status  corev1.ConditionStatus  `json:"status"`
	Reason  string                  `json:"reason"`
	Message string                  `json:"message"`
}

func (c *PodCondition) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "type":
			jsonread.Text(r, &c.Type)
		case "status":
			jsonread.Text(r, &c.Status)
		case "reason":
			r.String(&c.Reason)
		case "message":
			r.String(&c.Message)
		}
	}
}

// ContainerStatus is the view of one container's status.
type ContainerStatus struct {
	Name         string         `json:"name"`
	Ready        bool           `json:"ready"`
	RestartCount int32          `json:"restartCount"`
	State        ContainerState `json:"state"`
	LastState    ContainerState `json:"lastState"`
}

func (c *ContainerStatus) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "name":
			r.String(&c.Name)
		case "ready":
			r.Bool(&c.Ready)
		case "restartCount":
			r.Int32(&c.RestartCount)
		case "state":
			c.State.read(r)
		case "lastState":
			c.LastState.read(r)
		}
	}
}

// ContainerState is the view of a container's state; at most one member is set.
type ContainerState struct {
	Waiting    *ContainerWaiting    `json:"waiting"`
	Running    *struct{}            `json:"running"`
	Terminated *ContainerTerminated `json:"terminated"`
}

func (s *ContainerState) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "waiting":
			readOptional(r, &s.Waiting)
		case "running":
			s.Running = readEmpty(r)
		case "terminated":
			readOptional(r, &s.Terminated)
		}
	}
}

// ContainerWaiting says why a container does not run.
type ContainerWaiting struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

func (w *ContainerWaiting) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "reason":
			r.String(&w.Reason)
		case "message":
			r.String(&w.Message)
		}
	}
}

// ContainerTerminated says how a container ended.
type ContainerTerminated struct {
	ExitCode   int32       `json:"exitCode"`
	Reason     string      `json:"reason"`
	Message    string      `json:"message"`
	FinishedAt metav1.Time `json:"finishedAt"`
}

func (t *ContainerTerminated) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "exitCode":
			r.Int32(&t.ExitCode)
		case "reason":
			r.String(&t.Reason)
		case "message":
			r.String(&t.Message)
		case "finishedAt":
			r.Time(&t.FinishedAt)
		}
	}
}
