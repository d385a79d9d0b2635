package delivery

// apply is one request of an operation. An answer of the API server is all that it waits for [A1.8].
func (m *machine) apply(w *world, u, o int, e emit) {
	if m.c.Objects[o].Kind == Barrier {
		m.barrier(w, u, o, e)
		return
	}
	content := m.c.renders(o, u, w.units[u].op.rev)
	changes := w.live[o] != content || w.stamp[o] != int8(u) || m.hook(o) // a hook is made anew each time [A3.2]
	if w.units[u].refused.has(o) && changes {
		n := m.take(w)
		m.fail(n, u, o)
		e(ordinary(m.operator(u), Turned, u, o, 0), n)
		return
	}
	if m.turns(w, o, content) {
		n := m.take(w)
		n.units[u].turned = true
		m.fail(n, u, o)
		e(ordinary(m.operator(u), Turned, u, o, 1), n)
		return
	}
	n := m.take(w)
	m.accepted(n, u, o, content)
	m.advance(n, u)
	e(ordinary(m.operator(u), Applied, u, o, int(content)), n)
	if changes {
		m.refuse(w, u, o, e)
	}
	if m.c.Objects[o].Ails {
		m.ail(w, u, o, content, e)
	}
}

// accepted is what an apply leaves behind.
func (m *machine) accepted(n *world, u, o int, content Content) {
	same := n.live[o] == content
	n.live[o] = content
	m.written(n, o)
	if m.holds(C21) || n.stamp[o] == None {
		n.stamp[o] = int8(u) // the last writer's tracking id stays [C2.1]
	}
	m.did(n, u, o)
	if !same { // an equal object is no change: an aborted canary stays aborted [D2.5]
		m.changed(n, o)
		m.reloads(n, o)
	}
}

// turns tells whether the API server refuses an apply for what the release itself holds.
func (m *machine) turns(w *world, o int, content Content) bool {
	d := &m.c.Objects[o]
	if d.Needs != None && !w.live[d.Needs].exists() {
		return true
	}
	return d.Immutable && w.live[o].exists() && w.live[o] != content && m.holds(D45) // [D4.5]
}

// refuse lets an apply be refused, once or for good.
func (m *machine) refuse(w *world, u, o int, e emit) {
	n := m.take(w)
	m.fail(n, u, o)
	e(unusual(RefusedOnce, u, o, 0), n)
	n = m.take(w)
	n.units[u].refused |= one(o)
	m.fail(n, u, o)
	e(unusual(RefusedAlways, u, o, 0), n)
}

// fail notes a refused apply. The other objects of the wave are applied all the same [A1.9].
func (m *machine) fail(n *world, u, o int) {
	op := &n.units[u].op
	op.failed = true
	m.did(n, u, o)
	if !m.holds(A19) {
		op.done |= m.plans[u][op.rev][op.wave].applies()
	}
	m.advance(n, u)
}

func (m *machine) did(n *world, u, o int) { n.units[u].op.done |= one(o) }

// ail lets an object be applied that never becomes healthy. Where nothing waits for it, that makes no difference.
func (m *machine) ail(w *world, u, o int, content Content, e emit) {
	n := m.take(w)
	m.accepted(n, u, o, content)
	if m.more(n, u) {
		n.units[u].sick |= one(o)
		m.advance(n, u)
		e(unusual(NeverHealthy, u, o, 0), n)
	}
}

// barrier is a hook that ends when what it waits for is there.
func (m *machine) barrier(w *world, u, o int, e emit) {
	if w.live[m.c.Objects[o].Watch] != m.c.renders(o, u, w.units[u].op.rev) {
		return
	}
	n := m.take(w)
	m.did(n, u, o)
	m.advance(n, u)
	e(ordinary(m.operator(u), Applied, u, o, 0), n)
}

// prune deletes what was chosen, whoever owns it by now: a delete has no precondition [A4.4]. A refused one keeps back what
// the wave would have applied [A1.14].
func (m *machine) prune(w *world, u, o int, e emit) {
	n := m.take(w)
	if m.holds(A44) || w.stamp[o] == int8(u) {
		n.live[o], n.stamp[o] = Deleted, None
	}
	m.did(n, u, o)
	m.changed(n, o)
	m.advance(n, u)
	e(ordinary(m.operator(u), Pruned, u, o, 0), n)

	n = m.take(w)
	op := &n.units[u].op
	op.failed = true
	op.done |= op.prunes
	if m.holds(A114) {
		op.done |= m.plans[u][op.rev][op.wave].applies()
	}
	m.advance(n, u)
	e(unusual(RefusedOnce, u, o, 1), n)
}

// gate is the end of a wave that is not the last: what it applied has to be healthy [A2.1], [A2.2]. A failed operation
// waits, too, and then ends [A1.10].
func (m *machine) gate(w *world, u int, e emit) {
	op := &w.units[u].op
	verdict := wellAndGood
	op.done.without(op.prunes).each(func(o int) { verdict = max(verdict, m.health(w, u, o)) })
	stop := op.failed && m.holds(A110)
	switch n := m.take(w); {
	case verdict == degraded, verdict == overdue, verdict == wellAndGood && stop:
		n.units[u].op.failed = true
		m.finish(n, u)
		e(ordinary(m.operator(u), Waited, u, 0, 1), n)
		if verdict == overdue && !stop && m.holds(A25) {
			n = m.take(w)
			m.pass(n, u)
			e(unusual(StaleHealth, u, 0, 0), n)
		}
	case verdict == wellAndGood:
		m.pass(n, u)
		e(ordinary(m.operator(u), Waited, u, 0, 0), n)
	case verdict == progressing && !stop && m.holds(A25):
		m.pass(n, u)
		e(unusual(StaleHealth, u, 0, 0), n) // [A2.5]
	}
}

// pass goes on to the next wave. From its second pass on a full operation may take the resource list of the last partial one
// for its own, and skip hooks [A6.1].
func (m *machine) pass(n *world, u int) {
	s := &n.units[u]
	s.op.wave++
	if s.op.kind == full && s.partial != 0 && m.remembers(u) {
		s.op.scope, s.op.hooks = s.partial.without(others), false
	}
	m.enter(n, u)
	m.advance(n, u)
}
