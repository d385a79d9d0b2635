package delivery

// The predicates of a state.
const (
	// SkewCommon: a ready pod that gets traffic, or a live route, fails a call that works with the images of r0 and rk.
	SkewCommon uint64 = 1 << iota
	// SkewNew: it fails a call that only the image of rk serves. That is a harm only if it lasts.
	SkewNew
	// Skew is either of the two.
	Skew
	// MaybeCommon and Maybe are SkewCommon and Skew, also where the match is unknown.
	MaybeCommon
	Maybe
	// Absent: an object that is needed was deleted.
	Absent
	// Blocked: a wanted pod cannot become ready, or an apply is refused for what the release itself holds.
	Blocked
	// Quiet: every unit is idle, Synced at the revision that it has seen, and Healthy.
	Quiet
	// Done: the release has arrived at rk.
	Done
	// ConsumerFirst: something of the consumer's side has changed, and the provider is not at rk yet.
	ConsumerFirst
	// ProviderFirst: the provider has changed, and the consumer is not at rk yet.
	ProviderFirst
)

// look tells which predicates hold.
func (m *machine) look(w *world) uint64 {
	bits := m.skew(w)
	if m.absent(w) {
		bits |= Absent
	}
	if m.blocked(w) {
		bits |= Blocked
	}
	if m.quiet(w) {
		bits |= Quiet
	}
	if m.done(w) {
		bits |= Done
	}
	return bits | m.order(w)
}

func (m *machine) quiet(w *world) bool {
	for u := range m.c.Units {
		if !m.settled(w, u) {
			return false
		}
	}
	return m.healthy(w)
}

// done tells whether the release has arrived: every unit has seen rk and is idle, those that are automated have arrived, and
// the workloads are healthy. Whoever syncs by hand may leave a unit OutOfSync.
func (m *machine) done(w *world) bool {
	if f := m.c.Pair.Filter; int(w.head) != m.c.Last || f != None && w.pushed != w.live[f] && w.live[f].exists() {
		return false
	}
	for u := range m.c.Units {
		s := &w.units[u]
		if int(s.seen) != m.c.Last || s.op.kind != idle || (m.c.Units[u].Automated || m.c.Units[u].Step > 0) && !m.arrived(w, u) {
			return false
		}
	}
	return m.healthy(w)
}

// healthy tells whether all workloads are.
func (m *machine) healthy(w *world) bool {
	for i := range m.c.Workloads {
		if w.live[m.c.Workloads[i].Object].exists() && m.workHealth(w, i) != wellAndGood {
			return false
		}
	}
	return true
}

// order tells which side is ahead. Where the provider is another object by template, as when its name tells its content, the
// provider's side are those that another unit than the consumer's delivers.
func (m *machine) order(w *world) uint64 {
	c := m.c
	begun := !m.at(w, c.Pair.Consumer, 0) || c.Pair.Filter != None && !c.Pair.Inline && !m.at(w, c.Pair.Filter, 0)
	arrived := m.at(w, c.Pair.Consumer, uint8(c.Last))
	moved, behind := m.ahead(w, c.Pair.Provider)
	if c.Pair.Provider == None && c.Pair.Workload != None {
		for t := range c.Workloads[c.Pair.Workload].Templates {
			if o := c.Workloads[c.Pair.Workload].Templates[t].Provider; o != None && c.foreign(o) {
				x, y := m.ahead(w, o)
				moved, behind = moved || x, behind || y
			}
		}
	}
	var bits uint64
	if begun && behind {
		bits |= ConsumerFirst
	}
	if moved && !arrived {
		bits |= ProviderFirst
	}
	return bits
}

// ahead tells whether a provider is not at r0 any more, and whether it is not at rk yet.
func (m *machine) ahead(w *world, o int) (moved, behind bool) {
	if o == None {
		return false, false
	}
	return !m.at(w, o, 0), !m.at(w, o, uint8(m.c.Last))
}

// at tells whether an object is as it is when all is fresh at a revision.
func (m *machine) at(w *world, o int, rev uint8) bool {
	content, _ := m.c.at(o, rev)
	return m.content(w, o) == content
}

// skew looks at what is served.
func (m *machine) skew(w *world) uint64 {
	p := &m.c.Pair
	if p.Workload == None {
		consumer := w.live[p.Consumer]
		if !consumer.exists() {
			return 0
		}
		return skewBits(p.Match(int(consumer), m.content(w, p.Provider), 0))
	}
	var bits uint64
	work := &m.c.Workloads[p.Workload]
	for t := range work.Templates {
		pod := &w.works[p.Workload].pods[t]
		if pod.phase == ready && m.routed(w, p.Workload, t) {
			bits |= skewBits(p.Match(work.Templates[t].Image, pod.loaded, pod.list))
		}
	}
	return bits
}

// routed tells whether pods of a template get traffic: those of a blue-green rollout only when they are the active ones
// [D2.4].
func (m *machine) routed(w *world, i, t int) bool {
	work := &m.c.Workloads[i]
	if work.Strategy != BlueGreen || !m.holds(D24) {
		return true
	}
	stable := w.works[i].stable
	return stable == 0 || work.Template[Content(stable)] == t
}

func skewBits(o Outcome) uint64 {
	var bits uint64
	switch o.Common {
	case Fails:
		bits |= SkewCommon | Skew | MaybeCommon | Maybe
	case Unknown:
		bits |= MaybeCommon | Maybe
	}
	switch o.New {
	case Fails:
		bits |= SkewNew | Skew | Maybe
	case Unknown:
		bits |= Maybe
	}
	return bits
}

// absent tells whether something that is needed was deleted: by itself, or by a pod that is wanted.
func (m *machine) absent(w *world) bool {
	for o := range m.c.Objects {
		if w.live[o] == Deleted && (m.c.Objects[o].Needed || m.readByPods(w, o)) {
			return true
		}
	}
	return false
}

func (m *machine) readByPods(w *world, o int) bool {
	for i := range m.c.Workloads {
		for t, template := range m.c.Workloads[i].Templates {
			if w.works[i].pods[t].phase == gone {
				continue
			}
			for _, r := range template.Reads {
				if r.Object == o && !r.Optional {
					return true
				}
			}
		}
	}
	return false
}

// blocked tells whether a wanted pod hangs, or an operation was refused for what the release holds.
func (m *machine) blocked(w *world) bool {
	for u := range m.c.Units {
		if w.units[u].turned {
			return true
		}
	}
	for i := range m.c.Workloads {
		for t := range m.c.Workloads[i].Templates {
			switch p := &w.works[i].pods[t]; {
			case p.phase == refusing, p.phase == starting && m.missing(w, i, t):
				return true
			}
		}
	}
	return false
}
