package hook

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/internal/jsonread"
	"github.com/xflops/flame-operator/hook/observed"
)

// Request is the body of a sync, finalize or customize call of Metacontroller's
// hook v1 or v2. The `controller` of the body is not read: nothing depends on it.
type Request struct {
	// Parent is the FlameCluster.
	Parent Parent `json:"parent"`
	// Children are the objects that belong to the parent.
	Children observed.Children `json:"children"`
	// Related are the objects that the answer to customize asked for.
	Related observed.Related `json:"related"`
	// Finalizing is true when the parent is being deleted and waits for a finalizer.
	Finalizing bool `json:"finalizing"`
}

func (r *Request) read(body string) error {
	from := jsonread.New(body)
	for name := range from.Members() {
		switch name {
		case "parent":
			r.Parent.read(from)
		case "children":
			r.Children.Read(from)
		case "related":
			r.Related.Read(from)
		case "finalizing":
			from.Bool(&r.Finalizing)
		}
	}
	return from.End()
}

// Parent is a FlameCluster as it arrives. Spec and status stay raw: objects that
// were stored under another version of the CRD have to be readable too.
type Parent struct {
	metav1.TypeMeta `json:",inline"`
	Metadata        ParentMeta      `json:"metadata"`
	Spec            json.RawMessage `json:"spec"`
	Status          json.RawMessage `json:"status"`

	// previous is what Status says, once it was read.
	previous *v1alpha1.FlameClusterStatus
}

func (p *Parent) read(from *jsonread.Reader) {
	for name := range from.Members() {
		switch name {
		case "apiVersion":
			from.String(&p.APIVersion)
		case "kind":
			from.String(&p.Kind)
		case "metadata":
			p.Metadata.read(from)
		case "spec":
			p.Spec = json.RawMessage(from.Raw())
		case "status":
			p.Status = json.RawMessage(from.Raw())
		}
	}
}

// ParentMeta is what is read of a FlameCluster's metadata.
type ParentMeta struct {
	Name              string            `json:"name"`
	Namespace         string            `json:"namespace"`
	UID               string            `json:"uid"`
	Generation        int64             `json:"generation"`
	CreationTimestamp metav1.Time       `json:"creationTimestamp"`
	DeletionTimestamp *metav1.Time      `json:"deletionTimestamp"`
	Annotations       map[string]string `json:"annotations"`
}

func (m *ParentMeta) read(from *jsonread.Reader) {
	for name := range from.Members() {
		switch name {
		case "name":
			from.String(&m.Name)
		case "namespace":
			from.String(&m.Namespace)
		case "uid":
			from.String(&m.UID)
		case "generation":
			from.Int64(&m.Generation)
		case "creationTimestamp":
			from.Time(&m.CreationTimestamp)
		case "deletionTimestamp":
			m.DeletionTimestamp = nil
			if !from.Null() {
				m.DeletionTimestamp = &metav1.Time{}
				from.Time(m.DeletionTimestamp)
			}
		case "annotations":
			from.Strings(&m.Annotations)
		}
	}
}

// Paused says whether the user asked to leave all children as they are.
func (m *ParentMeta) Paused() bool { return m.Annotations[v1alpha1.AnnotationPaused] == "true" }

// PreviousStatus is the status as the request carries it. What another version
// wrote in a shape that can't be read counts as absent, member by member.
func (p *Parent) PreviousStatus() v1alpha1.FlameClusterStatus {
	if p.previous != nil {
		return *p.previous
	}
	return readStatus(string(p.Status))
}

// DecodeRequest reads the body of a hook call. It returns an *Error with status
// 400 for anything that is not a request about a FlameCluster. Of a body of bytes
// nothing is kept: it may be used again.
func DecodeRequest[Body []byte | string](body Body) (*Request, error) {
	var r Request
	if err := r.read(string(body)); err != nil {
		return nil, badRequest("the body is not a hook request: malformed JSON or a member of the wrong type")
	}
	if r.Parent.APIVersion != v1alpha1.GroupVersion.String() || r.Parent.Kind != v1alpha1.Kind {
		return nil, badRequest(fmt.Sprintf("the parent is not a %s of %s", v1alpha1.Kind, v1alpha1.GroupVersion))
	}
	if r.Parent.Metadata.Name == "" || r.Parent.Metadata.Namespace == "" {
		return nil, badRequest("the parent has no name or no namespace")
	}
	previous := readStatus(string(r.Parent.Status))
	r.Parent.previous = &previous
	return &r, nil
}
