package delivery

import "github.com/syncproof/syncproof/internal/explore"

// Reference is the same model without its cut: of each template there are two pods, each with a life of its own, and the
// workload's controller makes and removes them one by one. What happens to a single pod, and all that is no pod, are the steps
// of the model. It knows cases with one workload, the pair's.
type Reference struct{ m *machine }

// NewReference makes one.
func NewReference(c *Case) *Reference { return &Reference{newMachine(c)} }

// slots is the number of pods that a template has at most.
const slots = 2

// RefState is a state: the world without its witnesses, and the pods.
type RefState struct {
	key  Key256
	pods [MaxRevisions][slots]refPod
}

// refPod is a pod, and the filter's content that its proxy was told last.
type refPod struct {
	pod
	told Content
}

// spelled is a state under way.
type spelled struct {
	r    *Reference
	w    world
	pods [MaxRevisions][slots]refPod
}

func (r *Reference) open(s RefState) *spelled {
	out := &spelled{r: r, pods: s.pods}
	r.m.unpack(s.key[:], &out.w)
	out.sum()
	return out
}

func (s *spelled) close() RefState {
	out := RefState{pods: s.pods}
	w := s.w
	w.works[0].pods = [MaxRevisions]pod{}
	s.r.m.pack(&w, out.key[:])
	return out
}

func (s *spelled) clone() *spelled {
	c := *s
	return &c
}

func (s *spelled) work() *Workload  { return &s.r.m.c.Workloads[0] }
func (s *spelled) content() Content { return s.w.live[s.work().Object] }

// wanted and stable are templates, -1 if there is none.
func (s *spelled) wanted() int {
	if c := s.content(); c.exists() {
		return s.work().Template[c]
	}
	return -1
}

func (s *spelled) stable() int {
	if c := Content(s.w.works[0].stable); c != 0 {
		return s.work().Template[c]
	}
	return -1
}

func (s *spelled) replicas() int {
	if s.work().Many {
		return 2
	}
	return 1
}

func (s *spelled) count(t int, is func(phase) bool) int {
	n := 0
	for _, p := range s.pods[t] {
		if is(p.phase) {
			n++
		}
	}
	return n
}

func there(p phase) bool   { return p != gone }
func isReady(p phase) bool { return p == ready }

// sum puts into each template's witness what health is judged by: the worst of its pods.
func (s *spelled) sum() {
	for t := range s.work().Templates {
		worst := gone
		for _, is := range []phase{ready, starting, refusing} {
			if s.count(t, func(p phase) bool { return p == is }) > 0 {
				worst = is
			}
		}
		if t == s.wanted() && t == s.stable() && s.count(t, there) < s.replicas() {
			worst = starting
		}
		s.w.works[0].pods[t] = pod{phase: worst}
	}
}

// alone is the world with one pod as its template's witness, and without others.
func (s *spelled) alone(t, slot int) *world {
	w := s.w
	w.works[0].pods = [MaxRevisions]pod{}
	w.works[0].pods[t] = s.pods[t][slot].pod
	return &w
}

// grow makes a pod of a template in a free slot.
func (s *spelled) grow(t int) {
	for i := range s.pods[t] {
		if s.pods[t][i].phase == gone {
			s.pods[t][i] = refPod{pod: pod{phase: starting}}
			return
		}
	}
}

func (s *spelled) clear(t int) { s.pods[t] = [slots]refPod{} }

// respec follows a change of the workload's object: the first pod of a new template comes at once, and a canary of another
// template that is not the stable one goes.
func (s *spelled) respec() {
	t := s.wanted()
	for other := range s.work().Templates {
		switch {
		case t < 0, other != t && s.work().Strategy != Rolling && other != s.stable():
			s.clear(other)
		case other == t && s.count(t, there) == 0:
			s.grow(t)
		}
	}
}

// Init yields the state in which everything is at r0.
func (r *Reference) Init(yield func(RefState)) {
	s := &spelled{r: r, w: r.m.fresh()}
	for t, p := range s.w.works[0].pods {
		for i := range s.pods[t] {
			if p.phase != gone && i < s.replicas() {
				s.pods[t][i] = refPod{p, s.w.pushed}
			}
		}
	}
	yield(s.close())
}

// Look tells which predicates hold.
func (r *Reference) Look(k RefState) uint64 {
	s := r.open(k)
	const served = SkewCommon | SkewNew | Skew | MaybeCommon | Maybe
	bits := r.m.look(&s.w) &^ served
	for t := range s.work().Templates {
		for i := range s.pods[t] {
			bits |= r.m.skew(s.alone(t, i))
		}
	}
	return bits
}

