package discover

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// maxDepth bounds how deep Applications may nest: a chart can render an Application of itself under an ever longer name.
const maxDepth = 16

// maxUnits bounds how many Applications one root may reach: such a chart can render several of itself.
const maxUnits = 20_000

// expansion is everything that one root reaches.
type expansion struct {
	units []Delivered
	gaps  []unitGap
	home  map[unit.ID]share // what each unit has of the analysed revision
	notes []string          // how sources were read, where that is not how they would be today
}

// share is what a unit has of the analysed revision.
type share struct {
	dirs  []string // its source paths there
	files []string // those that declare objects of it
}

// index is what the Applications of an expansion deliver of the analysed revision, for asking often.
type index struct {
	dirs  map[string]bool // source paths
	files map[string]bool // files that declare rendered objects
	lost  []string        // source paths of units that could not be rendered
}

func (e expansion) index() index {
	x := index{dirs: map[string]bool{}, files: map[string]bool{}}
	for _, u := range e.units {
		if u.Kind != unit.Application {
			continue
		}
		for _, dir := range e.home[u.ID].dirs {
			x.dirs[dir] = true
			if !u.Rendered {
				x.lost = append(x.lost, dir)
			}
		}
		for _, file := range e.home[u.ID].files {
			x.files[file] = true
		}
	}
	return x
}

// delivers tells whether a unit, other than one that somebody applies by hand, delivers a candidate.
func (x index) delivers(c candidate) bool {
	if c.tool != unit.DirectoryTool {
		return x.dirs[c.path]
	}
	// A unit that could not be rendered would have delivered what lies there.
	return x.files[c.path] || slices.ContainsFunc(x.lost, func(dir string) bool { return within(c.path, dir) })
}

// expander is the state of one expansion.
type expander struct {
	*discovery
	root    root
	out     expansion
	parents map[unit.ID]unit.ID
	seen    map[unit.ID]declared
}

// expand renders a root, the Applications in it, the Applications in those, until nothing new appears.
func (d *discovery) expand(ctx context.Context, r root) (expansion, error) {
	x := &expander{discovery: d, root: r, parents: map[unit.ID]unit.ID{}, seen: map[unit.ID]declared{}}
	x.out.home = map[unit.ID]share{}
	boot := x.bootstrap()
	rendered, err := d.render.get(ctx, d.find.Home(), r.request)
	if err != nil {
		return expansion{}, err
	}
	delivered := x.deliver(boot, []part{{d.find.Home(), rendered}})
	wave := x.declared(delivered)
	for depth := 1; len(wave) > 0; depth++ {
		if depth > maxDepth || len(x.seen) > maxUnits {
			x.tooMany(wave)
			break
		}
		next, err := x.wave(ctx, wave)
		if err != nil {
			return expansion{}, err
		}
		wave = nil
		for _, u := range next {
			wave = append(wave, x.declared(u)...)
		}
	}
	x.dropBootstrap(boot)
	slices.SortFunc(x.out.units, func(a, b Delivered) int { return a.ID.Compare(b.ID) })
	return x.out, nil
}

// bootstrap is the root itself as a unit: applied by hand, by whoever set Argo CD up.
func (x *expander) bootstrap() unit.Unit {
	return unit.Unit{
		ID:          unit.ID{Root: x.root.name, Name: x.root.unitName},
		Kind:        unit.Bootstrap,
		Sources:     []unit.Source{x.root.request.Source},
		Destination: unit.Destination{Cluster: unit.InCluster(x.root.name), Namespace: x.root.request.Namespace},
		Origin:      x.root.at,
	}
}

// declared returns the new units that the objects of a unit declare. Of two documents with one identity in one unit the
// last one counts, as Argo CD has it.
func (x *expander) declared(u Delivered) []declared {
	var list []declared
	for _, o := range u.Objects {
		for _, dec := range declare(o, u.Unit) {
			if dec.ID.Name == "" {
				x.gap(u.ID, nameless(o))
				continue
			}
			dec.Destination.Cluster = cluster(dec.Destination.Cluster, u.Destination.Cluster, x.in.Config.Clusters)
			if i := slices.IndexFunc(list, func(earlier declared) bool { return earlier.ID == dec.ID }); i >= 0 {
				x.twice(u.ID, list[i], dec, "the last one counts")
				list = slices.Delete(list, i, i+1)
			}
			list = append(list, dec)
		}
	}
	return slices.DeleteFunc(list, func(dec declared) bool { return !x.isNew(dec, u) })
}

