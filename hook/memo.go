package hook

import (
	"strings"

	"k8s.io/utils/lru"

	"github.com/xflops/flame-operator/hook/resources"
)

// maxRememberedBytes is the length of the longest spec that is remembered. Nearly all
// are far shorter, and the few others would take most of the memory.
const maxRememberedBytes = 16 << 10

// Memo answers as Sync does, byte for byte, but remembers what it computed from the
// specs that it saw last: what is thought of each, and the children that come of it.
// Both depend on nothing but what they are remembered by, so that the memory can't be
// out of date. What was observed is never remembered.
//
// Its methods may be called concurrently. The zero Memo remembers nothing.
type Memo struct {
	judgements memory[judgementKey, Judgement]
	children   memory[childrenKey, []child]
}

// NewMemo returns a Memo for about that many FlameClusters. One takes 30 to 50 KiB.
func NewMemo(clusters int) *Memo {
	// While a cluster comes up, its executors are decided about several times.
	const answersPerCluster = 3
	return &Memo{
		judgements: newMemory[judgementKey, Judgement](clusters),
		children:   newMemory[childrenKey, []child](clusters * answersPerCluster),
	}
}

// judgementKey is what a judgement depends on.
type judgementKey struct{ name, spec string }

func (k judgementKey) size() int { return len(k.spec) }

func (k judgementKey) clone() judgementKey {
	return judgementKey{strings.Clone(k.name), strings.Clone(k.spec)}
}

// judge is Judge with memory. The result is shared: nobody may write to what is in it.
func (m *Memo) judge(name string, spec []byte) Judgement {
	judgement, _ := m.judgements.get(judgementKey{name, string(spec)}, func(k judgementKey) (Judgement, error) {
		return Judge(k.name, []byte(k.spec)), nil
	})
	return judgement
}

// childrenKey is what children depend on. The record stands for the spec.
type childrenKey struct {
	name, namespace string
	record          resources.LastGood
	// replicas are those of the spec, which are not in the record.
	replicas  int32
	executors resources.Executors
}

func (k childrenKey) size() int { return len(k.record.Spec) }

func (k childrenKey) clone() childrenKey {
	k.name, k.namespace = strings.Clone(k.name), strings.Clone(k.namespace)
	k.record.Spec = strings.Clone(k.record.Spec)
	k.executors.SessionManagerState = strings.Clone(k.executors.SessionManagerState)
	return k
}

// key is what something is remembered by.
type key[K any] interface {
	comparable
	// size is about how many bytes the key has.
	size() int
	// clone shares no memory with the request.
	clone() K
}

// memory holds the results of a pure function.
type memory[K key[K], V any] struct{ cache *lru.Cache }

func newMemory[K key[K], V any](entries int) memory[K, V] {
	return memory[K, V]{lru.New(entries)}
}

// get returns what is remembered, or computes it. Errors are not remembered.
func (m memory[K, V]) get(k K, compute func(K) (V, error)) (V, error) {
	if m.cache == nil || k.size() > maxRememberedBytes {
		return compute(k)
	}
	if known, ok := m.cache.Get(k); ok {
		return known.(V), nil //nolint:forcetypeassert // nothing else is added
	}
	k = k.clone()
	v, err := compute(k)
	if err == nil {
		m.cache.Add(k, v)
	}
	return v, err
}
