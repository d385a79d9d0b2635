package cone

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// rest adds what stands for all other objects of the units: one object for those of a unit, phase and wave, and further ones
// for those that the release drops or moves between the units, by where they go.
func (b *builder) rest() {
	groups := map[string][]delivery.Object{}
	for _, id := range b.others(b.unitIDs...) {
		if o, ok := b.r.other(id, b.unitIDs); ok {
			groups[groupOf(o)] = append(groups[groupOf(o)], o)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		b.c.Objects = append(b.c.Objects, together(groups[key]))
		b.p.Names.Objects = append(b.p.Names.Objects, ObjectName{ID: object.ID{}})
	}
}

// others are objects of units that the case does not have, at any revision.
func (b *builder) others(units ...unit.ID) []object.ID {
	return slices.DeleteFunc(b.r.rendering(units), func(id object.ID) bool { return slices.Contains(b.ids, id) })
}

// other is an object that is none of a pair's, as units render it; false if no sync has it, as a hook of another event.
func (r *Release) other(id object.ID, units []unit.ID) (delivery.Object, bool) {
	var n numbering
	ok := false
	o := r.rendered(id, units, func(i int, u unit.ID, rendered object.Object) delivery.Content {
		if slotOf(rendered).none {
			return 0
		}
		ok = true
		return n.of(r.digest(i, u, rendered))
	})
	o.Ails = ails(id)
	o.Immutable = false // that it is refused for certain is not the pair's matter
	return o, ok
}

// groupOf is equal for objects that are one to a case.
func groupOf(o delivery.Object) string {
	var there strings.Builder
	units, first := 0, 0
	drops := false
	for u, row := range o.Render {
		if slices.Max(row) > 0 {
			units, first = units+1, u
		}
		for i, content := range row {
			there.WriteByte("-+"[min(content, 1)])
			drops = drops || i > 0 && content == 0 && row[i-1] != 0
		}
	}
	slot := fmt.Sprintf("%+d %+06d %t ", o.Place.Phase, o.Place.Wave, o.Hook)
	if units == 1 && (!drops || o.Hook) { // nobody prunes hooks
		return fmt.Sprintf("%d %s", first, slot)
	}
	return slot + fmt.Sprint(there.String(), o.PruneLast, o.NoPrune)
}

// together makes one object of a group.
func together(members []delivery.Object) delivery.Object {
	o := members[0]
	o.Kind, o.Place.Rank, o.Place.Kind = delivery.Rest, 255, 255
	o.Render = nil
	var n numbering
	for u, row := range members[0].Render {
		o.Render = append(o.Render, make([]delivery.Content, len(row)))
		for i := range row {
			o.Render[u][i] = n.group(members, u, i)
		}
	}
	for _, m := range members {
		o.Ails = o.Ails || m.Ails
	}
	return o
}

// group is the number of what a unit renders of a group at a revision: that of an earlier revision if everything that it
// renders now was the same then. 0: nothing.
func (n *numbering) group(members []delivery.Object, u, i int) delivery.Content {
	if !slices.ContainsFunc(members, func(m delivery.Object) bool { return m.Render[u][i] != 0 }) {
		return 0
	}
	for ; ; i-- {
		before := i - 1
		if i == 0 || slices.ContainsFunc(members, func(m delivery.Object) bool {
			return m.Render[u][i] != 0 && m.Render[u][i] != m.Render[u][before]
		}) {
			break
		}
	}
	var contents []delivery.Content
	for _, m := range members {
		contents = append(contents, m.Render[u][i])
	}
	return n.of(fmt.Sprint(contents))
}
