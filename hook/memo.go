package hook

import (
	"strings"

	"github.com/xflops/flame-operator/hook/resources"
)

// Memo answers as Sync does, byte for byte, but remembers what it computed from the
// specs that it saw last: what is thought of each, and the children that come of it.
// Both depend on nothing but what they are remembered by, so that the memory can't be
// out of date. What was observed is never remembered.
//
// Its methods may be called concurrently. The zero Memo remembers nothing.
type Memo struct {
	judgements memory[judgementKey, Judgement]
	children   memory[childrenKey, childList]
}

// NewMemo returns a Memo that takes about that many bytes when it is full. The usual
// FlameCluster takes about 30,000.
func NewMemo(bytes int) *Memo {
	return &Memo{
		judgements: memory[judgementKey, Judgement]{entries: newEntries(bytes / 4)},
		children:   memory[childrenKey, childList]{entries: newEntries(bytes / 4 * 3)},
	}
}

// judgementKey is what a judgement depends on.
type judgementKey struct{ name, spec string }

func (k judgementKey) size() int { return len(k.name) + len(k.spec) }

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

// size is about how many bytes a judgement takes.
func (j Judgement) size() int {
	// An empty spec with its defaults, and how much a spec grows when it is decoded.
	const empty, growth = 4 << 10, 4
	const message = 256
	size := empty + growth*len(j.record) + message*(len(j.Errors)+len(j.Warnings))
	for _, err := range j.Errors {
		size += len(err.Field) + len(err.Detail)
	}
	for _, warning := range j.Warnings {
		size += len(warning)
	}
	return size
}

// childrenKey is what children depend on. The record stands for the spec.
type childrenKey struct {
	name, namespace string
	record          resources.LastGood
	// replicas are those of the spec, which are not in the record.
	replicas  int32
	executors resources.Executors
}

func (k childrenKey) size() int {
	return len(k.name) + len(k.namespace) + len(k.record.Spec) + len(k.executors.SessionManagerState)
}

func (k childrenKey) clone() childrenKey {
	k.name, k.namespace = strings.Clone(k.name), strings.Clone(k.namespace)
	k.record.Spec = strings.Clone(k.record.Spec)
	k.executors.SessionManagerState = strings.Clone(k.executors.SessionManagerState)
	return k
}
