package delivery

import "github.com/syncproof/syncproof/internal/explore"

// others stands in a resource list for objects that the model does not have.
const others set = 1 << 63

// maxTries bounds the retries that are told apart: with at most two unusual steps the third try meets no refusal any more.
const maxTries = 3

// operate is the controller working on one unit: it starts an operation, or takes the next step of the one that runs.
func (m *machine) operate(w *world, u int, e emit) {
	s := &w.units[u]
	switch s.op.kind {
	case idle:
		m.start(w, u, e)
	case waiting, waitingHeal:
		n := m.take(w)
		m.again(n, u)
		e(ordinary(m.operator(u), Retried, u, 0, int(s.op.rev)), n)
	default:
		if run, prune := m.run(w, u); prune {
			run.each(func(o int) { m.prune(w, u, o, e) })
		} else if run != 0 {
			run.each(func(o int) { m.apply(w, u, o, e) })
		} else {
			m.gate(w, u, e)
		}
	}
}

// start is automated sync [A5.1]: out of sync, not attempted at this revision [A5.3], or drifted and self-healing [A5.6].
func (m *machine) start(w *world, u int, e emit) {
	s, unit := &w.units[u], &m.c.Units[u]
	scope := m.outOfSync(w, u, s.seen)
	if s.stuck || scope == 0 || !m.worthwhile(w, u, scope) {
		return
	}
	attempted := s.last == s.seen && m.holds(A53)
	switch {
	case unit.Step > 0:
		if s.rolled || !m.mayStep(w, u) { // it does not heal [B10.2]
			return
		}
		n := m.take(w)
		if m.holds(B102) && !m.c.Serial {
			n.units[u].see(w.head) // the operation resolves the revision when it starts [B10.2]
		}
		rev := n.units[u].seen
		n.units[u].rolled = true
		m.begin(n, u, operation{kind: full, rev: rev, scope: m.all(u), hooks: true})
		m.changing(w, n, ordinary(m.operator(u), Started, u, 0, int(rev)), e)
	case !attempted:
		n := m.take(w)
		if unit.OutOfSyncOnly {
			m.begin(n, u, operation{kind: full, rev: s.seen, scope: scope, hooks: true})
		} else {
			m.begin(n, u, operation{kind: full, rev: s.seen, scope: m.all(u), hooks: true})
		}
		e(ordinary(m.operator(u), Started, u, 0, int(s.seen)), n)
	case s.result == succeeded && unit.SelfHeal && unit.Automated:
		n := m.take(w)
		m.begin(n, u, m.healing(u, s.seen, scope))
		m.changing(w, n, ordinary(m.operator(u), Healing, u, 0, int(s.seen)), e)
	}
	n := m.take(w)
	n.units[u].stuck = true
	e(unusual(Stuck, u, 0, 0), n)
}

// changing makes a step of an operation that may find nothing to do: then it is none.
func (m *machine) changing(w, n *world, s explore.Step, e emit) {
	if *n != *w {
		e(s, n)
	}
}

// healing is what self-heal starts: only what is out of sync, without hooks [A5.6], [A3.4].
func (m *machine) healing(u int, rev uint8, scope set) operation {
	if !m.holds(A56) {
		return operation{kind: full, rev: rev, scope: m.all(u), hooks: true}
	}
	return operation{kind: heal, rev: rev, scope: scope}
}

// worthwhile holds back an operation that would only prune while pruning is off, or would prune everything [A5.1].
func (m *machine) worthwhile(w *world, u int, scope set) bool {
	unit, rev := &m.c.Units[u], w.units[u].seen
	kept := unit.Keeps
	only := true
	for o := range m.c.Objects {
		if m.c.renders(o, u, rev) != 0 && !m.hook(o) {
			kept = true
			only = only && !scope.has(o)
		}
	}
	if only && !unit.Prune {
		return false
	}
	return kept || unit.AllowEmpty || !m.holds(A51)
}

// mayStep is the guard of a RollingSync: the steps before are healthy, each in its own eyes [B10.4], [B10.5]. An orchestrator
// also looks at which revision that is [B11.2].
func (m *machine) mayStep(w *world, u int) bool {
	for v := range m.c.Units {
		if s := m.c.Units[v].Step; s == 0 || s >= m.c.Units[u].Step || !m.holds(B104) {
			continue
		}
		if !m.settled(w, v) || m.c.Serial && w.units[v].seen != w.units[u].seen && m.holds(B112) {
			return false
		}
	}
	return true
}

// outOfSync is what a unit sees differ from a revision: content, tracking id, and what carries its id and is not rendered.
func (m *machine) outOfSync(w *world, u int, rev uint8) set {
	var out set
	for o := range m.c.Objects {
		if m.hook(o) { // hooks take no part in the comparison [A5.1]
			continue
		}
		content := m.c.renders(o, u, rev)
		switch {
		case content != 0:
			if w.live[o] != content || w.stamp[o] != int8(u) {
				out |= one(o)
			}
		case w.live[o].exists() && w.stamp[o] == int8(u) && m.holds(C14): // tracked and not rendered
			out |= one(o)
		}
	}
	return out
}

// all are the objects of a unit, at any revision.
func (m *machine) all(u int) set {
	var out set
	for o := range m.c.Objects {
		if m.ever(o, u) {
			out |= one(o)
		}
	}
	return out
}

