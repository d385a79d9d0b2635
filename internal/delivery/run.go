package delivery

import "github.com/syncproof/syncproof/internal/explore"

// Run is one run of a case, step by step and without a search: how a trace is replayed.
type Run struct {
	m *machine
	w world
}

// NewRun starts at r0, with r1 pushed.
func NewRun(c *Case) *Run {
	m := newMachine(c)
	return &Run{m: m, w: m.fresh()}
}

// Take takes a step, if it is possible now.
func (r *Run) Take(e Event) bool {
	found := false
	var next world
	r.m.steps(&r.w, func(s explore.Step, w *world) {
		if !found && s.Label == e.Label() {
			found, next = true, *w
		}
	})
	if found {
		r.w = next
	}
	return found
}

// Possible are the steps that are possible now.
func (r *Run) Possible() []Event {
	var out []Event
	r.m.steps(&r.w, func(s explore.Step, _ *world) { out = append(out, EventOf(s.Label)) })
	return out
}

// Look tells which predicates hold now.
func (r *Run) Look() uint64 { return r.m.look(&r.w) }

// Point is where a run stands. Points are equal when the same is true there.
type Point struct{ w world }

// Point is where the run stands now.
func (r *Run) Point() Point { return Point{r.w} }

// Back goes to a point of this run.
func (r *Run) Back(p Point) { r.w = p.w }

// Next are the steps that are possible now and that somebody wants, with where they lead.
func (r *Run) Next(wanted func(Event) bool, yield func(Event, Point)) {
	r.m.steps(&r.w, func(s explore.Step, w *world) {
		if e := EventOf(s.Label); wanted(e) {
			yield(e, Point{*w})
		}
	})
}

// ByHand is a sync of a unit by hand, if it is possible now: of some objects, or of everything if there are none. Other than
// a step of the model it may pick any objects.
func (r *Run) ByHand(u int, objects []int) bool {
	p := pick{objects: r.m.all(u)}
	if len(objects) > 0 {
		p = pick{number: 1}
		for _, o := range objects {
			p.objects |= one(o)
		}
	}
	head := r.m.newest(&r.w, u)
	if r.w.units[u].op.kind != idle || r.m.outOfSync(&r.w, u, head)&p.objects == 0 {
		return false
	}
	r.m.sync(&r.w, u, head, p)
	return true
}

// Replay takes steps one after the other and tells which predicates hold at the start and after each of them. It ends early
// at a step that is not possible.
func (c *Case) Replay(events []Event) []uint64 {
	r := NewRun(c)
	out := []uint64{r.Look()}
	for _, e := range events {
		if !r.Take(e) {
			return out
		}
		out = append(out, r.Look())
	}
	return out
}
