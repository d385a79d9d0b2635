package cone

import (
	"errors"
	"fmt"
	"slices"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// ErrTooLarge says that a whole release is larger than the model holds.
var ErrTooLarge = errors.New("the whole release is larger than the model holds")

// Whole is the release around one pair as one Case in which each object is itself. What traces of the projected Case are run
// again on, and what tests compare it with.
type Whole struct {
	Case *delivery.Case
	// Part is the projected Case. Its units and its objects, those of kind Rest apart, have the same numbers in both.
	Part  *delivery.Case
	Names Names
	Own   int // number of those objects
	// Contended: two units render one object that is none of the pair's, at once or one after the other, and the projected Case
	// does not have both. Whether everything reads Synced may then be another matter than in that Case.
	Contended bool
}

// NewWhole makes the whole Case of a problem: with every object of its units, and of those that share an object with them.
func NewWhole(r *Release, p *Problem) (*Whole, error) {
	w := wholeOf{r: r, p: p, c: *p.Case}
	w.share()
	w.list()
	for _, merge := range []func(other) string{nil, runOf, slotOfOther} {
		if merge != nil {
			w.merge(merge)
		}
		if len(w.ids)+len(w.others) <= delivery.MaxObjects {
			break
		}
	}
	if n := len(w.ids) + len(w.others); n > delivery.MaxObjects || len(w.units) > delivery.MaxUnits {
		return nil, fmt.Errorf("%w: %d objects, at most %d, in %d units, at most %d",
			ErrTooLarge, n, delivery.MaxObjects, len(w.units), delivery.MaxUnits)
	}
	return w.build(), nil
}

// wholeOf is the state of one NewWhole.
type wholeOf struct {
	r      *Release
	p      *Problem
	c      delivery.Case
	units  []unit.ID   // those of the projected Case first
	ids    []object.ID // of the projected Case's objects
	others []other
}

// other is an object that the projected Case does not have, or several that are one here.
type other struct {
	id     object.ID
	model  delivery.Object
	object object.Object // newest
	pods   map[delivery.Content]string
	stays  int // the unit that renders it at all revisions alike, if only one does; else None
}

// share lists the units: those of the projected Case, then those that render one of their objects at any revision.
func (w *wholeOf) share() {
	for _, u := range w.p.Names.Units {
		w.units = append(w.units, u.ID)
	}
	own := len(w.units)
	for _, id := range w.r.rendering(w.units) {
		for i := range w.r.views {
			for _, h := range w.r.views[i].held[id] {
				if !slices.Contains(w.units, h.unit) {
					w.units = append(w.units, h.unit)
				}
			}
		}
	}
	slices.SortFunc(w.units[own:], unit.ID.Compare)
}

// list lists the objects.
func (w *wholeOf) list() {
	for n, o := range w.p.Case.Objects {
		if o.Kind != delivery.Rest {
			w.ids = append(w.ids, w.p.Names.Objects[n].ID)
		}
	}
	for _, id := range w.r.rendering(w.units) {
		if slices.Contains(w.ids, id) {
			continue
		}
		if o, ok := w.other(id); ok {
			w.others = append(w.others, o)
		}
	}
}

// other describes one object; false if no operation has it.
func (w *wholeOf) other(id object.ID) (other, bool) {
	model, ok := w.r.other(id, w.units)
	o := other{id: id, model: model, pods: map[delivery.Content]string{}, stays: delivery.None}
	for i := range w.r.views {
		for u := range w.units {
			if content := model.Render[u][i]; content != 0 {
				o.object, _ = w.r.views[i].by(id, w.units[u])
				o.pods[content] = digest(object.PodTemplate(o.object))
			}
		}
	}
	for u, row := range o.model.Render {
		switch {
		case !slices.ContainsFunc(row, func(c delivery.Content) bool { return c != 0 }):
		case o.stays != delivery.None || slices.ContainsFunc(row, func(c delivery.Content) bool { return c != row[0] }):
			o.stays = delivery.None
			return o, ok
		default:
			o.stays = u
		}
	}
	return o, ok
}

// runOf is equal for objects of one run of an operation.
func runOf(o other) string { return slotOfOther(o) + " " + o.id.Kind }

func slotOfOther(o other) string {
	return fmt.Sprint(o.stays, o.model.Place.Phase, o.model.Place.Wave, o.model.Hook)
}

// merge makes one of objects that the release does not change and that have the same key.
func (w *wholeOf) merge(key func(other) string) {
	at := map[string]int{}
	var out []other
	for _, o := range w.others {
		n, seen := at[key(o)]
		switch {
		case o.stays == delivery.None || !seen:
			if o.stays != delivery.None {
				at[key(o)] = len(out)
			}
			out = append(out, o)
		default:
			out[n].model.Ails = out[n].model.Ails || o.model.Ails
		}
	}
	w.others = out
}

func (w *wholeOf) build() *Whole {
	own := len(w.p.Names.Units)
	w.c.Units, w.c.Objects = slices.Clone(w.c.Units), nil
	for u := range w.c.Units {
		w.c.Units[u].Keeps = false // every object is there
	}
	for _, id := range w.units[own:] {
		w.c.Units = append(w.c.Units, policy(w.r.newest(id)))
	}
	ids := slices.Clone(w.ids)
	for _, o := range w.others {
		ids = append(ids, o.id)
	}
	r := ranksOf(ids)
	for n, id := range w.ids {
		o := w.p.Case.Objects[n]
		if o.Render != nil {
			o.Render = append(slices.Clone(o.Render), make([][]delivery.Content, len(w.units)-own)...)
		}
		o.Place = r.place(id, o.Place)
		w.c.Objects = append(w.c.Objects, o)
	}
	w.c.Workloads = slices.Clone(w.c.Workloads)
	names := w.p.Names
	names.Units, names.Objects = slices.Clone(names.Units), slices.Clone(names.Objects[:len(w.ids)])
	for _, id := range w.units[own:] {
		names.Units = append(names.Units, UnitName{ID: id, Short: id.Name})
	}
	for _, o := range w.others {
		o.model.Place = r.place(o.id, o.model.Place)
		w.addWorkload(&o)
		w.c.Objects = append(w.c.Objects, o.model)
		names.Objects = append(names.Objects, ObjectName{ID: o.id})
	}
	return &Whole{Case: &w.c, Part: w.p.Case, Names: names, Own: len(w.ids),
		Contended: len(w.units) > own || slices.ContainsFunc(w.others, other.contended)}
}

// contended tells whether two units render an object at one revision: one of them may never read Synced.
func (o other) contended() bool {
	for i := range o.model.Render[0] {
		n := 0
		for _, row := range o.model.Render {
			if row[i] != 0 {
				n++
			}
		}
		if n > 1 {
			return true
		}
	}
	return false
}

// addWorkload gives a workload its pods, if the release makes them anew. What they read is not asked: a pod of another
// workload that cannot start is not this pair's matter.
func (w *wholeOf) addWorkload(o *other) {
	work := delivery.Workload{Object: len(w.c.Objects), Template: map[delivery.Content]int{}, Many: many(o.object)}
	work.Strategy, work.DynamicStable = strategy(o.object)
	work.ReplacesFromNew = o.id.Kind == "DaemonSet"
	var templates []string
	for content := delivery.Content(1); int(content) <= len(o.pods); content++ {
		t := slices.Index(templates, o.pods[content])
		if t < 0 {
			t = len(templates)
			templates = append(templates, o.pods[content])
			work.Templates = append(work.Templates, delivery.Template{Image: t, Provider: delivery.None})
		}
		work.Template[content] = t
	}
	if !replacesPods(o.id.Kind) || len(templates) < 2 || len(templates) > delivery.MaxRevisions || len(w.c.Workloads) == delivery.MaxWorkloads {
		return
	}
	o.model.Kind = delivery.Work
	w.c.Workloads = append(w.c.Workloads, work)
}

func replacesPods(kind string) bool {
	return slices.Contains([]string{"Deployment", "StatefulSet", "DaemonSet", "Rollout"}, kind)
}