// begin starts an operation and enters its first wave.
func (m *machine) begin(n *world, u int, op operation) {
	s := &n.units[u]
	if s.last != op.rev {
		s.refused, s.sick = 0, 0
	}
	s.turned = false
	s.op = op
	if op.kind == heal || op.kind == manual && op.scope != m.all(u) {
		if m.remembers(u) {
			s.partial = op.scope | others
		}
	}
	m.first(n, u)
}

// remembers tells whether a resource list can come back in a later pass of a unit's operations: only those that a
// RollingSync starts, of several waves [A6.1], [A6.13].
func (m *machine) remembers(u int) bool {
	if m.c.Units[u].Step == 0 && m.holds(A613) || m.c.Controller.FullStaysFull || !m.holds(A61) {
		return false
	}
	for _, p := range m.plans[u] {
		if len(p) > 1 {
			return true
		}
	}
	return false
}

// first enters the first wave, unless the operation fails before it: FailOnSharedResource [C2.2].
func (m *machine) first(n *world, u int) {
	op := &n.units[u].op
	op.wave, op.done, op.failed = 0, 0, false
	if m.c.Units[u].FailOnShared && m.holds(C22) {
		for o := range m.c.Objects {
			owner := n.stamp[o]
			if op.scope.has(o) && !m.hook(o) && m.c.renders(o, u, op.rev) != 0 && n.live[o].exists() && owner != None && owner != int8(u) {
				op.failed = true
				m.finish(n, u)
				return
			}
		}
	}
	m.enter(n, u)
	m.advance(n, u)
}

// again repeats an operation from its beginning, at the same revision [A5.4].
func (m *machine) again(n *world, u int) {
	op := &n.units[u].op
	n.units[u].turned = false
	op.tries++
	if op.kind == waitingHeal {
		op.kind = heal
	} else {
		op.kind = full
	}
	m.first(n, u)
}

// enter looks at the cluster and chooses what the wave prunes; later changes do not change the choice [A4.4], [C3.4].
func (m *machine) enter(n *world, u int) {
	op := &n.units[u].op
	op.prunes, op.done = 0, 0
	if p := m.plans[u][op.rev]; int(op.wave) < len(p) {
		op.prunes = m.candidates(n, u, p[op.wave])
	}
}

// candidates are what a wave prunes as things stand: what carries the unit's tracking id [C1.4].
func (m *machine) candidates(w *world, u int, v wave) set {
	op := &w.units[u].op
	var out set
	if !m.c.Units[u].Prune && m.holds(A47) || op.kind == manual && m.holds(A611) {
		return 0 // [A4.7], [A6.11]
	}
	(v.prunes & op.scope).each(func(o int) {
		if w.live[o].exists() && w.stamp[o] == int8(u) && !(m.c.Objects[o].NoPrune && m.holds(A46)) {
			out |= one(o)
		}
	})
	return out
}

// run is what the operation has to do next: prunes first, then one run of applies after the other [A1.7]. Empty: it stands
// at the end of a wave.
func (m *machine) run(w *world, u int) (todo set, prune bool) {
	op := &w.units[u].op
	v := m.plans[u][op.rev][op.wave]
	prunes := op.prunes.without(op.done)
	if prunes != 0 && m.holds(A17) {
		return prunes, true
	}
	for _, r := range v.runs {
		if todo := m.inScope(op, r).without(op.done); todo != 0 {
			return todo, false
		}
	}
	return prunes, prunes != 0
}

func (m *machine) inScope(op *operation, objects set) set {
	var out set
	objects.each(func(o int) {
		if hook := m.hook(o); hook && (op.hooks || !m.holds(A34)) || !hook && op.scope.has(o) {
			out |= one(o)
		}
	})
	return out
}

func (m *machine) hook(o int) bool { return m.c.Objects[o].Hook || m.c.Objects[o].Kind == Barrier }

// advance goes past waves without work, and ends the operation after its last apply: nothing waits for the last wave [A2.1].
// For a hook in it the controller would wait: an operation that takes longer is like one that starts its next step later.
func (m *machine) advance(n *world, u int) {
	op := &n.units[u].op
	p := m.plans[u][op.rev]
	for int(op.wave) < len(p) {
		if todo, _ := m.run(n, u); todo != 0 {
			return
		}
		last := !m.more(n, u)
		if last && (m.holds(A21) || op.done == 0) {
			break
		}
		if op.done != 0 {
			return // at the gate
		}
		op.wave++
		m.enter(n, u)
	}
	m.finish(n, u)
}

// more tells whether a later wave has work.
func (m *machine) more(w *world, u int) bool {
	op := &w.units[u].op
	p := m.plans[u][op.rev]
	for i := int(op.wave) + 1; i < len(p); i++ {
		if m.inScope(op, p[i].applies()) != 0 || m.candidates(w, u, p[i]) != 0 {
			return true
		}
	}
	return false
}

// finish ends an operation, or lets it wait for its retry [A5.4]. A failed one is not started again at its revision [A5.3].
func (m *machine) finish(n *world, u int) {
	s := &n.units[u]
	op := s.op
	s.op = operation{}
	if op.failed && op.kind != manual && int(op.tries) < min(m.c.Units[u].Retries, maxTries) && m.holds(A54) {
		kind := waiting
		if op.kind == heal {
			kind = waitingHeal
		}
		s.op = operation{kind: kind, rev: op.rev, tries: op.tries, scope: op.scope, hooks: op.hooks}
		return
	}
	s.last, s.result = op.rev, succeeded
	if op.failed {
		s.result = failed
	}
}
