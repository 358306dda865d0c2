package server

import (
	"bytes"
	"os"
	"slices"
	"sync"
)

// reloaded is a value that files hold. It is as new as the files are whenever it is
// asked for, so that a rotation takes effect with the very next call. A Secret
// volume lies in memory, which makes reading cheap.
type reloaded[T any] struct {
	paths    []string
	parse    func(contents [][]byte) (T, error)
	onChange func(error)

	mu       sync.Mutex
	contents [][]byte
	value    T
	// failed are contents that were no good, kept so as to complain once.
	failed    [][]byte
	readError string
}

func load[T any](onChange func(error), parse func([][]byte) (T, error), paths ...string) (*reloaded[T], error) {
	r := &reloaded[T]{paths: paths, parse: parse, onChange: onChange}
	contents, err := r.read()
	if err != nil {
		return nil, err
	}
	r.contents = contents
	r.value, err = parse(contents)
	return r, err
}

// get returns the value in the files, or the last good one while they are missing
// or wrong: a rotation that goes wrong locks nobody out.
func (r *reloaded[T]) get() T {
	r.mu.Lock()
	defer r.mu.Unlock()
	contents, err := r.read()
	if err != nil {
		if r.readError != err.Error() {
			r.readError = err.Error()
			r.onChange(err)
		}
		return r.value
	}
	r.readError = ""
	if same(contents, r.contents) {
		r.failed = nil
		return r.value
	}
	if r.failed != nil && same(contents, r.failed) {
		return r.value
	}
	value, err := r.parse(contents)
	if err != nil {
		r.failed = contents
		r.onChange(err)
		return r.value
	}
	r.contents, r.value, r.failed = contents, value, nil
	r.onChange(nil)
	return r.value
}

func (r *reloaded[T]) read() ([][]byte, error) {
	contents := make([][]byte, len(r.paths))
	for i, path := range r.paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		contents[i] = content
	}
	return contents, nil
}

func same(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) }
