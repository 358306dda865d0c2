package hook

import (
	"sync"

	"k8s.io/utils/lru"
)

// memory holds results of a pure function, those that were last asked for.
type memory[K key[K], V sized] struct{ entries *entries }

// sized is something of which the number of bytes is known, more or less.
type sized interface{ size() int }

// key is what a result is remembered by: all that it depends on.
type key[K any] interface {
	comparable
	sized
	// clone shares no memory with the request.
	clone() K
}

// get returns what is remembered, or computes it. Errors are not remembered.
func (m memory[K, V]) get(k K, compute func(K) (V, error)) (V, error) {
	if m.entries == nil {
		return compute(k)
	}
	if known, ok := m.entries.get(k); ok {
		return known.(V), nil //nolint:forcetypeassert // nothing else is added
	}
	k = k.clone()
	v, err := compute(k)
	if err == nil {
		m.entries.add(k, v, k.size()+v.size())
	}
	return v, err
}

// entries are bounded by what they take together.
type entries struct {
	limit int

	mu    sync.Mutex
	bytes int
	cache *lru.Cache
}

type entry struct {
	value any
	bytes int
}

func newEntries(bytes int) *entries {
	e := &entries{limit: bytes}
	const unlimited = 0
	e.cache = lru.NewWithEvictionFunc(unlimited, func(_ lru.Key, evicted any) {
		e.bytes -= evicted.(entry).bytes //nolint:forcetypeassert // nothing else is added
	})
	return e
}

func (e *entries) get(key any) (any, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if known, ok := e.cache.Get(key); ok {
		return known.(entry).value, true //nolint:forcetypeassert // nothing else is added
	}
	return nil, false
}

// add makes room by forgetting what nobody asked for the longest. What would take a
// large part of all room is not kept.
func (e *entries) add(key, value any, bytes int) {
	const largestPart = 16
	if bytes > e.limit/largestPart {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, ok := e.cache.Get(key); ok {
		return
	}
	e.cache.Add(key, entry{value, bytes})
	for e.bytes += bytes; e.bytes > e.limit; {
		e.cache.RemoveOldest()
	}
}
