// Package cone takes what can matter to a pair out of a release: its units, its objects at each revision, the pods, what each
// combination of versions means for callers, and all other objects as rest.
//
// In go the snapshots of r0..rk and a pair; out comes a Problem: the Case that package delivery plays, and what its numbers
// stand for. A Whole is the same for the whole release, to run traces again on. The package refuses to judge, and to guess what
// an image serves.
//
// Reading order: build.go (what belongs to a Case), units.go, workload.go, matching.go, rest.go.
package cone

import (
	"slices"
	"strconv"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/unit"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Build makes the Case of a pair in a release. It is false if the release changes nothing that the pair can see, or if the
// consumer is not there any more at rk.
func Build(r *Release, ends Ends, set Setting) (Problem, bool) {
	b := &builder{r: r, set: set, ends: ends, last: len(r.views) - 1}
	b.c.Last = b.last
	b.c.Controller = set.Controller
	if !b.follow() || !b.touched() {
		return Problem{}, false
	}
	b.gather()
	b.units()
	b.objects()
	b.workload()
	b.match()
	b.rest()
	b.p.Case = &b.c
	b.p.Undecided = b.unmodelled()
	b.p.Names.Revisions = r.Revisions
	b.p.Gaps = b.gaps()
	return b.p, true
}

// builder is the state of one Build.
type builder struct {
	r    *Release
	set  Setting
	ends Ends
	last int
	c    delivery.Case
	p    Problem

	refs   []*refgraph.Reference // by revision: how the consumer reads its provider; nil if it does not
	filter object.ID             // zero: none
	inline bool

	unitIDs []unit.ID
	ids     []object.ID // objects of the case, before the rests
	numbers []numbering // by object

	templates []templateAt // by template
	providers []version    // what the consumer reads, over all revisions
}

// follow finds by revision what the consumer reads in the place of the provider: the provider itself, or, where names tell
// contents, the object that stands there then.
func (b *builder) follow() bool {
	b.refs = make([]*refgraph.Reference, b.last+1)
	var via, key string
	var kind object.ID
	for i := range b.r.views {
		for _, p := range b.r.views[i].pairs[b.ends.Consumer] {
			if p.Provider == b.ends.Provider {
				b.refs[i] = &p.References[0]
				via, key, kind = p.References[0].Via, p.References[0].Key, p.Provider
			}
		}
	}
	if kind == (object.ID{}) {
		return false
	}
	for i := range b.r.views {
		if b.refs[i] == nil {
			b.refs[i] = b.inPlace(i, via, key, kind)
		}
	}
	if b.hasOthers(via) {
		return false
	}
	_, stays := b.r.views[b.last].one(b.ends.Consumer)
	if ref := b.refs[b.last]; ref != nil && ref.Descriptor != nil {
		b.readFilter(ref)
	}
	return stays && b.refs[b.last] != nil
}

// Reads is what the consumer of a pair reads at each revision in the place of the provider: a zero ID where it reads nothing.
func (r *Release) Reads(ends Ends) []object.ID {
	b := &builder{r: r, ends: ends, last: len(r.views) - 1}
	b.follow()
	out := make([]object.ID, len(b.refs))
	for i := range b.refs {
		out[i] = b.provider(i)
	}
	return out
}

// hasOthers tells whether a consumer that is no workload finds other objects through the same field at rk, as a Service does
// whose selector fits several workloads: then none of them is what it cannot do without.
func (b *builder) hasOthers(via string) bool {
	v := &b.r.views[b.last]
	if o, ok := v.one(b.ends.Consumer); !ok || object.PodTemplate(o) != nil {
		return false
	}
	return slices.ContainsFunc(v.pairs[b.ends.Consumer], func(p refgraph.Pair) bool {
		return p.Provider != b.ends.Provider && p.References[0].Via == via
	})
}

// inPlace is the reference of the consumer through the same field to another object of the same kind: a ConfigMap or Secret
// whose name tells its content. What a selector finds stands in nobody's place.
func (b *builder) inPlace(i int, via, key string, kind object.ID) *refgraph.Reference {
	if !kind.IsConfig() {
		return nil
	}
	for _, p := range b.r.views[i].pairs[b.ends.Consumer] {
		for n := range p.References {
			ref := &p.References[n]
			if ref.Via == via && ref.Key == key && ref.Provider.Kind == kind.Kind && ref.Provider.Group == kind.Group {
				return ref
			}
		}
	}
	return nil
}

// readFilter notes what tells the proxy what to load.
func (b *builder) readFilter(ref *refgraph.Reference) {
	if f := ref.Descriptor.Filter; f.Kind == "EnvoyFilter" {
		b.filter = f
		b.inline = ref.Descriptor.Path == ""
	}
}

// provider is what the consumer reads at a revision.
func (b *builder) provider(i int) object.ID {
	if b.refs[i] == nil {
		return object.ID{}
	}
	return b.refs[i].Provider
}

// touched tells whether the release changes the pods' template, the provider, the filter, or who delivers them.
func (b *builder) touched() bool {
	for i := 1; i <= b.last; i++ {
		if b.provider(i) != b.provider(i-1) || b.look(i) != b.look(i-1) {
			return true
		}
	}
	return false
}

// look is what the pair can see of a revision, as one digest.
func (b *builder) look(i int) string {
	v := &b.r.views[i]
	var all []any
	for _, id := range []object.ID{b.ends.Consumer, b.provider(i), b.filter} {
		for _, h := range v.held[id] {
			all = append(all, h.unit, b.version(i, h.object))
		}
	}
	return digest(all)
}

// version is a digest of what the case sees of an object at a revision.
func (b *builder) version(i int, o object.Object) string {
	switch ref := b.reading(i, o.ID); {
	case o.ID == b.filter:
		return b.filterVersion(i, o)
	case ref != nil:
		if now := b.refs[i]; now == ref && ref.Descriptor != nil && ref.Descriptor.Set != nil {
			return "set " + ref.Descriptor.Set.Digest()
		}
		if o.ID.IsConfig() {
			return digest(keyOf(o, ref.Key))
		}
		return digest(reads(ref, o))
	case o.ID.IsConfig():
		return digest(keyOf(o, ""))
	case o.ID == b.ends.Consumer && object.PodTemplate(o) != nil:
		return digest(object.PodTemplate(o))
	}
	return digest(whole(o))
}

// reading is how the consumer reads an object: as it does at a revision, else as it does at the newest that reads it. What it
// takes of equal bytes is then equal, whether it reads them yet or not. Nil if it never does.
func (b *builder) reading(i int, id object.ID) *refgraph.Reference {
	if ref := b.refs[i]; ref != nil && ref.Provider == id {
		return ref
	}
	for _, ref := range slices.Backward(b.refs) {
		if ref != nil && ref.Provider == id {
			return ref
		}
	}
	return nil
}

// filterVersion is what a filter makes a proxy load.
func (b *builder) filterVersion(i int, o object.Object) string {
	if ref := b.refs[i]; ref != nil && ref.Descriptor != nil && ref.Descriptor.Config != nil {
		set := ""
		if b.inline && ref.Descriptor.Set != nil {
			set = ref.Descriptor.Set.Digest()
		}
		return digest([]any{ref.Descriptor.Services, ref.Descriptor.Config, set})
	}
	return digest(whole(o))
}

// gather lists the objects of the case: the ends, the filter, and what else the pods need to start and comes, goes or moves.
func (b *builder) gather() {
	add := func(id object.ID) {
		if id != (object.ID{}) && !slices.Contains(b.ids, id) {
			b.ids = append(b.ids, id)
		}
	}
	add(b.ends.Consumer)
	for i := range b.r.views {
		add(b.provider(i))
	}
	add(b.filter)
	for i := range b.r.views {
		for _, ref := range b.needs(i) {
			if b.comesOrGoes(ref.Provider) && !b.own(ref.Provider) {
				add(ref.Provider)
			}
		}
	}
}

// own tells whether only units of the consumer ever render an object. That such a one is pruned or applied in time is a matter
// of those units by themselves, and no matter of the pair.
func (b *builder) own(id object.ID) bool {
	units := map[unit.ID]bool{}
	for i := range b.r.views {
		for _, h := range b.r.views[i].held[b.ends.Consumer] {
			units[h.unit] = true
		}
	}
	for i := range b.r.views {
		for _, h := range b.r.views[i].held[id] {
			if !units[h.unit] {
				return false
			}
		}
	}
	return true
}

// needs are the references without which the consumer's pods do not start at a revision.
func (b *builder) needs(i int) []refgraph.Reference {
	var out []refgraph.Reference
	for _, p := range b.r.views[i].pairs[b.ends.Consumer] {
		for _, ref := range p.References {
			if ref.Provider.IsConfig() && !ref.Optional && len(ref.ProviderUnits) > 0 {
				out = append(out, ref)
			}
		}
	}
	return out
}

// comesOrGoes tells whether not the same units render an object at all revisions.
func (b *builder) comesOrGoes(id object.ID) bool {
	for i := 1; i <= b.last; i++ {
		if !slices.EqualFunc(b.r.views[i].held[id], b.r.views[i-1].held[id], func(x, y held) bool { return x.unit == y.unit }) {
			return true
		}
	}
	return false
}

// gaps are those of the units of the case, at any revision: what they hide may belong to the pair.
func (b *builder) gaps() []diag.Gap {
	var out []diag.Gap
	for i := range b.r.views {
		v := &b.r.views[i]
		var names []string
		for _, id := range b.unitIDs {
			names = append(names, v.Names[id])
		}
		for _, g := range v.Gaps {
			if g.Unit != "" && slices.Contains(names, g.Unit) {
				out = append(out, g)
			}
		}
	}
	return diag.SortGaps(out)
}
