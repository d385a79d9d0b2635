package stage

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
	"github.com/syncproof/syncproof/internal/remedy/stage/again"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// change makes one edit of the repository as the edits before left it. It makes none if what it is for is so already.
type change func(*site) (edit.Edit, error)

// site is the repository as the edits before left it.
type site struct {
	*edit.Editor
	tree source.Tree
	snap *snapshot.Snapshot
	kept map[string]bool // files in which automated sync was taken away
	was  []law.Change    // the Applications before that
}

// renders finds an object that a unit renders now.
func (s *site) renders(in unit.ID, id object.ID) (object.Object, bool) {
	u, _ := find(s.snap, in)
	i := slices.IndexFunc(u.Objects, func(o object.Object) bool { return o.ID == id })
	if i < 0 {
		return object.Object{}, false
	}
	return u.Objects[i], true
}

// none is what a change comes to that is there already.
var none = edit.Edit{}

// each makes the changes of every place.
func (p *planner) each(of func(place) []change) []change {
	var out []change
	for _, at := range p.places {
		out = append(out, of(at)...)
	}
	return out
}

// options sets the sync options of an object, if a unit renders it.
func options(in unit.ID, id object.ID, to func(string) string) change {
	return func(s *site) (edit.Edit, error) {
		o, ok := s.renders(in, id)
		have := o.Annotations()[syncOptions]
		if want := to(have); ok && want != have {
			return s.Annotate(in, id, syncOptions, want)
		}
		return none, nil
	}
}

// chosen says which objects of the provider's unit move.
type chosen func(place) []object.ID

func onlyProvider(at place) []object.ID { return []object.ID{at.ends.Provider} }
func everything(at place) []object.ID   { return ids(at.from.Objects) }

// guard marks what moves as not to be deleted, in the unit that has it. What the new unit has already is past that.
func (p *planner) guard(of chosen) step {
	return step{
		kind: guarding, title: p.name(p.from.ID) + ": " + p.what(of) + " is not to be pruned",
		why: p.guardWhy(), wait: p.guardWait(of),
		edits: p.each(func(at place) (out []change) {
			for _, id := range of(at) {
				if !slices.Contains(ids(at.to.Objects), id) {
					out = append(out, options(at.from.ID, id, guarded))
				}
			}
			return out
		}),
	}
}

// join makes the new unit deliver what the old one does, and the old one go, in one commit.
func (p *planner) join() step {
	return step{
		kind: moving, title: p.name(p.to.ID) + ": deliver what " + p.name(p.from.ID) + " does, which leaves",
		why: p.joinWhy(), wait: p.joinWait(),
		edits: p.each(func(at place) []change { return []change{addSource(at), remove(at.from.ID)} }),
	}
}

func (p *planner) add() step {
	return step{
		kind: joining, title: p.name(p.to.ID) + ": deliver what " + p.name(p.from.ID) + " does, too",
		why: p.addWhy(), wait: p.adoptWait(), edits: p.each(func(at place) []change { return []change{addSource(at)} }),
	}
}

func addSource(at place) change {
	return func(s *site) (edit.Edit, error) {
		old, there := find(s.snap, at.from.ID)
		missing := func(o object.Object) bool { _, has := s.renders(at.to.ID, o.ID); return !has }
		if !there || len(old.Objects) > 0 && !slices.ContainsFunc(old.Objects, missing) {
			return none, nil
		}
		return s.AddSource(at.to.ID, at.from.ID)
	}
}

// remove takes the old unit away. What it comes to is said by the words of the step.
func remove(old unit.ID) change {
	return func(s *site) (edit.Edit, error) {
		if _, there := find(s.snap, old); !there {
			return none, nil
		}
		e, err := s.RemoveUnit(old)
		e.Notes = nil
		return e, err
	}
}

// retire is for a unit that is left with nothing, or whose objects another one delivers, too.
func (p *planner) retire(empty bool) step {
	s := step{kind: retiring, title: p.name(p.from.ID) + " leaves", why: p.retireWhy(empty), wait: p.retireWait(p.from.ID)}
	s.edits = p.each(func(at place) []change { return []change{remove(at.from.ID)} })
	return s
}

