package remedy

import (
	"slices"

	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// draft is a snapshot that is being changed. What it was made from stays as it is.
type draft struct {
	from  *snapshot.Snapshot
	units []discover.Delivered
	own   map[int]bool // units whose list of objects is the draft's own
}

func newDraft(s *snapshot.Snapshot) *draft {
	return &draft{from: s, units: slices.Clone(s.Units), own: map[int]bool{}}
}

// snapshot is what the draft makes, the one that it was made from if nothing was changed.
func (d *draft) snapshot() *snapshot.Snapshot {
	if len(d.own) == 0 {
		return d.from
	}
	return d.from.With(d.units)
}

// unit is the place of a unit, -1 if it is not there or could not be rendered.
func (d *draft) unit(id unit.ID) int {
	return slices.IndexFunc(d.units, func(u discover.Delivered) bool { return u.ID == id && u.Rendered })
}

// objects are those of a unit, to be changed.
func (d *draft) objects(u int) *[]object.Object {
	if !d.own[u] {
		d.own[u] = true
		d.units[u].Objects = slices.Clone(d.units[u].Objects)
	}
	return &d.units[u].Objects
}

// renders tells whether a unit renders an object.
func (d *draft) renders(u int, id object.ID) bool {
	return slices.ContainsFunc(d.units[u].Objects, func(o object.Object) bool { return o.ID == id })
}

// get is an object as the last of its units renders it.
func (d *draft) get(id object.ID) (object.Object, bool) {
	for u := len(d.units) - 1; u >= 0; u-- {
		for _, o := range slices.Backward(d.units[u].Objects) {
			if o.ID == id {
				return o, true
			}
		}
	}
	return object.Object{}, false
}

// move makes a unit the only one that delivers an object.
func (d *draft) move(id object.ID, to int) {
	o, ok := d.get(id)
	if !ok {
		return
	}
	for u := range d.units {
		if u != to {
			d.drop(u, id)
		}
	}
	if !d.renders(to, id) {
		d.add(to, o)
	}
}

func (d *draft) add(u int, o object.Object) {
	list := d.objects(u)
	*list = append(*list, o)
}

func (d *draft) drop(u int, id object.ID) {
	if d.renders(u, id) {
		list := d.objects(u)
		*list = slices.DeleteFunc(*list, func(o object.Object) bool { return o.ID == id })
	}
}

// replace changes an object wherever it is rendered.
func (d *draft) replace(id object.ID, change func(object.Object) object.Object) {
	for u := range d.units {
		if !d.renders(u, id) {
			continue
		}
		list := *d.objects(u)
		for i := range list {
			if list[i].ID == id {
				list[i] = change(list[i])
			}
		}
	}
}
