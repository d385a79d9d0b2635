// Package memo remembers what was computed from trees, and finds it again at other revisions.
//
// In go a key and the trace of what a computation read; out comes its result, over every tree that answers all that was
// asked alike. The key stands for everything else that decides the result. It refuses to keep results that hang on the
// circumstances ([source.Unstable]), and to compute anything by itself. Memory only; what is kept is bounded.
package memo

import (
	"container/list"
	"sync"

	"github.com/syncproof/syncproof/internal/source"
)

// Options bound a memo. The zero value is usable.
type Options struct {
	PerKey int   // results of one key; 0: 8
	Bytes  int64 // of all results and traces together, as far as they are known; 0: 512 MiB
}

// Memo keeps results of several kinds, each in its [Table]. Of one key the results used last are kept, and in all those
// used last. It may be used by several goroutines at once.
type Memo struct {
	options Options
	trees   trees

	mu     sync.Mutex
	keys   map[string][]*entry // the one used last in front
	recent *list.List          // of *entry, the one used last in front
	used   int64
}

// entry is one result.
type entry struct {
	key    string
	trace  source.Trace
	result any
	size   int64
	at     string // identity of a tree over which the trace holds; "" if it has none
	place  *list.Element
}

// New makes an empty memo.
func New(o Options) *Memo {
	if o.PerKey <= 0 {
		o.PerKey = 8
	}
	if o.Bytes <= 0 {
		o.Bytes = 512 << 20
	}
	return &Memo{options: o, trees: newTrees(), keys: map[string][]*entry{}, recent: list.New()}
}

// get finds a result that holds over the tree.
func (m *Memo) get(t source.Tree, key string) (any, bool) {
	id := m.trees.know(t)
	for _, e := range m.candidates(key) {
		if m.holds(e, t, id) {
			m.use(e, id)
			return e.result, true
		}
	}
	return nil, false
}

// candidate is an entry, with what may change of it.
type candidate struct {
	*entry
	at string
}

func (m *Memo) candidates(key string) []candidate {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]candidate, len(m.keys[key]))
	for i, e := range m.keys[key] {
		list[i] = candidate{e, e.at}
	}
	return list
}

// holds tries the cheap ways first: the same tree, and what differs from a tree over which the trace is known to hold.
func (m *Memo) holds(e candidate, t source.Tree, id string) bool {
	if id != "" && e.at == id {
		return true
	}
	if differences, ok := m.trees.differences(e.at, id); ok && !touched(e.trace, differences) {
		return true
	}
	return holds(e.trace, t)
}

func (m *Memo) use(e candidate, id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.place == nil {
		return // dropped in the meantime
	}
	if id != "" {
		e.entry.at = id
	}
	m.recent.MoveToFront(e.place)
	list := m.keys[e.key]
	for i := range list {
		if list[i] == e.entry {
			copy(list[1:i+1], list[:i])
			list[0] = e.entry
			break
		}
	}
}

// last gives the result of a key that was used last, whatever tree it is of.
func (m *Memo) last(key string) (any, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if list := m.keys[key]; len(list) > 0 {
		return list[0].result, true
	}
	return nil, false
}

func (m *Memo) put(t source.Tree, key string, trace source.Trace, result any, size int64) {
	if !lasting(trace) {
		return
	}
	e := &entry{key: key, trace: trace, result: result, size: size + sizeOf(trace) + int64(len(key)), at: m.trees.know(t)}
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.size > m.options.Bytes/4 {
		return
	}
	e.place = m.recent.PushFront(e)
	m.keys[key] = append([]*entry{e}, m.keys[key]...)
	m.used += e.size
	if list := m.keys[key]; len(list) > m.options.PerKey {
		m.drop(list[len(list)-1])
	}
	for m.used > m.options.Bytes {
		m.drop(m.recent.Back().Value.(*entry))
	}
}

func (m *Memo) drop(e *entry) {
	m.recent.Remove(e.place)
	e.place = nil
	m.used -= e.size
	var left []*entry
	for _, other := range m.keys[e.key] {
		if other != e {
			left = append(left, other)
		}
	}
	if len(left) == 0 {
		delete(m.keys, e.key)
		return
	}
	m.keys[e.key] = left
}

// sizeOf is about what a trace and its entry take in memory.
func sizeOf(x source.Trace) int64 {
	size := int64(512)
	for _, kind := range [...][]source.Seen{x.Files, x.Lists, x.Stats, x.Links} {
		for _, s := range kind {
			size += int64(len(s.Path)+len(s.Digest)) + 32
		}
	}
	for _, name := range x.Missing {
		size += int64(len(name)) + 16
	}
	return size
}
