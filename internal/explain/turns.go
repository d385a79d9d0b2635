package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/proof"
)

// story is a trace as turns of those who act.
type story struct {
	n      *names
	end    *scene
	before []diag.Step // up to the harm
	after  []string    // what the provider's side has done since, "config has synced"
}

// teller makes turns from events. Observing a revision and starting an operation tell nobody anything before the operation
// does something: they are told with its first effect.
type teller struct {
	n     *names
	now   *scene
	was   delivery.State // before the last step
	ops   []operation
	turns []turn
	after []string
}

// operation is what a unit does at the moment.
type operation struct {
	verb string // "syncs 9e2f1c4"
	done string // "config has synced"
	only int    // the one object that was picked, or None
	told bool
}

type turn struct {
	diag.Step
	then []string
}

// tell makes a story of an opening.
func tell(n *names, o proof.Opening) story {
	w := &teller{n: n, now: open(n.c), ops: make([]operation, len(n.c.Units))}
	told := toTell(o)
	for k, e := range o.Trace[:told] {
		w.event(e, o.Trace[k+1:])
	}
	s := story{n: n, end: w.now, before: w.steps()}
	w.after = nil
	for k, e := range o.Trace[told:] {
		w.event(e, o.Trace[told+k+1:])
	}
	s.after = w.after
	return s
}

// toTell is the number of steps that are told one by one: up to the harm, and up to the last unusual one if the harm comes
// first and that makes it last.
func toTell(o proof.Opening) int {
	told := min(o.Harmed, len(o.Trace))
	for k := len(o.Trace); k > told; k-- {
		if o.Trace[k-1].Deed.Kind() != delivery.Ordinary {
			return k
		}
	}
	return told
}

func (w *teller) steps() []diag.Step {
	out := []diag.Step{}
	for i, t := range w.turns {
		t.Number, t.Then = i+1, strings.Join(t.then, "; ")
		out = append(out, t.Step)
	}
	return out
}

// add tells something: in the last turn if it is the same actor's, else in a new one. What is unusual has a turn of its own,
// with what comes of it.
func (w *teller) add(actor string, kind delivery.Unusual, does, then string) {
	last := len(w.turns) - 1
	if last < 0 || w.turns[last].Actor != actor || kind != delivery.Ordinary {
		w.turns = append(w.turns, turn{Step: diag.Step{Actor: actor, Unusual: kindName(kind), Does: does}})
		last++
	}
	if then != "" {
		w.turns[last].then = append(w.turns[last].then, then)
	}
}

// acting tells whether an actor has the last turn.
func (w *teller) acting(actor string) bool {
	return len(w.turns) > 0 && w.turns[len(w.turns)-1].Actor == actor
}

// event plays and tells one event; rest are those that follow. What the model does not do is not told.
func (w *teller) event(e delivery.Event, rest []delivery.Event) {
	w.was = w.now.State
	if !w.now.play(e) {
		return
	}
	switch e.Deed {
	case delivery.Pushed:
		w.add("Git", e.Deed.Kind(), "receives "+w.n.revision(e.Number), "")
	case delivery.Observed, delivery.Waited:
	case delivery.Started, delivery.Healing, delivery.Retried, delivery.ByHand, delivery.ByHandBefore:
		w.begin(e, rest)
	case delivery.Told:
		w.told(e)
	case delivery.Made:
		watch := w.n.c.Objects[e.Object].Watch
		if e.Object == w.n.provider() {
			w.after = append(w.after, w.n.object(e.Object)+" was made anew")
		}
		w.add(w.n.actor(e.Object), e.Deed.Kind(), "is made from "+w.n.object(watch),
			fmt.Sprintf("%s is now %s", w.n.object(e.Object), w.n.version(e.Object, delivery.Content(e.Number))))
	case delivery.Applied, delivery.Turned, delivery.Pruned, delivery.RefusedOnce, delivery.RefusedAlways, delivery.NeverHealthy,
		delivery.Stuck, delivery.StaleHealth:
		w.effect(e)
	default:
		w.pods(e)
	}
}

// begin notes an operation. It is told at once if it is unusual, or if it decides to delete something that others change
// before it does so.
func (w *teller) begin(e delivery.Event, rest []delivery.Event) {
	unit, op := w.n.unit(e.Unit), &w.ops[e.Unit]
	rev := w.n.revision(w.now.Units[e.Unit].Seen)
	*op = operation{verb: "syncs " + rev, done: unit + " has synced", only: delivery.None}
	switch e.Deed {
	case delivery.Started:
		if step := w.n.c.Units[e.Unit].Step; step > 0 {
			op.verb += fmt.Sprintf(" in step %d of the RollingSync", step)
		}
	case delivery.Healing:
		op.verb, op.done = "heals itself", unit+" has healed itself"
		if w.now.Units[e.Unit].Seen < w.now.Head {
			op.verb += fmt.Sprintf(" at %s, since it has not seen %s yet", rev, w.n.revision(w.now.Head))
		}
	case delivery.Retried:
		op.verb, op.done = "tries again", unit+" has tried again"
	case delivery.ByHand:
		op.verb, op.done, op.told = "is synced by hand", unit+" was synced by hand", true
		picked := w.n.c.Selection(e)
		if len(picked) == 1 {
			op.only = picked[0]
		}
		w.add(unit, delivery.Manual, op.verb, "only "+w.objects(picked))
		if len(picked) == 0 {
			w.turns[len(w.turns)-1].then = []string{"without pruning"} // [A4.7]
		}
	case delivery.ByHandBefore:
		w.add(unit, delivery.Manual, "was synced in part just before, by hand or by self-heal",
			"Argo CD keeps the list of objects, and applies it to the next sync")
	}
	if doomed := w.n.doomed(e.Unit, rest); doomed != delivery.None && !op.told {
		op.told = true
		w.add(unit, delivery.Ordinary, op.verb, "it is going to delete "+w.n.object(doomed))
	}
}

