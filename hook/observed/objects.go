package observed

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/xflops/flame-operator/api/v1alpha1"
	"github.com/xflops/flame-operator/hook/internal/jsonread"
)

// Meta is what is read of an object's metadata.
type Meta struct {
	Name              string            `json:"name"`
	Namespace         string            `json:"namespace"`
	UID               string            `json:"uid"`
	Generation        int64             `json:"generation"`
	CreationTimestamp metav1.Time       `json:"creationTimestamp"`
	DeletionTimestamp *metav1.Time      `json:"deletionTimestamp"`
	Labels            map[string]string `json:"labels"`
	// Annotations are only those of this API: others can be long.
	Annotations map[string]string `json:"annotations"`

	lastApplied string
}

// annotationLastApplied holds what Metacontroller's dynamic apply sent last, as JSON.
// Server-side apply leaves no such trace (Metacontroller v4.17, pkg/dynamic/apply).
const annotationLastApplied = "metacontroller.k8s.io/last-applied-configuration"

// isOurs says whether an annotation belongs to this API.
func isOurs(annotation string) bool {
	return strings.HasPrefix(annotation, v1alpha1.Group+"/")
}

// Hash is the hash with which the object was last sent, or "" if it never was.
func (m *Meta) Hash() string { return m.Annotations[v1alpha1.AnnotationHash] }

func (m *Meta) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "name":
			r.String(&m.Name)
		case "namespace":
			r.String(&m.Namespace)
		case "uid":
			r.String(&m.UID)
		case "generation":
			r.Int64(&m.Generation)
		case "creationTimestamp":
			r.Time(&m.CreationTimestamp)
		case "deletionTimestamp":
			m.DeletionTimestamp = nil
			if !r.Null() {
				m.DeletionTimestamp = &metav1.Time{}
				r.Time(m.DeletionTimestamp)
			}
		case "labels":
			r.Strings(&m.Labels)
		case "annotations":
			m.lastApplied = ""
			r.StringsOf(&m.Annotations, isOurs, func(name, text string) {
				if name == annotationLastApplied {
					m.lastApplied = text
				}
			})
		}
	}
}

// LastApplied is the object that Metacontroller sent last, as JSON, or "" where it
// leaves no trace of that.
func (m *Meta) LastApplied() string {
	if m.lastApplied == "" {
		return ""
	}
	var text string
	jsonread.New(m.lastApplied).String(&text)
	return text
}

// Object is the view of a child of which little but the metadata matters.
type Object struct {
	Metadata Meta `json:"metadata"`

	spec string
}

func (o *Object) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "metadata":
			o.Metadata.read(r)
		case "spec":
			o.spec = r.Raw()
		}
	}
}

// Spec is the object's spec as it was sent, in JSON, or "" if it has none.
func (o *Object) Spec() string { return o.spec }

func (o *Object) meta() *Meta { return &o.Metadata }

// ConfigMap is the view of a ConfigMap. Its data is decoded when somebody asks for
// it: what the daemons' ConfigMaps hold is known without reading it.
type ConfigMap struct {
	Metadata Meta `json:"metadata"`

	data string
}

func (c *ConfigMap) read(r *jsonread.Reader) {
	for name := range r.Members() {
		switch name {
		case "metadata":
			c.Metadata.read(r)
		case "data":
			c.data = r.Raw()
		}
	}
}

// Data is what the ConfigMap holds. Data that is no map of strings counts as none.
func (c *ConfigMap) Data() map[string]string {
	if c.data == "" {
		return nil
	}
	var data map[string]string
	r := jsonread.New(c.data)
	if r.Strings(&data); r.End() != nil {
		return nil
	}
	return data
}

func (c *ConfigMap) meta() *Meta { return &c.Metadata }
