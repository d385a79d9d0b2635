package delivery

// promote completes a rollout once a pod of the new template is ready: the old pods go. A canary's pauses and analyses end
// at any later time.
func (m *machine) promote(w *world, i int, e emit) {
	work, s := &m.c.Workloads[i], &w.works[i]
	content := w.live[work.Object]
	if !content.exists() || s.aborted {
		return
	}
	t := work.Template[content]
	if s.pods[t].phase != ready || s.stable == uint8(content) && !m.lingers(w, i) {
		return
	}
	n := m.take(w)
	for other := range n.works[i].pods {
		if other != t {
			n.works[i].pods[other] = pod{}
		}
	}
	n.works[i].stable, n.works[i].room = uint8(content), false
	e(ordinary(m.controller(i), Promoted, 0, work.Object, t), n)
}

// reloads lets reloaders see that an object has another content [D5.6].
func (m *machine) reloads(n *world, o int) {
	for i := range m.c.Workloads {
		for _, template := range m.c.Workloads[i].Templates {
			if m.c.Workloads[i].Reloader && template.Provider == o && m.holds(D56) {
				n.works[i].due = true
			}
		}
	}
}

// restart is a reloader at work, some time later. It makes pods anew from the templates that there are, and does not ask
// which image is in them [D5.6]: of a Deployment by a change of its current template, of a Rollout in place.
func (m *machine) restart(w *world, i int, e emit) {
	if !w.works[i].due {
		return
	}
	work, n := &m.c.Workloads[i], m.take(w)
	s := &n.works[i]
	s.due = false
	for t := range work.Templates {
		current := w.live[work.Object].exists() && work.Template[w.live[work.Object]] == t
		if p := &s.pods[t]; (current || work.Strategy != Rolling) && (p.phase == ready || p.phase == refusing) {
			*p = pod{phase: starting}
		}
	}
	e(ordinary(m.reloader(i), Restarted, 0, work.Object, 0), n)
}

// abort goes back to the stable pods and leaves the object as it is [D2.5]. Where stable pods had made room, new ones are
// made from the old template [D2.2], [D2.3]; not all of them, so that the witness may be one that stayed.
func (m *machine) abort(w *world, i int, e emit) {
	work, s := &m.c.Workloads[i], &w.works[i]
	content := w.live[work.Object]
	if work.Strategy == Rolling || s.aborted || s.stable == 0 || !content.exists() {
		return
	}
	t, stable := work.Template[content], work.Template[Content(s.stable)]
	if t == stable {
		return
	}
	n := m.aborted(w, i, t)
	if m.madeRoom(work) {
		n.works[i].pods[stable] = pod{phase: starting}
	}
	e(unusual(Aborted, 0, work.Object, t), n)
	if m.madeRoom(work) && s.pods[stable].phase != starting { // the witness is one that stayed
		e(unusual(Aborted, 1, work.Object, t), m.aborted(w, i, t))
	}
}

// aborted is what an abort does in any case.
func (m *machine) aborted(w *world, i, t int) *world {
	n := m.take(w)
	s := &n.works[i]
	s.aborted = true
	m.takeAlong(n, m.c.Workloads[i].Object, Content(s.stable))
	s.pods[t] = pod{}
	if !m.holds(D25) {
		n.live[m.c.Workloads[i].Object], s.aborted = Content(s.stable), false
	}
	return n
}

// regrow makes pods of the stable template again, after others were taken back: the witness is one of them, or one that
// stayed.
func (m *machine) regrow(w *world, i int, e emit) {
	if !w.works[i].room {
		return
	}
	work := &m.c.Workloads[i]
	stable := work.Template[Content(w.works[i].stable)]
	for stays := range 2 {
		n := m.take(w)
		n.works[i].room = false
		if stays == 0 {
			n.works[i].pods[stable] = pod{phase: starting}
		}
		e(ordinary(m.controller(i), Regrown, stays, work.Object, stable), n)
	}
}

// madeRoom tells whether pods of the stable template go before a rollout is complete.
func (m *machine) madeRoom(work *Workload) bool {
	switch work.Strategy {
	case Rolling:
		return work.Many && m.holds(D11)
	case BasicCanary:
		return work.Many && m.holds(D22)
	case RoutedCanary:
		return work.DynamicStable && m.holds(D23)
	}
	return false
}

// undo sets the object back to an earlier template by hand, and touches nothing else [D2.6], [D2.7], [D2.11].
func (m *machine) undo(w *world, i int, e emit) {
	work := &m.c.Workloads[i]
	now := w.live[work.Object]
	if !now.exists() || !m.holds(D211) {
		return
	}
	for _, old := range m.contents[work.Object] {
		if !m.was(w, work.Object, old) || work.Template[old] == work.Template[now] {
			continue
		}
		n := m.take(w)
		n.live[work.Object] = old
		m.respec(n, i)
		m.takeAlong(n, work.Object, old)
		e(unusual(Undone, 0, work.Object, int(old)), n)
	}
}

// takeAlong would set the provider back together with the workload: nobody does that [D2.6].
func (m *machine) takeAlong(n *world, o int, old Content) {
	for rev := range m.c.Last + 1 {
		if content, _ := m.c.at(o, uint8(rev)); content == old && m.c.Pair.Provider != None && !m.holds(D26) {
			n.live[m.c.Pair.Provider], _ = m.c.at(m.c.Pair.Provider, uint8(rev))
			return
		}
	}
}