// Next yields the steps.
func (r *Reference) Next(k RefState, yield func(explore.Step, RefState)) {
	s := r.open(k)
	m := r.m
	// Whatever is no pod is as in the model.
	outside := func(step explore.Step, w *world) {
		n := s.clone()
		n.w = *w
		n.w.works[0].room = false
		if n.content() != s.content() {
			n.respec()
		}
		n.sum()
		yield(step, n.close())
	}
	m.git(&s.w, outside)
	for u := range m.c.Units {
		m.observe(&s.w, u, outside)
		m.operate(&s.w, u, outside)
		m.byHand(&s.w, u, outside)
	}
	m.derive(&s.w, outside)
	m.undo(&s.w, 0, outside)
	if f := m.c.Pair.Filter; f != None && s.w.pushed != m.content(&s.w, f) {
		n := s.clone()
		n.w.pushed = m.content(&s.w, f)
		yield(ordinary(m.pusher(), Told, 0, f, int(n.w.pushed)), n.close())
	}
	for t := range s.work().Templates {
		for i := range s.pods[t] {
			s.one(t, i, yield)
		}
	}
	s.control(yield)
}

// one is a single pod's life: as that of a witness, with actors of its own.
func (s *spelled) one(t, slot int, yield func(explore.Step, RefState)) {
	m, actor := s.r.m, uint8(150+(t*slots+slot)*3)
	as := func(actor uint8) emit {
		return func(step explore.Step, w *world) {
			n := s.clone()
			was := n.pods[t][slot]
			n.pods[t][slot].pod = w.works[0].pods[t]
			if was.phase == starting {
				n.pods[t][slot].told = s.w.pushed
			}
			if step.Cost == 0 {
				step.Actor = actor
			}
			yield(step, n.close())
		}
	}
	w := s.alone(t, slot)
	m.startPod(w, 0, t, as(actor))
	m.mount(w, 0, t, as(actor+1))
	m.reload(w, 0, t, as(0))
	if p := s.pods[t][slot]; p.phase != gone && p.phase != starting && p.told != s.w.pushed {
		told := *w
		told.pushed, told.live[m.c.Pair.Filter] = p.told, s.w.pushed
		m.push(&told, func(step explore.Step, w *world) {
			n := s.clone()
			n.pods[t][slot] = refPod{w.works[0].pods[t], s.w.pushed}
			step.Actor = actor + 2
			yield(step, n.close())
		})
	}
	if p := s.pods[t][slot].phase; p == ready || p == refusing {
		n := s.clone()
		if n.pods[t][slot] = (refPod{}); s.work().ReplacesFromNew && t != s.wanted() {
			n.grow(s.wanted())
		} else {
			n.pods[t][slot].phase = starting
		}
		yield(unusual(Churned, slot, 0, t), n.close())
	}
}

// control is the workload's controller: it makes pods of the wanted template and removes others, one by one; and what people
// do to it.
func (s *spelled) control(yield func(explore.Step, RefState)) {
	m := s.r.m
	step := func(number int, change func(n *spelled)) {
		n := s.clone()
		change(n)
		yield(ordinary(m.controller(0), Promoted, 1+number, 0, number), n.close())
	}
	t, stable := s.wanted(), s.stable()
	if t < 0 {
		return
	}
	for other := range s.work().Templates { // an autoscaler adds a pod of a template in use
		if n := s.count(other, there); n > 0 && n < slots {
			n := s.clone()
			n.grow(other)
			yield(unusual(Churned, 7, 0, other), n.close())
		}
	}
	if s.w.works[0].aborted {
		if s.count(stable, there) < s.replicas() {
			step(20, func(n *spelled) { n.grow(stable) })
		}
		return
	}
	if s.count(t, there) < s.replicas() && (t == stable || s.count(t, isReady) > 0) {
		step(10, func(n *spelled) { n.grow(t) })
	}
	for other := range s.work().Templates {
		for i := range s.pods[other] {
			if p := s.pods[other][i].phase; other != t && p != gone && s.mayGo(t, other, p) {
				step(other*slots+i, func(n *spelled) { n.pods[other][i] = refPod{} })
			}
		}
	}
	complete := s.count(t, isReady) >= s.replicas() && s.count(t, isReady) == s.count(t, there)
	if complete && (Content(s.w.works[0].stable) != s.content() || m.lingers(&s.w, 0)) {
		step(30, func(n *spelled) {
			for other := range n.pods {
				if other != t {
					n.clear(other)
				}
			}
			n.w.works[0].stable = uint8(n.content())
		})
	}
	m.abort(&s.w, 0, func(step explore.Step, w *world) {
		n := s.clone()
		n.w = *w
		n.clear(t)
		if EventOf(step.Label).Unit == 0 { // its other variant is that pods are made again: steps of their own here
			yield(step, n.close())
		}
	})
}

// mayGo tells whether a pod of another template goes before the rollout is complete.
func (s *spelled) mayGo(t, other int, p phase) bool {
	healthy := s.count(t, isReady) > 0
	switch s.work().Strategy {
	case Rolling:
		return healthy || p != ready || s.count(other, there) > 1 // the same
	case BasicCanary:
		return other != s.stable() || s.count(other, there) > 1 // maxUnavailable may be 1
	case RoutedCanary:
		return other != s.stable() || s.work().DynamicStable && healthy
	}
	return other != s.stable()
}