// doomed is the object that an operation deletes first of all, if others write it in between.
func (n *names) doomed(u int, rest []delivery.Event) int {
	first := slices.IndexFunc(rest, func(e delivery.Event) bool {
		return e.Unit == u && (e.Deed == delivery.Applied || e.Deed == delivery.Pruned)
	})
	if first < 0 || rest[first].Deed != delivery.Pruned {
		return delivery.None
	}
	o := rest[first].Object
	if slices.ContainsFunc(rest[:first], func(e delivery.Event) bool { return e.Deed == delivery.Applied && e.Object == o }) {
		return o
	}
	return delivery.None
}

func (w *teller) objects(of []int) string {
	var out []string
	for _, o := range of {
		out = append(out, w.n.object(o))
	}
	return list(out)
}

// effect tells what an operation does to an object.
func (w *teller) effect(e delivery.Event) {
	op := &w.ops[e.Unit]
	if e.Deed == delivery.Stuck {
		w.add(w.n.unit(e.Unit), delivery.StuckUnit, "starts no sync any more", "")
		return
	}
	text := w.effectWords(e, op)
	if text == "" {
		return
	}
	if p := w.n.provider(); e.Deed == delivery.Applied && e.Object == p && !slices.Contains(w.after, op.done) {
		w.after = append(w.after, op.done)
	}
	unit, does := w.n.unit(e.Unit), "goes on"
	if !op.told && op.verb != "" {
		does, op.told = op.verb, true
		if w.acting(unit) && e.Deed.Kind() == delivery.Ordinary {
			text = "then it " + op.verb + ": " + text
		}
	}
	w.add(unit, e.Deed.Kind(), does, text)
}

// effectWords say what an operation does to an object, "" if nothing.
func (w *teller) effectWords(e delivery.Event, op *operation) string {
	name := w.n.object(e.Object)
	switch {
	case op.told && op.only == e.Object:
		name = "it"
	case w.n.c.Objects[e.Object].Kind == delivery.Rest:
		name = "one of its other objects"
	}
	switch e.Deed {
	case delivery.Applied:
		text := w.applied(name, e.Object, e.Unit, delivery.Content(e.Number))
		if w.was.Units[e.Unit].Failed && text != "" {
			text += " all the same"
		}
		return text
	case delivery.Pruned:
		return name + " is deleted"
	case delivery.RefusedOnce:
		return "the API server refuses " + name + " once"
	case delivery.RefusedAlways:
		return "the API server refuses " + name + " at every try"
	case delivery.NeverHealthy:
		return name + " never becomes healthy"
	case delivery.StaleHealth:
		return "its next wave begins, on a health that is out of date"
	case delivery.Turned:
		d := &w.n.c.Objects[e.Object]
		switch {
		case e.Number != 1:
			return name + " is refused again"
		case d.Needs != delivery.None && !exists(w.was.Objects[d.Needs].Content):
			return fmt.Sprintf("%s is refused: it needs %s, which is not there", name, w.n.object(d.Needs))
		default:
			return name + " is refused: it is immutable"
		}
	}
	return ""
}

// applied says what an apply changes, "" if nothing.
func (w *teller) applied(name string, o, u int, content delivery.Content) string {
	d, was, owner := &w.n.c.Objects[o], w.was.Objects[o].Content, w.was.Objects[o].Owner
	switch {
	case d.Kind == delivery.Barrier:
		return fmt.Sprintf("its hook finds %s", w.n.at(d.Watch, w.was.Objects[d.Watch].Content))
	case d.Kind == delivery.Rest:
		return ""
	}
	taken := ""
	if owner != u && owner != delivery.None && exists(was) {
		taken = "taken over from " + w.n.unit(owner)
	}
	switch {
	case was == content && taken == "":
		return ""
	case was == content:
		return name + " is " + taken
	case !exists(was):
		return fmt.Sprintf("%s is created %s", name, w.n.version(o, content))
	}
	text := name + " is now " + w.n.version(o, content)
	if d.Kind == delivery.Work {
		text = name + w.template(o, was, content)
	}
	if taken != "" {
		text += ", " + taken
	}
	return text
}

// template says what a change of a workload means for its pods.
func (w *teller) template(o int, was, content delivery.Content) string {
	i := slices.IndexFunc(w.n.c.Workloads, func(x delivery.Workload) bool { return x.Object == o })
	if i < 0 {
		return " is now " + w.n.version(o, content)
	}
	work := &w.n.c.Workloads[i]
	from, to := work.Template[was], work.Template[content]
	switch {
	case from == to:
		return " changes, but not its pods"
	case w.n.c.Pair.Workload == i && w.n.image(work.Templates[from].Image) != w.n.image(work.Templates[to].Image):
		return " gets image " + w.n.image(work.Templates[to].Image)
	}
	return " gets " + w.n.template(i, to)
}
