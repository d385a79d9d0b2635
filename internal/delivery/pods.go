package delivery

// changed lets a workload's controller see that its object has another content: pods of a new template are wanted [D1.1],
// [D1.4]. What mounts or follows the object is told by steps of its own.
func (m *machine) changed(n *world, o int) {
	for i := range m.c.Workloads {
		if m.c.Workloads[i].Object == o {
			m.respec(n, i)
		}
		for t := range m.c.Workloads[i].Templates {
			if !m.holds(D14) && m.c.Workloads[i].Templates[t].Provider == o && n.works[i].pods[t].phase != gone {
				n.works[i].pods[t] = pod{phase: starting}
			}
		}
	}
}

// respec wants pods of the template that the workload's object has now.
func (m *machine) respec(n *world, i int) {
	work, s := &m.c.Workloads[i], &n.works[i]
	content := n.live[work.Object]
	if !content.exists() {
		*s = workState{}
		return
	}
	t := work.Template[content]
	s.aborted = false
	s.room = m.returns(n, i, t)
	if s.stable != 0 && work.Template[Content(s.stable)] == t {
		s.stable = uint8(content) // back to what is stable, or a change outside the template
	}
	for other := range s.pods {
		switch {
		case other == t && s.pods[other].phase == gone:
			s.pods[other] = pod{phase: starting}
		case other != t && (m.makesRoom(work, s, other) || !m.holds(D11) || !m.holds(D12) && s.pods[other].phase == starting):
			s.pods[other] = pod{} // a new template aborts the one that was on its way [D2.8]
		}
	}
}

// returns tells whether a workload goes back to its stable template after pods of it made room for others [D1.1, D2.2, D2.3].
// That others hang does not keep them: one pod of four may be unavailable.
func (m *machine) returns(n *world, i, t int) bool {
	work, s := &m.c.Workloads[i], &n.works[i]
	if s.stable == 0 || work.Template[Content(s.stable)] != t || s.pods[t].phase != ready && s.pods[t].phase != refusing {
		return false
	}
	for other := range work.Templates {
		if p := s.pods[other].phase; other != t && (p == ready || p == refusing || p == starting && m.missing(n, i, other)) {
			return m.madeRoom(work)
		}
	}
	return false
}

// makesRoom tells whether pods of a template that is neither new nor stable go at once.
func (m *machine) makesRoom(work *Workload, s *workState, t int) bool {
	return work.Strategy != Rolling && (s.stable == 0 || work.Template[Content(s.stable)] != t) && m.holds(D28)
}

// work is one workload: its controller, its pods, and what people do to them.
func (m *machine) work(w *world, i int, e emit) {
	for t := range m.c.Workloads[i].Templates {
		m.startPod(w, i, t, e)
		if m.c.Pair.Workload == i {
			m.mount(w, i, t, e)
			m.reload(w, i, t, e)
		}
		m.churn(w, i, t, e)
	}
	m.restart(w, i, e)
	m.promote(w, i, e)
	m.regrow(w, i, e)
	m.abort(w, i, e)
	m.undo(w, i, e)
}

// startPod starts a pod that is wanted. It hangs while something that it needs is missing [D4.2]; it reads what the
// provider holds now, or, if its node knew the object before, what the kubelet still has of it [D4.7].
func (m *machine) startPod(w *world, i, t int, e emit) {
	work := &m.c.Workloads[i]
	if w.works[i].pods[t].phase != starting || m.missing(w, i, t) {
		return
	}
	now := m.held(w, i, t)
	n := m.take(w)
	n.works[i].pods[t] = m.started(n, i, t, now)
	e(ordinary(m.starter(i, t), PodStarted, 0, work.Object, t), n)
	provider := work.Templates[t].Provider
	if m.c.Pair.Workload != i || m.c.Pair.Inline || provider == None || !m.holds(D47) {
		return
	}
	for _, old := range m.contents[provider] {
		if !now.exists() || !m.was(w, provider, old) || m.blocks(i, t, old) {
			continue
		}
		n := m.take(w)
		n.works[i].pods[t] = m.started(n, i, t, old)
		e(unusual(StaleStart, int(old), work.Object, t), n)
	}
}

// held is what the provider of a template holds, 0 if there is none.
func (m *machine) held(w *world, i, t int) Content {
	return m.content(w, m.c.Workloads[i].Templates[t].Provider)
}

func (m *machine) content(w *world, o int) Content {
	if o != None && w.live[o].exists() {
		return w.live[o]
	}
	return 0
}

// missing tells whether a pod cannot start for want of an object, or of something in it [D4.1], [D4.2].
func (m *machine) missing(w *world, i, t int) bool {
	for _, r := range m.c.Workloads[i].Templates[t].Reads {
		if !r.Optional && !w.live[r.Object].exists() && m.holds(D42) {
			return true
		}
	}
	return m.blocks(i, t, m.held(w, i, t))
}

// blocks tells whether a pod of a template cannot start with a content of its provider.
func (m *machine) blocks(i, t int, content Content) bool {
	p := &m.c.Pair
	return p.Workload == i && p.Blocks != nil && m.holds(D41) && p.Blocks(m.c.Workloads[i].Templates[t].Image, content)
}

