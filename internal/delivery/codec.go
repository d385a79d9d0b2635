package delivery

import "github.com/syncproof/syncproof/internal/explore"

// Key is a state in the form that the search keeps: each part of the world in a few bits, in a fixed order.
type Key interface {
	~[32]byte | ~[64]byte | ~[128]byte | ~[256]byte
}

// The keys. A case takes the smallest that its states fit in, see [Case.KeySize].
type (
	Key32  [32]byte
	Key64  [64]byte
	Key128 [128]byte
	Key256 [256]byte
)

// Model is one case as a model for the search. It is not for concurrent use.
type Model[K Key] struct {
	m     *machine
	from  world // whose steps are made
	seen  world // that is looked at, maybe in between
	buf   [256]byte
	size  int
	yield func(explore.Step, K)
	put   emit
}

// New makes the model of a case that [Case.Check] accepts and whose keys fit.
func New[K Key](c *Case) *Model[K] {
	m := &Model[K]{m: newMachine(c), size: c.KeySize()}
	m.put = func(s explore.Step, w *world) { m.yield(s, m.encode(w)) }
	return m
}

// Init yields the state in which everything is at r0 and r1 has been pushed.
func (m *Model[K]) Init(yield func(K)) {
	w := m.m.fresh()
	yield(m.encode(&w))
}

// Fresh tells which predicates hold when everything is fresh at a revision: every unit Synced there and idle, proxies and
// pods as if started then.
func (c *Case) Fresh(rev int) uint64 {
	m := newMachine(c)
	w := m.freshAt(uint8(rev))
	return m.look(&w)
}

// Next yields the steps that are possible in a state.
func (m *Model[K]) Next(k K, yield func(explore.Step, K)) {
	m.decode(k, &m.from)
	m.yield = yield
	m.m.steps(&m.from, m.put)
}

// Look tells which predicates hold in a state.
func (m *Model[K]) Look(k K) uint64 {
	m.decode(k, &m.seen)
	return m.m.look(&m.seen)
}

func (m *Model[K]) encode(w *world) K {
	m.m.pack(w, m.buf[:])
	var k K
	for i := range m.size {
		k[i] = m.buf[i]
	}
	return k
}

func (m *Model[K]) decode(k K, w *world) {
	for i := range m.size {
		m.buf[i] = k[i]
	}
	m.m.unpack(m.buf[:], w)
}

// KeySize is the number of bytes that the states of a case take.
func (c *Case) KeySize() int {
	sets := (len(c.Objects) + 7) / 8
	size := 1 + len(c.Units)*(3+6*sets) + len(c.Objects)
	if len(c.traces()) > 0 {
		size++
	}
	for i := range c.Workloads {
		size += 1 + 2*len(c.Workloads[i].Templates)
	}
	return size
}

// Bits of the second byte of a unit, above three of the operation's kind.
const (
	bitStuck  = 1 << 3
	bitTurned = 1 << 4
	bitFailed = 1 << 5
	bitHooks  = 1 << 6
	bitResult = 1 << 7
	bitRolled = 1 << 6 // of the third byte, above the wave
	bitOthers = 1 << 7

	bitAborted = 1 << 4 // of a workload, above what is stable
	bitRoom    = 1 << 5
	bitDue     = 1 << 6
)

func flag(on bool, bit uint8) uint8 {
	if on {
		return bit
	}
	return 0
}

// pack writes a world. Every part has its place, so equal worlds have equal bytes.
func (m *machine) pack(w *world, b []byte) {
	b[0] = w.head | uint8(w.pushed)<<4
	i := 1
	for u := range m.c.Units {
		s := &w.units[u]
		b[i] = s.seen | s.last<<2 | s.op.rev<<4 | s.op.tries<<6
		b[i+1] = uint8(s.op.kind) | flag(s.stuck, bitStuck) | flag(s.turned, bitTurned) | flag(s.op.failed, bitFailed) |
			flag(s.op.hooks, bitHooks) | flag(s.result == failed, bitResult)
		b[i+2] = s.op.wave | flag(s.rolled, bitRolled) | flag(s.partial&others != 0, bitOthers)
		i += 3
		for _, objects := range [...]set{s.partial, s.refused, s.sick, s.op.scope, s.op.done, s.op.prunes} {
			for n := 0; n < len(m.c.Objects); n += 8 {
				b[i] = uint8(objects >> n)
				i++
			}
		}
	}
	for o := range m.c.Objects {
		b[i] = uint8(w.live[o]) | uint8(w.stamp[o]+1)<<4
		i++
	}
	for n := range m.c.Workloads {
		s := &w.works[n]
		b[i] = s.stable | flag(s.aborted, bitAborted) | flag(s.room, bitRoom) | flag(s.due, bitDue)
		i++
		for t := range m.c.Workloads[n].Templates {
			p := &s.pods[t]
			b[i], b[i+1] = uint8(p.loaded)|uint8(p.mount)<<4, uint8(p.list)|uint8(p.phase)<<4
			i += 2
		}
	}
	if len(m.traces) > 0 {
		b[i] = w.been
	}
}

// unpack is pack read backwards.
func (m *machine) unpack(b []byte, w *world) {
	w.head, w.pushed = b[0]&15, Content(b[0]>>4)
	i := 1
	for u := range m.c.Units {
		s := &w.units[u]
		s.seen, s.last, s.op.rev, s.op.tries = b[i]&3, b[i]>>2&3, b[i]>>4&3, b[i]>>6
		s.op.kind = opKind(b[i+1] & 7)
		s.stuck, s.turned, s.op.failed, s.op.hooks = b[i+1]&bitStuck != 0, b[i+1]&bitTurned != 0, b[i+1]&bitFailed != 0, b[i+1]&bitHooks != 0
		s.result = result(b[i+1] >> 7)
		s.op.wave = b[i+2] &^ (bitRolled | bitOthers)
		s.rolled = b[i+2]&bitRolled != 0
		some := b[i+2]&bitOthers != 0
		i += 3
		for _, objects := range [...]*set{&s.partial, &s.refused, &s.sick, &s.op.scope, &s.op.done, &s.op.prunes} {
			*objects = 0
			for n := 0; n < len(m.c.Objects); n += 8 {
				*objects |= set(b[i]) << n
				i++
			}
		}
		if some {
			s.partial |= others
		}
	}
	for o := range m.c.Objects {
		w.live[o], w.stamp[o] = Content(b[i]&15), int8(b[i]>>4)-1
		i++
	}
	for n := range m.c.Workloads {
		s := &w.works[n]
		s.stable, s.aborted, s.room, s.due = b[i]&15, b[i]&bitAborted != 0, b[i]&bitRoom != 0, b[i]&bitDue != 0
		i++
		for t := range m.c.Workloads[n].Templates {
			s.pods[t] = pod{
				phase: phase(b[i+1] >> 4), loaded: Content(b[i] & 15), mount: Content(b[i] >> 4), list: Content(b[i+1] & 15),
			}
			i += 2
		}
	}
	if len(m.traces) > 0 {
		w.been = b[i]
	}
}
