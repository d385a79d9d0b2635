package cone

import (
	"slices"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// units lists the units that render an object of the case at any revision, and those that deliver their Applications where
// the release changes these.
func (b *builder) units() {
	for i := range b.r.views {
		for _, id := range b.ids {
			for _, h := range b.r.views[i].held[id] {
				b.addUnit(h.unit)
			}
		}
	}
	slices.SortFunc(b.unitIDs, unit.ID.Compare)
	for n := 0; n < len(b.unitIDs); n++ { // others are appended, and may have others
		b.addParent(b.unitIDs[n])
		b.addShared(b.unitIDs[n])
	}
	for _, id := range b.unitIDs {
		b.c.Units = append(b.c.Units, b.unit(id))
		b.p.Names.Units = append(b.p.Names.Units, UnitName{ID: id, Short: b.short(id)})
	}
}

func (b *builder) addUnit(id unit.ID) {
	if !slices.Contains(b.unitIDs, id) {
		b.unitIDs = append(b.unitIDs, id)
	}
}

// addParent adds a unit's Application and the unit that delivers it, if the release changes what the Application says about
// its sources.
func (b *builder) addParent(id unit.ID) {
	if app, changes := b.application(id); changes {
		b.addObject(app)
	}
}

// addObject adds an object and who renders it, if somebody does.
func (b *builder) addObject(id object.ID) {
	for i := range b.r.views {
		for _, h := range b.r.views[i].held[id] {
			b.addUnit(h.unit)
			if !slices.Contains(b.ids, id) {
				b.ids = append(b.ids, id)
			}
		}
	}
}

// addShared adds what a unit with FailOnSharedResource renders and another one, too: its operations fail while the other one
// holds it [C2.2].
func (b *builder) addShared(id unit.ID) {
	if !policy(b.r.newest(id)).FailOnShared {
		return
	}
	for _, other := range b.others(id) {
		if o, ok := b.r.other(other, []unit.ID{id}); ok && !o.Hook && b.sharedWith(other, id) {
			b.addObject(other)
		}
	}
}

// sharedWith tells whether another unit renders an object at any revision.
func (b *builder) sharedWith(id object.ID, by unit.ID) bool {
	for i := range b.r.views {
		if slices.ContainsFunc(b.r.views[i].held[id], func(h held) bool { return h.unit != by }) {
			return true
		}
	}
	return false
}

// application is the identity of a unit's Application, and whether its sources change.
func (b *builder) application(id unit.ID) (object.ID, bool) {
	var first *discover.Delivered
	for i := range b.r.views {
		u := b.r.views[i].units[id]
		if u == nil || u.Kind != unit.Application || u.Parent == (unit.ID{}) {
			continue
		}
		if first == nil {
			first = u
			continue
		}
		if digest(u.Sources) != digest(first.Sources) {
			return b.find(u), true
		}
	}
	return object.ID{}, false
}

// find is the Application object of a unit, among what its parent renders.
func (b *builder) find(u *discover.Delivered) object.ID {
	for i := range b.r.views {
		parent := b.r.views[i].units[u.Parent]
		if parent == nil {
			continue
		}
		for _, o := range parent.Objects {
			if o.ID.Group == "argoproj.io" && o.ID.Kind == "Application" && o.ID.Name == u.ID.Name &&
				(o.ID.Namespace == u.ID.Namespace || o.ID.Namespace == "") {
				return o.ID
			}
		}
	}
	return object.ID{}
}

func (b *builder) short(id unit.ID) string {
	for i := b.last; i >= 0; i-- {
		if name := b.r.views[i].Names[id]; name != "" {
			return name
		}
	}
	return id.Name
}

// unit reads a unit's policy, and who tells it its revision.
func (b *builder) unit(id unit.ID) delivery.Unit {
	out := policy(b.r.newest(id))
	if app, changes := b.application(id); changes {
		out.Spec = slices.Index(b.ids, app)
	}
	return out
}

// policy is a unit's.
func policy(u *discover.Delivered) delivery.Unit {
	has := func(option string) bool { return slices.Contains(u.Policy.SyncOptions, option) }
	out := delivery.Unit{
		Automated: u.Policy.Automated, Prune: u.Policy.Prune, SelfHeal: u.Policy.SelfHeal, AllowEmpty: u.Policy.AllowEmpty,
		FailOnShared: has("FailOnSharedResource=true"), OutOfSyncOnly: has("ApplyOutOfSyncOnly=true"),
		Retries: u.Policy.Retries, Spec: delivery.None,
	}
	if out.Retries < 0 {
		out.Retries = endless
	}
	if !out.Automated {
		out.Retries = 0 // [A6.11]
	}
	return out
}

// endless is more retries than any run needs.
const endless = 100

// objects lists what each unit renders of the objects of the case, revision by revision.
func (b *builder) objects() {
	b.numbers = make([]numbering, len(b.ids))
	r := ranksOf(b.ids)
	for n, id := range b.ids {
		name := ObjectName{ID: id}
		o := b.r.rendered(id, b.unitIDs, func(i int, _ unit.ID, rendered object.Object) delivery.Content {
			content := b.numbers[n].of(b.version(i, rendered))
			for len(name.Contents) < int(content) {
				name.Contents = append(name.Contents, b.called(i))
				name.Origins = append(name.Origins, rendered.Origin)
			}
			return content
		})
		o.Kind, o.Place, o.Needed = b.kind(id), r.place(id, o.Place), id == b.ends.Consumer
		b.c.Objects = append(b.c.Objects, o)
		b.p.Names.Objects = append(b.p.Names.Objects, name)
	}
}

// rendered is an object as units render it, by unit and revision, without its rank. Its place is that of the newest
// revision; how it is pruned is said by the unit that drops it, at the revision before [A4.6].
func (r *Release) rendered(id object.ID, units []unit.ID, version func(i int, u unit.ID, o object.Object) delivery.Content,
) delivery.Object {
	out := delivery.Object{Watch: delivery.None, Needs: delivery.None}
	for range units {
		out.Render = append(out.Render, make([]delivery.Content, len(r.views)))
	}
	for i := range r.views {
		for n, u := range units {
			o, ok := r.views[i].by(id, u)
			if !ok {
				if before, was := r.before(i, id, u); was {
					out.PruneLast = option(before, r.newest(u).Policy.SyncOptions, "PruneLast=true")
					out.NoPrune = option(before, nil, "Prune=false")
				}
				continue
			}
			out.Render[n][i] = version(i, u, o)
			s := slotOf(o)
			out.Place.Phase, out.Place.Wave, out.Hook = s.phase, s.wave, s.hook
			if i < len(r.views)-1 { // what counts is the live object: the commit that sets it may still change the data
				out.Immutable = o.Fields["immutable"] == true
			}
		}
	}
	return out
}

// before is an object at the revision before, as a unit renders it.
func (r *Release) before(i int, id object.ID, u unit.ID) (object.Object, bool) {
	if i == 0 {
		return object.Object{}, false
	}
	return r.views[i-1].by(id, u)
}

// called is what a version is called that first appears at a revision.
func (b *builder) called(i int) string { return "@ " + b.r.Revisions[i].Short }

func (b *builder) kind(id object.ID) delivery.Kind {
	switch {
	case id == b.ends.Consumer && b.pods():
		return delivery.Work
	case id == b.filter:
		return delivery.Filter
	case id.IsConfig():
		return delivery.Config
	case id.Group == "argoproj.io" && id.Kind == "Application":
		return delivery.Application
	}
	return delivery.Plain
}

// pods tells whether the consumer is a workload.
func (b *builder) pods() bool {
	for i := range b.r.views {
		if o, ok := b.r.views[i].one(b.ends.Consumer); ok && object.PodTemplate(o) != nil {
			return true
		}
	}
	return false
}
