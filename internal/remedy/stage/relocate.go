package stage

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/remedy/edit"
	"github.com/syncproof/syncproof/internal/remedy/edit/declared"
	"github.com/syncproof/syncproof/internal/remedy/edit/fields"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
	"github.com/syncproof/syncproof/internal/yamledit"
)

// sourceOf is the source of a unit whose directory a file lies in, -1 if there is none, or more than one.
func sourceOf(u discover.Delivered, file string) int {
	at := -1
	for i, s := range u.Sources {
		if dir := path.Clean(strings.TrimPrefix(s.Path, "/")); s.Path != "" && (dir == "." || strings.HasPrefix(file, dir+"/")) {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// severed tells whether one unit renders the pair from two sources.
func (p *planner) severed() bool {
	provider, _ := p.Pair.Newest.Object(p.ends.Provider)
	consumer, _ := p.Pair.Newest.Object(p.ends.Consumer)
	a, b := sourceOf(p.to, provider.Origin.File), sourceOf(p.to, consumer.Origin.File)
	return a >= 0 && b >= 0 && a != b
}

// split is a snapshot in which the source that renders an object is a unit of its own, so that what is known of moves between units
// holds for one between the sources of one.
func split(s *snapshot.Snapshot, at place) (*snapshot.Snapshot, unit.ID) {
	const mark = " (source)"
	out := s.With(slices.Clone(s.Units))
	out.Names = maps.Clone(s.Names)
	var all []discover.Delivered
	for _, u := range out.Units {
		i := slices.IndexFunc(u.Objects, func(o object.Object) bool { return alike(o.ID, at.ends.Provider) && sourceOf(u, o.Origin.File) > 0 })
		if u.ID.Namespace != at.to.ID.Namespace || u.ID.Name != at.to.ID.Name || i < 0 {
			all = append(all, u)
			continue
		}
		n := sourceOf(u, u.Objects[i].Origin.File)
		own, rest := u, u
		own.ID.Name += mark
		own.Sources = []unit.Source{u.Sources[n]}
		rest.Sources = slices.Delete(slices.Clone(u.Sources), n, n+1)
		own.Objects, rest.Objects = nil, nil
		for _, o := range u.Objects {
			if sourceOf(u, o.Origin.File) == n {
				own.Objects = append(own.Objects, o)
			} else {
				rest.Objects = append(rest.Objects, o)
			}
		}
		out.Names[own.ID] = out.Names[u.ID] + mark
		all = append(all, rest, own)
	}
	id := at.to.ID
	id.Name += mark
	names := out.Names
	out = out.With(all)
	out.Names = names
	return out, id
}

// relocate moves the provider from one source of its unit to that of the consumer: nothing that is rendered changes.
func (p *planner) relocate() step {
	return step{
		kind: relocating, title: p.name(p.to.ID) + ": " + p.ends.Provider.Name + " comes from the source of " + p.ends.Consumer.Kind + " " + p.ends.Consumer.Name,
		why: p.relocateWhy(), wait: []string{p.synced(p.name(p.to.ID))},
		edits: p.each(func(at place) []change {
			return []change{
				func(s *site) (edit.Edit, error) {
					snap, from := split(s.snap, at)
					if _, there := find(snap, from); !there {
						return none, nil
					}
					return edit.New(s.tree, snap).Adopt(from, at.to.ID, at.ends.Provider)
				},
				func(s *site) (edit.Edit, error) {
					snap, from := split(s.snap, at)
					if _, there := find(snap, from); !there {
						return none, nil
					}
					e, err := edit.New(s.tree, snap).Drop(from, at.ends.Provider)
					e.Want = nil // the unit goes on rendering it
					return e, err
				},
			}
		}),
	}
}

// shed takes sources out of the Application that render nothing any more, and what is left of their directories.
func (p *planner) shed() step {
	return step{
		kind: shedding, title: p.name(p.to.ID) + ": a source that renders nothing goes", why: p.shedWhy(),
		wait: []string{p.synced(p.parent()), p.synced(p.name(p.to.ID))},
		edits: p.each(func(at place) []change {
			return []change{func(s *site) (edit.Edit, error) { return shedSource(s, at) }}
		}),
	}
}

// shedSource takes out the last source, if it renders nothing.
func shedSource(s *site, at place) (edit.Edit, error) {
	u, ok := find(s.snap, at.to.ID)
	n := len(u.Sources) - 1
	if !ok || n < 1 || u.Sources[n].Path == "" || u.Sources[n].Ref != "" ||
		slices.ContainsFunc(u.Objects, func(o object.Object) bool {
			return sourceOf(u, o.Origin.File) != 0 && n == 1 || sourceOf(u, o.Origin.File) == n
		}) {
		return none, nil
	}
	f := declared.New(s.tree, s.snap)
	parent, app, err := f.Deliverer(u)
	if err != nil {
		return none, err
	}
	pl, err := f.Locate(parent, app)
	if err != nil {
		return none, err
	}
	out := edit.Edit{Files: map[string][]byte{}}
	list := object.List(pl.Object.Fields, "spec", "sources")
	if len(list) != n+1 || pl.How != declared.Document || !fields.Equal(object.Get(pl.Raw(), "spec", "sources"), object.Get(pl.Object.Fields, "spec", "sources")) {
		return none, declared.Refuse(pl.At(), "take the source out by hand", "the sources of the Application are not written there as they are")
	}
	if out.Files[pl.File], err = pl.Apply(yamledit.Delete{Path: pl.Path("spec", "sources", n)}); err != nil {
		return none, err
	}
	for _, r := range pl.All {
		doc, _ := fields.Clone(r.Object.Fields).(map[string]any)
		spec := object.Map(doc, "spec")
		all := object.List(spec, "sources")
		spec["sources"] = all[:len(all)-1]
		out.Want = append(out.Want, law.Change{Unit: r.Unit.ID, ID: r.Object.ID, Fields: doc})
	}
	return out, nil
}