// started is a pod that has just started with this content of the provider. Its proxy has no earlier configuration: if it
// refuses the first one, the pod does not become ready [E3.5].
func (m *machine) started(w *world, i, t int, content Content) pod {
	if m.c.Pair.Workload != i {
		return pod{phase: ready}
	}
	p := pod{phase: ready, loaded: content, mount: content, list: w.pushed}
	if m.c.Pair.Inline {
		p.loaded, p.mount = w.pushed, 0
		return p
	}
	if !m.accepts(t, p.mount, p.list) {
		p = pod{phase: refusing, mount: content}
		if !m.holds(E35) {
			p.phase = ready
		}
	}
	return m.forget(p)
}

// forget drops from a pod what cannot matter, so that equal pods are equal.
func (m *machine) forget(p pod) pod {
	if m.c.Pair.Mounted && !m.tracksMounts() {
		p.mount = 0
	}
	return p
}

// tracksMounts tells whether it matters what a running pod's files show. Without a filter a proxy that reads again reads
// what the provider holds then: whatever a lagging file showed it could have read before.
func (m *machine) tracksMounts() bool {
	return m.c.Pair.Mounted && (m.c.Pair.Filter != None && !m.c.Pair.Inline || m.c.Pair.How == Follows)
}

// accepts tells whether the proxy of a pod of the pair takes a filter.
func (m *machine) accepts(t int, file, list Content) bool {
	p := &m.c.Pair
	return p.Accepts == nil || !list.exists() || p.Accepts(m.c.Workloads[p.Workload].Templates[t].Image, file, list)
}

// mount is the kubelet bringing a change to the files of a running pod, some time later [D4.2], [D4.6].
func (m *machine) mount(w *world, i, t int, e emit) {
	p := &w.works[i].pods[t]
	now := m.held(w, i, t)
	if !m.tracksMounts() || p.phase != ready && p.phase != refusing || now == 0 || p.mount == now || !m.holds(D46) {
		return
	}
	n := m.take(w)
	q := &n.works[i].pods[t]
	q.mount = now
	if m.c.Pair.How == Follows {
		q.loaded = now
	}
	e(ordinary(m.kubelet(i, t), Mounted, 0, m.c.Workloads[i].Object, t), n)
}

// push tells every selected proxy of the filter's content, old pods and new ones [E2.4], [E5.2]. A proxy that accepts it
// reads its file again [E2.2]; one that does not keeps what it has, and nobody tries again [E3.4].
func (m *machine) push(w *world, e emit) {
	f := m.c.Pair.Filter
	if f == None {
		return
	}
	now := w.live[f]
	if !now.exists() {
		now = 0
	}
	if w.pushed == now {
		return
	}
	n := m.take(w)
	n.pushed = now
	if i := m.c.Pair.Workload; i != None {
		for t := range m.c.Workloads[i].Templates {
			p := &n.works[i].pods[t]
			switch {
			case p.phase != ready && p.phase != refusing || !m.holds(E24):
			case m.c.Pair.Inline:
				p.list, p.loaded = now, now
			case m.accepts(t, m.file(w, i, t), now):
				loaded := m.file(w, i, t)
				if !m.holds(E22) {
					loaded = p.loaded
				}
				*p = m.forget(pod{phase: ready, loaded: loaded, mount: p.mount, list: now})
			case !m.holds(E34):
				*p = m.forget(pod{phase: refusing, mount: p.mount})
			}
		}
	}
	e(ordinary(m.pusher(), Told, 0, f, int(now)), n)
}

// file is what a pod's file shows.
func (m *machine) file(w *world, i, t int) Content {
	if m.tracksMounts() || !m.c.Pair.Mounted {
		return w.works[i].pods[t].mount
	}
	return m.held(w, i, t)
}

// reload is a proxy that reads again without being asked by the release: its container restarts, or its listener is built
// anew [E2.2], [E2.3].
func (m *machine) reload(w *world, i, t int, e emit) {
	p := &w.works[i].pods[t]
	if !m.c.Pair.Proxy || m.c.Pair.Inline || p.phase != ready && p.phase != refusing || !m.holds(E22) {
		return
	}
	content := m.file(w, i, t)
	if !m.c.Pair.Mounted {
		content = m.held(w, i, t) // a subPath is bound anew when the container restarts [D4.3]
	}
	if content == 0 && !m.tracksMounts() {
		return // the file stays although its object is gone
	}
	q := m.started(w, i, t, content)
	if q == *p {
		return
	}
	n := m.take(w)
	n.works[i].pods[t] = q
	e(unusual(Reloaded, 0, m.c.Workloads[i].Object, t), n)
}

// churn makes a pod anew from its own template, old or new, or adds one: eviction, drain, a lost node, an autoscaler
// [D3.1], [D1.2]. A DaemonSet makes it from the new one [D1.3].
func (m *machine) churn(w *world, i, t int, e emit) {
	work, s := &m.c.Workloads[i], &w.works[i]
	if s.pods[t].phase != ready && s.pods[t].phase != refusing || !m.holds(D31) {
		return
	}
	n := m.take(w)
	fromNew := work.ReplacesFromNew || !m.holds(D12)
	if current := work.Template[w.live[work.Object]]; fromNew && t != current {
		n.works[i].pods[t] = pod{}
		if n.works[i].pods[current].phase == gone {
			n.works[i].pods[current] = pod{phase: starting}
		}
	} else {
		n.works[i].pods[t] = pod{phase: starting}
	}
	e(unusual(Churned, 0, work.Object, t), n)
}
