package proof

import (
	"errors"
	"fmt"
	"slices"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/delivery"
)

// ErrNoReplay says that a run of a projected Case is none of the whole release: a mistake of ours.
var ErrNoReplay = errors.New("not a run of the whole release")

// Replay runs every trace of a judgement again on the whole release, without a search. The error is an [ErrNoReplay], with
// the step that is not possible, or an [cone.ErrTooLarge]; nil if all of them can happen.
func Replay(r *cone.Release, s *Solved) error {
	if len(s.Openings) == 0 {
		return nil
	}
	w, err := cone.NewWhole(r, &s.Problem)
	if err != nil {
		return err
	}
	for _, o := range slices.Concat(s.Openings, s.ProviderFirst, s.ConsumerFirst) {
		if err := Again(w, o); err != nil {
			return err
		}
	}
	return nil
}

// Again runs the trace of one opening again. Before a step it takes ordinary steps of what the projected Case does not have
// where the step needs them.
func Again(w *cone.Whole, o Opening) error {
	p := replay{w: w, o: o, run: delivery.NewRun(w.Case), seen: map[stage]bool{}, left: maxReplay, harm: o.bits()}
	if p.from(0) {
		return nil
	}
	why := "the harm is not there at the end"
	switch {
	case p.left == 0:
		why = fmt.Sprintf("none was found in %d tries", maxReplay)
	case p.reached < len(o.Trace):
		why = fmt.Sprintf("step %d of %d is not possible: %s", p.reached+1, len(o.Trace), words(w, o.Trace[p.reached]))
	}
	return fmt.Errorf("%w: %v %s %s %s: %s", ErrNoReplay, o.Set, o.Harm, o.Persistence, o.Visibility, why)
}

// words say what an event of the projected Case is.
func words(w *cone.Whole, e delivery.Event) string {
	words := fmt.Sprintf("%s, unit %d, object %d, number %d", e.Deed, e.Unit, e.Object, e.Number)
	if e.Object < w.Own && e.Deed != delivery.ByHand {
		words += " (" + w.Names.Objects[e.Object].ID.String() + ")"
	}
	return words
}

// bits are the predicates of an opening's harm.
func (o Opening) bits() uint64 {
	for _, a := range aspects {
		if a.harm != o.Harm || a.maybe != o.Maybe {
			continue
		}
		if o.Persistence == Transient {
			return a.once
		}
		return a.lasts
	}
	return 0
}

// maxReplay bounds the stages of one replay.
const maxReplay = 2000

// replay looks for a run of the whole release that has the steps of a trace, and between them ordinary steps of other
// objects only.
type replay struct {
	w       *cone.Whole
	o       Opening
	run     *delivery.Run
	seen    map[stage]bool
	left    int
	harm    uint64
	reached int    // steps of the trace that were taken at most
	early   uint64 // see stage
}

// stage is how far a replay is. Early are the steps of the trace that were taken before their turn.
type stage struct {
	next  int
	early uint64
	at    delivery.Point
}

// move is a step that a replay may take.
type move struct {
	to    delivery.Point
	next  int // step of the trace that is due then
	early uint64
	rank  int // lower is tried first
}

// from goes on with the step of this number, and tells whether the end was reached.
func (p *replay) from(next int) bool {
	p.reached = max(p.reached, next)
	here := stage{next, p.early, p.run.Point()}
	if p.left == 0 || p.seen[here] || next == p.o.Harmed && p.run.Look()&p.harm == 0 {
		return false
	}
	p.left--
	p.seen[here] = true
	if next == len(p.o.Trace) && p.harmed() {
		return true
	}
	for _, m := range p.moves(next) {
		p.run.Back(m.to)
		p.early = here.early | m.early
		if p.from(m.next) {
			return true
		}
	}
	p.run.Back(here.at)
	p.early = here.early
	return false
}

// harmed tells whether the end is what the opening says. The trace of a transient harm ends before it turns silent, and of
// units that contend for something else one is never quiet.
func (p *replay) harmed() bool {
	look := p.run.Look()
	return look&p.harm != 0 && (p.o.Visibility == Visible || p.o.Persistence == Transient || p.w.Contended || look&delivery.Quiet != 0)
}

// isSkipped tells whether an event is one of other objects that takes place by itself, whenever a later step needs it, or the
// end of a wave that has nothing of them, as when another unit holds what would be pruned in it.
func (p *replay) isSkipped(e delivery.Event) bool {
	switch e.Deed {
	case delivery.Applied, delivery.Pruned, delivery.Turned:
		return p.isRest(e)
	case delivery.Waited:
		return e.Number == 0
	}
	return false
}

