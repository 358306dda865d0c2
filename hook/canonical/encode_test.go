package canonical

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/xflops/flame-operator/api/v1alpha1"
)

// byEncodingJSON is what canonical JSON is by definition: what encoding/json writes,
// sorted, without null members and empty lists.
func byEncodingJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var tree any
	require.NoError(t, decoder.Decode(&tree))
	dropAbsent(tree)
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(tree))
	return string(bytes.TrimRight(buffer.Bytes(), "\n"))
}

func dropAbsent(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			if list, ok := member.([]any); member == nil || ok && len(list) == 0 {
				delete(v, key)
				continue
			}
			dropAbsent(member)
		}
	case []any:
		for _, element := range v {
			dropAbsent(element)
		}
	}
}

func requireCanonical(t *testing.T, v any) {
	t.Helper()
	got, err := JSON(v)
	require.NoError(t, err)
	want := byEncodingJSON(t, v)
	if want == string(got) {
		return
	}
	// The objects are large: only the place is shown.
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	require.Fail(t, "not canonical", "%T: want ...%.60q, got ...%.60q", v, want[at:], got[at:])
}

var texts = []string{"", "a", "<&>", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "ü€😀", "\u2028\u2029", "\xff\xc3", "a\xed\xa0\x80b", "8080", "true"}

// fill sets every field that a JSON document can set, now and then to nothing.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	pick := func(of []string) string { return of[r.IntN(len(of))] }
	switch value := v.Addr().Interface().(type) {
	case *resource.Quantity:
		*value = resource.MustParse(pick([]string{"0", "1000m", "1024Mi", "1.5", "12e6", "100k", "0.1Gi"}))
		return
	case *metav1.Time:
		*value = metav1.NewTime(time.Unix(r.Int64N(1<<33), 0))
		return
	case *intstr.IntOrString:
		*value = intstr.Parse(pick(texts))
		return
	case *runtime.RawExtension:
		value.Raw = []byte(pick([]string{`{"b":[null,{"z":"","a":1.0}],"a":[0],"c":{"d":{}},"e":"<"}`, `null`, `{}`, `{"n":1e5}`}))
		return
	case *metav1.Duration:
		value.Duration = time.Duration(r.Int64N(1e12))
		return
	case *metav1.FieldsV1:
		value.SetRawBytes([]byte(`{"f:a":{".":{}}}`))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(r, v.Field(i), depth)
			}
		}
	case reflect.Pointer:
		if depth > 0 && r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth-1)
		}
	case reflect.Slice:
		if n := r.IntN(4); depth > 0 && n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n-1, n))
			for i := range v.Len() {
				fill(r, v.Index(i), depth-1)
			}
		}
	case reflect.Map:
		if n := r.IntN(4); depth > 0 && n > 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range n - 1 {
				key, element := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				fill(r, key, depth-1)
				fill(r, element, depth-1)
				v.SetMapIndex(key, element)
			}
		}
	case reflect.String:
		v.SetString(pick(texts))
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.IntN(3) - 1))
	case reflect.Uint8:
		v.SetUint(r.Uint64N(256))
	}
}

// Everything that is ever sent or hashed, and more: the hash of an object must not
// change because of how it is written.
func TestCanonicalIsSortedEncodingJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same objects every time
	for range 60 {
		for _, v := range []any{
			&appsv1.Deployment{}, &corev1.Service{}, &corev1.ConfigMap{}, &corev1.Secret{}, &corev1.Pod{},
			&policyv1.PodDisruptionBudget{}, &networkingv1.NetworkPolicy{}, &corev1.PodTemplateSpec{},
			&v1alpha1.FlameClusterSpec{}, &v1alpha1.FlameClusterStatus{},
		} {
			fill(r, reflect.ValueOf(v).Elem(), 9)
			requireCanonical(t, v)
		}
	}
}

type number float64

type upper string

func (u upper) MarshalText() ([]byte, error) { return []byte("<" + string(u) + ">"), nil }

type pointed struct{ N int }

func (p *pointed) MarshalJSON() ([]byte, error) { return []byte(`{"b":null,"a":[1,[]]}`), nil }

type inner struct {
	Promoted string `json:"promoted"`
	Hidden   string `json:"hidden"`
}

type tricky struct {
	inner
	*pointed `json:"own"`
	Hidden   int             `json:"hidden"`
	NoTag    bool            `json:",omitempty"`
	Dash     int             `json:"-"`
	Quoted   int             `json:"quoted,string"`
	Bytes    []byte          `json:"bytes"`
	Floats   []number        `json:"floats"`
	Array    [2]int          `json:"array"`
	Any      any             `json:"any"`
	Raw      json.RawMessage `json:"raw,omitempty"`
	Uppers   map[upper]upper `json:"uppers"`
	Ints     map[int]string  `json:"ints"`
	Pointed  pointed         `json:"pointed"`
	Zero     metav1.Time     `json:"zero,omitzero"`
	Struct   struct{}        `json:"struct,omitempty"`
	private  int
}

// None of these is in an object that is sent today.
func TestRareTypesAreWrittenAsEncodingJSONDoes(t *testing.T) {
	for _, v := range []any{
		nil, true, 7, -1.5e-9, uint8(3), "x", []string(nil), []string{}, map[string]int(nil), map[string]*int{"a": nil},
		[]any{nil, []any{}, map[string]any{"b": nil, "a": []any{}, "c": json.Number("1.0")}},
		tricky{}, &tricky{
			pointed: &pointed{}, Hidden: 1, NoTag: true, Quoted: 2, Bytes: []byte{0xff}, Floats: []number{1, 1e30}, Any: map[string]any{"x": 1.0},
			Raw: json.RawMessage(`{"z":1,"a":null}`), Uppers: map[upper]upper{"k": "v"}, Ints: map[int]string{2: "b", 10: "a"}, private: 1,
		},
		struct{ pointed }{}, struct{ P *pointed }{&pointed{}}, []pointed{{}}, map[string]pointed{"k": {1}},
		struct {
			*inner
			N int
		}{N: 1},
	} {
		requireCanonical(t, v)
	}
	_, err := JSON(map[string]any{"f": func() {}})
	require.Error(t, err)
	_, err = JSON([]any{make(chan int)})
	require.Error(t, err)
}

func FuzzText(f *testing.F) {
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { requireCanonical(t, map[string]string{text: text}) })
}
