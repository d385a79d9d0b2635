package cone

import (
	"cmp"
	"slices"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/match/descriptor"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// Ends are the two ends of a pair.
type Ends struct{ Consumer, Provider object.ID }

// Setting is what a release does not show by itself.
type Setting struct {
	Controller delivery.Controller
	Matcher    *match.Matcher
	// Serves says what the image of a consumer serves, as the consumer stands at revision i. Nil: nothing is known.
	Serves func(consumer object.Object, i int) Served
}

// Served is what an image serves. Set is nil if that is not known; Why says in one line how it is known, or why not.
type Served struct {
	Set *descriptor.Set
	Why string
}

// Release is one release of a repository, looked at revision by revision. It is not for concurrent use.
type Release struct {
	Revisions []Revision
	views     []view // r0..rk
	digests   map[rendition]string
}

// rendition is an object at one revision, by one unit.
type rendition struct {
	revision int
	unit     unit.ID
	id       object.ID
}

// view is a snapshot with its objects by identity.
type view struct {
	*snapshot.Snapshot
	units map[unit.ID]*discover.Delivered
	held  map[object.ID][]held // by identity, in the order of the units
	pairs map[object.ID][]refgraph.Pair
}

// held is an object as one unit renders it.
type held struct {
	unit   unit.ID
	object object.Object
}

// NewRelease takes the snapshots of r0..rk, two or three.
func NewRelease(revisions []Revision, snapshots []*snapshot.Snapshot) *Release {
	r := &Release{Revisions: revisions, digests: map[rendition]string{}}
	for _, s := range snapshots {
		r.views = append(r.views, newView(s))
	}
	return r
}

func newView(s *snapshot.Snapshot) view {
	v := view{
		Snapshot: s,
		units:    map[unit.ID]*discover.Delivered{},
		held:     map[object.ID][]held{},
		pairs:    map[object.ID][]refgraph.Pair{},
	}
	for i := range s.Units {
		u := &s.Units[i]
		v.units[u.ID] = u
		for _, o := range u.Objects {
			// The last document of an identity wins inside one unit [C2b].
			of := v.held[o.ID]
			if n := len(of); n > 0 && of[n-1].unit == u.ID {
				of[n-1].object = o
				continue
			}
			v.held[o.ID] = append(of, held{u.ID, o})
		}
	}
	for _, p := range refgraph.Pairs(s.Graph) {
		v.pairs[p.Consumer] = append(v.pairs[p.Consumer], p)
	}
	return v
}

// one is an object at a revision, as its last unit renders it; false if none does.
func (v *view) one(id object.ID) (object.Object, bool) {
	of := v.held[id]
	if len(of) == 0 {
		return object.Object{}, false
	}
	return of[len(of)-1].object, true
}

// by is an object as one unit renders it.
func (v *view) by(id object.ID, u unit.ID) (object.Object, bool) {
	for _, h := range v.held[id] {
		if h.unit == u {
			return h.object, true
		}
	}
	return object.Object{}, false
}

// digest is a digest of all that counts of an object.
func (r *Release) digest(i int, u unit.ID, o object.Object) string {
	key := rendition{i, u, o.ID}
	d, known := r.digests[key]
	if !known {
		d = digest(whole(o))
		r.digests[key] = d
	}
	return d
}

// rendering are the objects of units at all revisions, in order.
func (r *Release) rendering(units []unit.ID) []object.ID {
	var out []object.ID
	for i := range r.views {
		for _, id := range units {
			if u := r.views[i].units[id]; u != nil {
				for _, o := range u.Objects {
					out = append(out, o.ID)
				}
			}
		}
	}
	slices.SortFunc(out, object.ID.Compare)
	return slices.Compact(out)
}

// newest is a unit as the last revision that has it shows it.
func (r *Release) newest(id unit.ID) *discover.Delivered {
	for i := len(r.views) - 1; i >= 0; i-- {
		if u := r.views[i].units[id]; u != nil {
			return u
		}
	}
	return nil
}

// Pairs are the pairs that some revision of the release has and that the rule cares for, in order.
func (r *Release) Pairs(wanted func(refgraph.Pair) bool) []Ends {
	var out []Ends
	for i := range r.views {
		for _, of := range r.views[i].pairs {
			for _, p := range of {
				if wanted(p) {
					out = append(out, Ends{p.Consumer, p.Provider})
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b Ends) int { return cmp.Or(a.Consumer.Compare(b.Consumer), a.Provider.Compare(b.Provider)) })
	return slices.Compact(out)
}

// Unseen says why a pair cannot be judged, "" if it can: what is not seen at a revision is not gone there.
func (r *Release) Unseen(ends Ends) string {
	return cmp.Or(r.Unrendered(ends), r.everywhere(ends, r.undelivered), r.madeElsewhere(ends))
}

// madeElsewhere says that the consumer reads its provider before any unit delivers it: then somebody else made it, or the consumer
// never ran.
func (r *Release) madeElsewhere(ends Ends) string {
	for i := range r.views {
		v := &r.views[i]
		if len(v.held[ends.Provider]) > 0 {
			return ""
		}
		for _, p := range v.pairs[ends.Consumer] {
			needed := slices.ContainsFunc(p.References, func(ref refgraph.Reference) bool { return !ref.Optional })
			if p.Provider == ends.Provider && needed {
				return ends.Provider.String() + " is read at " + r.Revisions[i].Short + ", where no unit delivers it: who made it, and with what in it, is not known"
			}
		}
	}
	return ""
}

// Unrendered says that a unit that delivers an end of a pair at some revision, or the unit that delivers that one's
// Application, could not be rendered at another; "" if there is none.
func (r *Release) Unrendered(ends Ends) string { return r.everywhere(ends, r.unrendered) }

// everywhere asks about each unit of the two ends at each revision, until there is an answer.
func (r *Release) everywhere(ends Ends, ask func(k int, as *discover.Delivered) string) string {
	for i := range r.views {
		for _, id := range []object.ID{ends.Consumer, ends.Provider} {
			for _, h := range r.views[i].held[id] {
				for k := range r.views {
					if why := ask(k, r.views[i].units[h.unit]); why != "" {
						return why
					}
				}
			}
		}
	}
	return ""
}

// undelivered says that what an Application delivers at one revision came by another way at another, at which no Application
// is seen: by hand, by a pipeline, or by Applications of a repository that is not given.
func (r *Release) undelivered(k int, as *discover.Delivered) string {
	v := &r.views[k]
	if as.Kind == unit.Bootstrap || slices.ContainsFunc(v.Snapshot.Units, func(u discover.Delivered) bool { return u.Kind != unit.Bootstrap }) {
		return ""
	}
	return "there is no Application at " + r.Revisions[k].Short + ": how its objects were delivered then is not known"
}

// unrendered says that a unit, or its parent, could not be rendered at a revision.
func (r *Release) unrendered(k int, as *discover.Delivered) string {
	v := &r.views[k]
	lost, known := v.units[as.ID]
	if !known {
		if lost, known = v.units[as.Parent]; !known {
			return ""
		}
	}
	if lost.Rendered {
		return ""
	}
	return v.Names[lost.ID] + " could not be rendered at " + r.Revisions[k].Short + ": what it delivers there is not known"
}
