package snapshot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/unit"
)

// Follow is a snapshot with its roots named as a later one has them. A guessed root is named after its folder, and its name
// is a part of the identity of all that it delivers; but a folder that is renamed delivers what it did. A root that the later
// snapshot lacks goes on in the root that is new there and delivers the most of the same, if that is half of the smaller one
// at least. s itself comes back if there is none.
func (s *Snapshot) Follow(later *Snapshot) *Snapshot {
	names := continued(s, later)
	if len(names) == 0 {
		return s
	}
	out := *s
	out.Units = make([]discover.Delivered, len(s.Units))
	for i, u := range s.Units {
		out.Units[i] = renamed(u, names)
	}
	slices.SortFunc(out.Units, func(a, b discover.Delivered) int { return a.ID.Compare(b.ID) })
	out.Roots = slices.Clone(s.Roots)
	for i, r := range out.Roots {
		out.Roots[i].Name = cmp.Or(names[r.Name], r.Name)
	}
	ids := make([]unit.ID, len(out.Units))
	for i, u := range out.Units {
		ids[i] = u.ID
	}
	out.Names = unit.ShortNames(ids)
	out.index()
	return &out
}

// renamed is a unit, with its objects, under the new name of its root.
func renamed(u discover.Delivered, names map[string]string) discover.Delivered {
	to, ok := names[u.ID.Root]
	if !ok {
		return u
	}
	own := unit.InCluster(u.ID.Root)
	if u.ID.Name == u.ID.Root { // without Applications a root is the unit, and both have one name
		u.ID.Name = to
	}
	u.ID.Root = to
	if u.Parent != (unit.ID{}) {
		u.Parent.Root = to
	}
	if u.Destination.Cluster == own {
		u.Destination.Cluster = unit.InCluster(to)
	}
	u.Objects = slices.Clone(u.Objects)
	for i, o := range u.Objects {
		if o.ID.Cluster == own {
			u.Objects[i].ID.Cluster = unit.InCluster(to)
		}
	}
	return u
}

// continued says which roots of a go on under another name in b.
func continued(a, b *Snapshot) map[string]string {
	type kin struct {
		from, to string
		common   int
	}
	var all []kin
	was, is := a.holdings(), b.holdings()
	for from, x := range was {
		if is[from] != nil {
			continue
		}
		for to, y := range is {
			if was[to] != nil {
				continue
			}
			if n := common(x, y); n > 0 && 2*n >= min(len(x), len(y)) {
				all = append(all, kin{from, to, n})
			}
		}
	}
	slices.SortFunc(all, func(x, y kin) int {
		return cmp.Or(y.common-x.common, strings.Compare(x.from, y.from), strings.Compare(x.to, y.to))
	})
	names, taken := map[string]string{}, map[string]bool{}
	for _, k := range all {
		if names[k.from] == "" && !taken[k.to] {
			names[k.from], taken[k.to] = k.to, true
		}
	}
	return names
}

// holdings are the Applications that each root reaches, and what somebody applies by hand of it, by name.
func (s *Snapshot) holdings() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, r := range s.Roots {
		out[r.Name] = map[string]bool{}
	}
	for _, u := range s.Units {
		of := out[u.ID.Root]
		if of == nil {
			continue
		}
		if u.Kind != unit.Bootstrap {
			of[string(u.Kind)+" "+u.ID.Namespace+"/"+u.ID.Name] = true
			continue
		}
		for _, o := range u.Objects {
			of[o.ID.Group+" "+o.ID.String()] = true
		}
	}
	return out
}

func common(a, b map[string]bool) int {
	n := 0
	for k := range a {
		if b[k] {
			n++
		}
	}
	return n
}

// index fills in what follows from the units.
func (s *Snapshot) index() {
	s.objects = map[object.ID]object.Object{}
	var rendered []refgraph.Rendered
	for _, u := range s.Units {
		for _, o := range u.Objects {
			rendered = append(rendered, refgraph.Rendered{Object: o, Unit: u.ID})
			if _, seen := s.objects[o.ID]; !seen {
				s.objects[o.ID] = o
			}
		}
	}
	s.Graph = refgraph.BuildWith(rendered, s.sets)
}
