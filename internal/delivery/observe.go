package delivery

import "slices"

// observe is a unit's refresh: it takes any later revision that Git has, skipping some or not [B1], [B8].
func (m *machine) observe(w *world, u int, e emit) {
	s := &w.units[u]
	if o := m.c.Units[u].Spec; o != None {
		if rev, ok := m.told(w, o); ok && rev != s.seen {
			n := m.take(w)
			n.units[u].see(rev)
			e(ordinary(m.observer(u), Observed, u, 0, int(rev)), n)
		}
		return
	}
	last := w.head
	if !m.holds(B8) {
		last = min(last, s.seen+1)
		if s.op.kind != idle || s.last != s.seen && m.outOfSync(w, u, s.seen) != 0 {
			return
		}
	}
	for rev := s.seen + 1; rev <= last; rev++ {
		n := m.take(w)
		m.sees(n, u, rev)
		e(ordinary(m.observer(u), Observed, u, 0, int(rev)), n)
	}
}

// sees lets a unit see a revision, on a clock of its own [B1].
func (m *machine) sees(n *world, u int, rev uint8) {
	n.units[u].see(rev)
	for v := range m.c.Units {
		if !m.holds(B1) && m.c.Units[v].Spec == None {
			n.units[v].see(max(n.units[v].seen, rev))
		}
	}
}

// told is the revision that an Application object tells its unit: the newest of those at which it is as it is now.
func (m *machine) told(w *world, o int) (uint8, bool) {
	for rev := int(w.head); rev >= 0; rev-- {
		if content, _ := m.c.at(o, uint8(rev)); content == w.live[o] && content.exists() {
			return uint8(rev), true
		}
	}
	return 0, false
}

// byHand is a sync by hand, of everything or of some objects, at the unit's head. It skips hooks when it is selective
// [A3.4], prunes nothing, is not tried again [A6.11], and waits for a running operation [A6.9].
func (m *machine) byHand(w *world, u int, e emit) {
	s := &w.units[u]
	if s.op.kind != idle {
		return
	}
	head := m.newest(w, u)
	scope := m.outOfSync(w, u, head)
	for _, pick := range m.picks[u] {
		if scope&pick.objects == 0 && (pick.number != 0 || !m.newHooks(w, u, head)) {
			continue
		}
		n := m.take(w)
		m.sync(n, u, head, pick)
		m.changing(w, n, unusual(ByHand, u, pick.number>>8, pick.number&0xff), e)
	}
	if s.seen != 0 || s.last != 0 || s.partial != 0 || !m.remembers(u) {
		return
	}
	for _, pick := range m.picks[u] {
		if pick.number == 0 {
			continue
		}
		n := m.take(w)
		n.units[u].partial = pick.objects | others
		e(unusual(ByHandBefore, u, pick.number>>8, pick.number&0xff), n)
	}
	n := m.take(w)
	n.units[u].partial = others
	e(unusual(ByHandBefore, u, 0, 0), n)
}

// newHooks tells whether a unit has hooks that a revision changes: only a sync by hand runs them, if nothing else changes.
func (m *machine) newHooks(w *world, u int, rev uint8) bool {
	for o := range m.c.Objects {
		content := m.c.renders(o, u, rev)
		if k := m.c.Objects[o].Kind; k != Rest && k != Barrier && m.hook(o) && content != 0 && content != w.live[o] {
			return true
		}
	}
	return false
}

// newest is the revision that a sync by hand brings.
func (m *machine) newest(w *world, u int) uint8 {
	if m.c.Units[u].Spec != None {
		return w.units[u].seen
	}
	return w.head
}

// sync starts what somebody asks for.
func (m *machine) sync(n *world, u int, rev uint8, p pick) {
	n.units[u].see(rev)
	m.begin(n, u, operation{kind: manual, rev: rev, scope: p.objects, hooks: p.number == 0})
}

// pick is a choice of objects for a sync by hand.
type pick struct {
	objects set
	number  int // its objects as bits over the unit's selectable objects; 0: everything
}

// maxPick bounds the objects of a unit that are chosen among one by one.
const maxPick = 16

// selectable are the objects of a unit that a sync by hand may pick: those that the release changes.
func (m *machine) selectable(u int) []int {
	var out []int
	for o := range m.c.Objects {
		if m.c.Objects[o].Kind == Rest || m.hook(o) || !m.ever(o, u) || len(out) == maxPick {
			continue
		}
		if m.c.Varies(o) {
			out = append(out, o)
		}
	}
	return out
}

// picksOf are the choices: everything, and of up to three objects every part, of more each one and all but one.
func (m *machine) picksOf(u int) []pick {
	out := []pick{{objects: m.all(u)}}
	objects := m.selectable(u)
	for _, number := range numbers(len(objects)) {
		var p set
		for i, o := range objects {
			if number>>i&1 == 1 {
				p |= one(o)
			}
		}
		if p != m.all(u) {
			out = append(out, pick{objects: p, number: number})
		}
	}
	return out
}

// numbers are the parts of n objects that are chosen, as bits, in order.
func numbers(n int) []int {
	whole := 1<<n - 1
	var out []int
	if n <= 3 {
		for part := 1; part <= whole; part++ {
			out = append(out, part)
		}
		return out
	}
	for i := range n {
		out = append(out, 1<<i, whole&^(1<<i))
	}
	slices.Sort(out)
	return out
}

// Selection is what a sync by hand picks: its objects, or nil for everything.
func (c *Case) Selection(e Event) []int {
	m := &machine{c: c}
	number := e.Object<<8 | e.Number
	var out []int
	for i, o := range m.selectable(e.Unit) {
		if number>>i&1 == 1 {
			out = append(out, o)
		}
	}
	return out
}