// sweep is retire for units that a move before has left with nothing.
func (p *planner) sweep() []step {
	var names []string
	s := step{kind: retiring, why: p.retireWhy(true)}
	for _, old := range p.emptied() {
		names = append(names, p.name(old))
		s.edits, s.wait = append(s.edits, remove(old)), appendNew(s.wait, p.retireWait(old)...)
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	s.title = strings.Join(names, ", ") + " leaves"
	return []step{s}
}

// emptied are Applications that render nothing and once delivered the provider. Where no release tells who did, they are those that
// render nothing while the mark of a move is still there.
func (p *planner) emptied() []unit.ID {
	var out []unit.ID
	for _, u := range p.Pair.Newest.Units {
		once := len(p.Pair.Releases) == 0 && p.unfinished()
		for _, r := range p.Pair.Releases {
			once = once || slices.Contains(again.Deliverers(r.Snapshots[0], p.ends.Provider), u.ID)
		}
		if u.Kind == unit.Application && u.Rendered && len(u.Objects) == 0 && u.ID != p.to.ID && once {
			out = append(out, u.ID)
		}
	}
	return out
}

func (p *planner) suspend() step {
	return step{
		kind: suspending, title: p.name(p.from.ID) + ": no automated sync while its object moves",
		why: p.suspendWhy(), wait: p.suspendWait(),
		edits: p.each(func(at place) []change {
			return []change{func(s *site) (edit.Edit, error) {
				if _, there := find(s.snap, at.from.ID); !there {
					return none, nil
				}
				e, err := s.Suspend(at.from.ID)
				if s.kept == nil {
					s.kept = map[string]bool{}
				}
				for name := range e.Files {
					s.kept[name] = true
				}
				for _, w := range e.Want {
					if o, ok := s.renders(w.Unit, w.ID); ok {
						s.was = append(s.was, law.Change{Unit: w.Unit, ID: w.ID, Fields: o.Fields})
					}
				}
				return e, err
			}}
		}),
	}
}

// resume gives the old unit, which keeps other objects, its automated sync back: the old bytes.
func (p *planner) resume() step {
	return step{
		kind: resuming, title: p.name(p.from.ID) + ": automated sync again", why: p.resumeWhy(), wait: p.resumeWait(),
		edits: []change{func(s *site) (edit.Edit, error) {
			if len(s.was) == 0 {
				return none, nil
			}
			out := edit.Edit{Files: map[string][]byte{}, Want: s.was}
			for _, name := range slices.Sorted(maps.Keys(s.kept)) {
				data, err := p.Discover.Tree.ReadFile(name)
				if err != nil {
					return none, err
				}
				out.Files[name] = data
			}
			return out, nil
		}},
	}
}

func (p *planner) move(of chosen) step {
	return step{
		kind: moving, title: p.name(p.to.ID) + ": deliver " + p.what(of) + " in the place of " + p.name(p.from.ID),
		why: p.moveWhy(), wait: p.adoptWait(),
		edits: p.each(func(at place) (out []change) {
			for _, id := range of(at) {
				out = append(out, adoptOne(at, id), dropOne(at, id))
			}
			return out
		}),
	}
}

func (p *planner) adopt(of chosen) step {
	return step{
		kind: joining, title: p.name(p.to.ID) + ": deliver " + p.what(of) + ", too", why: p.adoptWhy(), wait: p.adoptWait(),
		edits: p.each(func(at place) (out []change) {
			for _, id := range of(at) {
				out = append(out, adoptOne(at, id))
			}
			return out
		}),
	}
}

func (p *planner) drop(of chosen) step {
	return step{
		kind: leaving, title: p.name(p.from.ID) + ": deliver " + p.what(of) + " no more", why: p.dropWhy(), wait: p.dropWait(),
		edits: p.each(func(at place) (out []change) {
			for _, id := range of(at) {
				out = append(out, dropOne(at, id))
			}
			return out
		}),
	}
}

func adoptOne(at place, id object.ID) change {
	return func(s *site) (edit.Edit, error) {
		if _, there := s.renders(at.to.ID, id); there {
			return none, nil
		}
		return s.Adopt(at.from.ID, at.to.ID, id)
	}
}

func dropOne(at place, id object.ID) change {
	return func(s *site) (edit.Edit, error) {
		if _, there := s.renders(at.from.ID, id); !there {
			return none, nil
		}
		return s.Drop(at.from.ID, id)
	}
}

// free takes the guard away from whatever has it, and sets what is to be on the provider from then on: its wave, and that it is
// pruned last, which an operation asks the live object [A4.3].
func (p *planner) free(of chosen, wave string, last bool) step {
	s := step{kind: freeing, title: p.name(p.to.ID) + ": " + p.freeTitle(of, wave, last), why: p.freeWhy(wave, last), wait: p.freeWait(last)}
	s.edits = p.each(func(at place) (out []change) {
		if wave != "" {
			out = append(out, func(s *site) (edit.Edit, error) {
				if o, ok := s.renders(at.to.ID, at.ends.Provider); !ok || o.Annotations()[syncWave] == wave {
					return none, nil
				}
				return s.Annotate(at.to.ID, at.ends.Provider, syncWave, wave)
			})
		}
		for _, id := range unique(append(ids(at.from.Objects), ids(at.to.Objects)...)) {
			out = append(out, options(at.to.ID, id, func(have string) string {
				have = unguarded(have)
				if last && id == at.ends.Provider && !strings.Contains(have, pruneLast) {
					have = strings.TrimPrefix(have+","+pruneLast, ",")
				}
				return have
			}))
		}
		return out
	})
	return s
}

// contentNamed is a name that ends in a hash, as Kustomize and the edit of a template write it.
var contentNamed = regexp.MustCompile(`-[0-9a-z]{8,10}$`)

// contentName lets the name tell the content.
func (p *planner) contentName() step {
	return step{
		kind: naming, title: p.name(p.to.ID) + ": the name of " + p.ends.Provider.Name + " tells its content",
		why: p.nameWhy(), wait: p.nameWait(),
		edits: p.each(func(at place) []change {
			return []change{func(s *site) (edit.Edit, error) {
				o, _ := s.renders(at.to.ID, at.ends.Provider)
				if contentNamed.MatchString(at.ends.Provider.Name) && object.Bool(o.Fields, "immutable") && strings.Contains(o.Annotations()[syncOptions], pruneLast) {
					return none, nil
				}
				return s.ContentName(at.to.ID, at.ends.Provider, at.ends.Consumer)
			}}
		}),
	}
}

func ids(list []object.Object) []object.ID {
	var out []object.ID
	for _, o := range list {
		out = append(out, o.ID)
	}
	return out
}

func unique(list []object.ID) []object.ID {
	var out []object.ID
	for _, id := range list {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}
