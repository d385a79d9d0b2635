package delivery

import "github.com/syncproof/syncproof/internal/explore"

// machine makes the steps of one case. It is not for concurrent use.
type machine struct {
	c     *Case
	plans [][]plan // by unit and revision
	picks [][]pick // by unit: what a sync by hand may pick
	next  world    // scratch: the state after a step

	traces   []trace
	contents [][]Content // by object: all that it ever is
	firsts   []Content   // by object: what it is at r0
}

func newMachine(c *Case) *machine {
	m := &machine{c: c}
	m.plans = make([][]plan, len(c.Units))
	for u := range c.Units {
		for rev := range c.Last + 1 {
			m.plans[u] = append(m.plans[u], m.planOf(u, uint8(rev)))
		}
	}
	for u := range c.Units {
		m.picks = append(m.picks, m.picksOf(u))
	}
	m.traces = c.traces()
	for o := range c.Objects {
		first, _ := c.at(o, 0)
		m.firsts, m.contents = append(m.firsts, first), append(m.contents, c.contents(o))
	}
	return m
}

// emit takes the state after a step.
type emit func(explore.Step, *world)

// steps makes every step that is possible in w, in a fixed order.
func (m *machine) steps(w *world, e emit) {
	m.git(w, e)
	for u := range m.c.Units {
		m.observe(w, u, e)
		m.operate(w, u, e)
		m.byHand(w, u, e)
	}
	m.derive(w, e)
	m.push(w, e)
	for i := range m.c.Workloads {
		m.work(w, i, e)
	}
}

// take copies a state for a step to change.
func (m *machine) take(w *world) *world {
	m.next = *w
	return &m.next
}

// actors: who owes a step.
func (m *machine) observer(u int) uint8 { return uint8(1 + u) }
func (m *machine) operator(u int) uint8 { return uint8(1 + len(m.c.Units) + u) }
func (m *machine) derives(o int) uint8  { return uint8(1 + 2*len(m.c.Units) + o) }
func (m *machine) pusher() uint8        { return uint8(1 + 2*len(m.c.Units) + len(m.c.Objects)) }
func (m *machine) controller(i int) uint8 {
	return m.pusher() + 1 + uint8(i*(2+2*MaxRevisions))
}
func (m *machine) starter(i, t int) uint8 { return m.controller(i) + 1 + uint8(t) }
func (m *machine) kubelet(i, t int) uint8 { return m.controller(i) + 1 + MaxRevisions + uint8(t) }
func (m *machine) reloader(i int) uint8   { return m.controller(i) + 1 + 2*MaxRevisions }

// git pushes the next revision: at any time [B8], or once the one before has arrived everywhere.
func (m *machine) git(w *world, e emit) {
	if int(w.head) < m.c.Last && (!m.c.Waits || m.everywhere(w) || !m.holds(B114)) {
		n := m.take(w)
		n.head++
		e(ordinary(0, Pushed, 0, 0, int(n.head)), n)
	}
}

// everywhere tells whether all units are Synced and Healthy at what Git has [B11.4].
func (m *machine) everywhere(w *world) bool {
	for u := range m.c.Units {
		if w.units[u].seen != w.head {
			return false
		}
	}
	return m.quiet(w)
}

// derive lets controllers of others' objects make theirs: an external secret, a sealed one, a certificate.
func (m *machine) derive(w *world, e emit) {
	for o := range m.c.Objects {
		d := &m.c.Objects[o]
		if d.Derived && w.live[o] != w.live[d.Watch] {
			n := m.take(w)
			n.live[o] = w.live[d.Watch]
			m.written(n, o)
			m.reloads(n, o)
			e(ordinary(m.derives(o), Made, 0, o, int(n.live[o])), n)
		}
	}
}