// isNew admits a declared unit once. A unit may declare itself: an Application that manages itself is common and harmless.
func (x *expander) isNew(dec declared, by Delivered) bool {
	first, known := x.seen[dec.ID]
	if !known {
		x.seen[dec.ID] = dec
		x.parents[dec.ID] = by.ID
		return true
	}
	switch {
	case dec.ID == by.ID:
	case x.isAncestor(dec.ID, by.ID):
		x.gap(by.ID, diag.Gap{
			Reason:  diag.Cycle,
			At:      dec.Origin,
			Message: fmt.Sprintf("Applications deliver each other: %s", strings.Join(x.chain(dec.ID, by.ID), " -> ")),
			Close:   "let one of them stop delivering the other; until then the first document met counts",
		})
	case first.Origin != dec.Origin:
		x.twice(by.ID, first, dec, "the first one met counts")
	}
	return false
}

func (x *expander) twice(by unit.ID, first, second declared, which string) {
	if first.Origin == second.Origin && first.Origin.Line > 0 {
		return // one document, such as a set that generates one name twice from a list
	}
	x.gap(by, diag.Gap{
		Reason:  diag.DuplicateUnit,
		At:      second.Origin,
		Message: fmt.Sprintf("Application %s/%s is declared a second time; the first is at %s:%d", second.ID.Namespace, second.ID.Name, first.Origin.File, first.Origin.Line),
		Close:   "give each Application one document; until then " + which,
	})
}

func (x *expander) gap(id unit.ID, g diag.Gap) { x.out.gaps = append(x.out.gaps, unitGap{id, g}) }

func (x *expander) isAncestor(a, of unit.ID) bool {
	for id, ok := of, true; ok; id, ok = x.parents[id] {
		if id == a {
			return true
		}
	}
	return false
}

// chain names the units from a down to its descendant b, and a again.
func (x *expander) chain(a, b unit.ID) []string {
	names := []string{a.Name}
	for id := b; id != a; id = x.parents[id] {
		names = append(names, id.Name)
	}
	names = append(names, a.Name)
	slices.Reverse(names)
	return names
}

func (x *expander) tooMany(wave []declared) {
	u := wave[0]
	what := fmt.Sprintf("Applications nest deeper than %d, down to %s", maxDepth, u.ID.Name)
	if len(x.seen) > maxUnits {
		what = fmt.Sprintf("one root reaches more than %d Applications", maxUnits)
	}
	x.gap(u.Parent, diag.Gap{
		Reason:  diag.Cycle,
		At:      u.Origin,
		Message: what,
		Close:   "check whether an Application renders Applications of itself without end",
	})
}

// dropBootstrap takes the root's own unit out when Applications deliver all that it holds: nobody applies it by hand.
func (x *expander) dropBootstrap(boot unit.Unit) {
	self := x.out.index().delivers
	managed := false
	switch {
	case len(x.root.request.Files) > 0:
		managed = true
		for _, f := range x.root.request.Files {
			managed = managed && self(candidate{unit.DirectoryTool, f})
		}
	default:
		managed = self(candidate{x.root.tool, x.root.path()})
	}
	if !managed {
		return
	}
	x.out.units = slices.DeleteFunc(x.out.units, func(u Delivered) bool { return u.ID == boot.ID })
	x.out.gaps = slices.DeleteFunc(x.out.gaps, func(g unitGap) bool { return g.unit == boot.ID })
	for i := range x.out.units {
		if u := &x.out.units[i]; u.Parent == boot.ID {
			u.Parent = x.delivererOf(u.Unit)
		}
	}
}

// delivererOf finds the Application that delivers a unit's document; the zero ID if that is the unit itself.
func (x *expander) delivererOf(u unit.Unit) unit.ID {
	for _, other := range x.out.units {
		if other.ID == u.ID {
			continue
		}
		if slices.ContainsFunc(other.Objects, func(o object.Object) bool { return yields(o) && o.Origin == u.Origin }) {
			return other.ID
		}
	}
	return unit.ID{}
}

// parallel calls f for 0..n-1, at most Jobs at a time, stops at the first error and returns it.
func (d *discovery) parallel(ctx context.Context, n int, f func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	slots := make(chan struct{}, max(1, d.in.Jobs))
	var wg sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			if err := f(ctx, i); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}
