package delivery

// wellness is the health of an object, worst last.
type wellness uint8

const (
	wellAndGood wellness = iota
	progressing
	overdue      // progressing, and degraded once a deadline has passed: pods hang [D2.9]
	waitsForever // as long as nobody helps; no old reading passes for it
	degraded
)

// health is what an operation waits for after a wave. ConfigMaps, Secrets and EnvoyFilters have none [A2.3].
func (m *machine) health(w *world, u, o int) wellness {
	switch {
	case !m.holds(A22):
		return wellAndGood
	case !w.live[o].exists() && m.c.Objects[o].Kind != Barrier: // it vanished meanwhile
		if m.c.Controller.WaitsForVanished {
			return waitsForever
		}
		return degraded
	}
	switch m.c.Objects[o].Kind {
	case Work:
		if i := m.c.workload(o); m.holds(A24) {
			return m.workHealth(w, i)
		}
	case Application:
		return m.childHealth(w, o)
	}
	if w.units[u].sick.has(o) {
		return waitsForever
	}
	return wellAndGood
}

// workHealth is the health of a workload [A2.4].
func (m *machine) workHealth(w *world, i int) wellness {
	s := &w.works[i]
	content := w.live[m.c.Workloads[i].Object]
	switch {
	case !content.exists():
		return progressing
	case s.aborted:
		return degraded
	case m.hangs(w, i) && m.holds(D29):
		return overdue
	case s.stable != uint8(content) || s.room || m.lingers(w, i):
		return progressing
	}
	if s.pods[m.c.Workloads[i].Template[content]].phase != ready {
		return progressing
	}
	return wellAndGood
}

// hangs tells whether a wanted pod of a workload cannot become ready as things stand.
func (m *machine) hangs(w *world, i int) bool {
	for t := range m.c.Workloads[i].Templates {
		if p := &w.works[i].pods[t]; p.phase == refusing || p.phase == starting && m.missing(w, i, t) {
			return true
		}
	}
	return false
}

// lingers tells whether pods of another template than the wanted one are left.
func (m *machine) lingers(w *world, i int) bool {
	content := w.live[m.c.Workloads[i].Object]
	for t := range m.c.Workloads[i].Templates {
		if t != m.c.Workloads[i].Template[content] && w.works[i].pods[t].phase != gone {
			return true
		}
	}
	return false
}

// childHealth is that of a child Application: none, unless argocd-cm gives it one [B9.1], and then that of the revision
// which the child has seen, not of the one it was just told [B9.3].
func (m *machine) childHealth(w *world, o int) wellness {
	if !m.c.Controller.ApplicationHealth && m.holds(B91) {
		return wellAndGood
	}
	for v := range m.c.Units {
		if m.c.Units[v].Spec != o {
			continue
		}
		told, known := m.told(w, o)
		if !m.settled(w, v) || known && told != w.units[v].seen && !m.holds(B93) {
			return progressing
		}
	}
	return wellAndGood
}

// settled tells whether a unit is idle, Synced at the revision that it has seen, and Healthy.
func (m *machine) settled(w *world, u int) bool {
	return m.rests(w, u) && m.outOfSync(w, u, w.units[u].seen) == 0
}

// arrived tells whether a unit is idle, Healthy, and Synced but for what it will never prune: what it dropped without prune,
// and what would leave it empty. Such a unit reads OutOfSync for good [A4.7], [A5.1].
func (m *machine) arrived(w *world, u int) bool {
	if !m.rests(w, u) {
		return false
	}
	rev := w.units[u].seen
	scope := m.outOfSync(w, u, rev)
	return scope.without(m.leftovers(u, rev)) == 0 || !m.worthwhile(w, u, scope)
}

// leftovers are the objects that a unit dropped and does not prune.
func (m *machine) leftovers(u int, rev uint8) set {
	var out set
	for o := range m.c.Objects {
		if m.c.renders(o, u, rev) == 0 && (!m.c.Units[u].Prune || m.c.Objects[o].NoPrune && m.holds(A46)) {
			out |= one(o)
		}
	}
	return out
}

// rests tells whether a unit is idle and Healthy.
func (m *machine) rests(w *world, u int) bool {
	s := &w.units[u]
	if s.op.kind != idle || s.sick != 0 {
		return false
	}
	for i := range m.c.Workloads {
		o := m.c.Workloads[i].Object
		if w.live[o].exists() && w.stamp[o] == int8(u) && m.workHealth(w, i) != wellAndGood {
			return false
		}
	}
	return true
}
