package observed

import "github.com/xflops/flame-operator/hook/internal/jsonread"

// view is a pointer to a view that reads itself. Members without a view are skipped.
type view[T any] interface {
	*T
	read(r *jsonread.Reader)
}

func readList[T any, V view[T]](r *jsonread.Reader) []T {
	if r.Null() {
		return nil
	}
	list := []T{}
	for i := range r.Elements() {
		list = append(list, *new(T))
		V(&list[i]).read(r)
	}
	return list
}

func readOptional[T any, V view[T]](r *jsonread.Reader, into *V) {
	if r.Null() {
		*into = nil
		return
	}
	if *into == nil {
		*into = new(T)
	}
	(*into).read(r)
}

// readEmpty reads an object of which only the presence matters.
func readEmpty(r *jsonread.Reader) *struct{} {
	if r.Null() {
		return nil
	}
	r.Members()(func(string) bool { return true })
	return &struct{}{}
}