func (p *replay) isRest(e delivery.Event) bool {
	switch e.Deed {
	case delivery.Applied, delivery.Pruned, delivery.Turned, delivery.RefusedOnce, delivery.RefusedAlways, delivery.NeverHealthy:
		return p.w.Part.Objects[e.Object].Kind == delivery.Rest
	}
	return false
}

// moves are what a replay may do: take the next step of the trace, or go past it, or take a step before it.
func (p *replay) moves(next int) []move {
	if next < len(p.o.Trace) && p.early>>next&1 == 1 {
		return []move{{to: p.run.Point(), next: next + 1}}
	}
	var out []move
	useful := func(x delivery.Event) bool {
		_, ok := p.move(next, x)
		return ok
	}
	p.run.Next(useful, func(x delivery.Event, to delivery.Point) {
		m, _ := p.move(next, x)
		m.to = to
		out = append(out, m)
	})
	if next < len(p.o.Trace) {
		out = append(out, p.past(next)...)
	}
	slices.SortStableFunc(out, func(a, b move) int { return a.rank - b.rank })
	return out
}

// past are the moves that are no single step of the model: leaving a step of the trace out, and a sync by hand.
func (p *replay) past(next int) []move {
	here := p.run.Point()
	switch e := p.o.Trace[next]; {
	case p.isSkipped(e) && e.Deed == delivery.Waited:
		return []move{{to: here, next: next + 1, rank: -1}}
	case p.isSkipped(e):
		return []move{{to: here, next: next + 1, rank: -3}}
	case e.Deed == delivery.ByHand && p.run.ByHand(e.Unit, p.w.Part.Selection(e)):
		to := p.run.Point()
		p.run.Back(here)
		return []move{{to: to, next: next + 1, rank: -2}}
	}
	return nil
}

// move tells what a step is good for.
func (p *replay) move(next int, x delivery.Event) (move, bool) {
	if next < len(p.o.Trace) {
		if e := p.o.Trace[next]; p.is(x, e) {
			return move{next: next + 1, rank: -2}, true
		}
		if n := p.sooner(next, x); n > next {
			return move{next: next, rank: -1, early: 1 << n}, true
		}
	}
	rank := p.rank(next, x)
	return move{next: next, rank: rank}, rank >= 0
}

// is tells whether a step is that of an event, or does the same with one of the objects that the event's stands for.
func (p *replay) is(x, e delivery.Event) bool {
	switch {
	case e.Deed == delivery.ByHand:
		return false
	case p.isRest(e):
		return x.Deed == e.Deed && x.Unit == e.Unit && x.Number == e.Number && stands(p.w, e.Object, x.Object, x.Unit)
	}
	return x == e
}

// sooner finds an unusual step with other objects that comes later in the trace, in the same operation: the whole release
// may have those objects before the pair's. 0: there is none.
func (p *replay) sooner(next int, x delivery.Event) int {
	for n := next + 1; n < len(p.o.Trace) && n < 64; n++ {
		e := p.o.Trace[n]
		if e.Unit != x.Unit {
			continue
		}
		switch e.Deed {
		case delivery.Started, delivery.Healing, delivery.Retried, delivery.ByHand:
			return 0
		}
		if p.isRest(e) && !p.isSkipped(e) && p.early>>n&1 == 0 && p.is(x, e) {
			return n
		}
	}
	return 0
}

// stands tells whether an object of the whole release is among those that a Rest stands for.
func stands(w *cone.Whole, rest, o, u int) bool {
	a, b := &w.Part.Objects[rest], &w.Case.Objects[o]
	return o >= w.Own && a.Place.Phase == b.Place.Phase && a.Place.Wave == b.Place.Wave && a.Hook == b.Hook &&
		slices.ContainsFunc(b.Render[u], func(c delivery.Content) bool { return c != 0 })
}

// rank is how willingly a step is taken before the next one of the trace: first what that one's unit does with other objects;
// -1: never.
func (p *replay) rank(next int, x delivery.Event) int {
	elsewhere := 1
	if next < len(p.o.Trace) && x.Unit == p.o.Trace[next].Unit {
		elsewhere = 0
	}
	foreign := x.Unit >= len(p.w.Part.Units)
	switch x.Deed {
	case delivery.Applied, delivery.Pruned, delivery.Turned:
		if x.Object >= p.w.Own {
			return elsewhere
		}
		if foreign {
			return 6
		}
	case delivery.PodStarted, delivery.Mounted, delivery.Promoted, delivery.Regrown:
		if x.Object >= p.w.Own {
			return 2
		}
	case delivery.Waited:
		return 3 + elsewhere
	case delivery.Observed, delivery.Started, delivery.Healing, delivery.Retried:
		if foreign {
			return 5
		}
	}
	return -1
}
