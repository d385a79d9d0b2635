package snapshot

import (
	"reflect"
	"slices"

	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/unit"
)

// Renders tells whether the same units render the same objects as in another snapshot. Of a unit that could be rendered at
// neither revision nothing is known, and nothing is guessed.
func (s *Snapshot) Renders(b *Snapshot) bool {
	units := map[unit.ID]*discover.Delivered{}
	for i := range s.Units {
		units[s.Units[i].ID] = &s.Units[i]
	}
	if len(units) != len(b.Units) {
		return false
	}
	for i := range b.Units {
		u := units[b.Units[i].ID]
		if u == nil || u.Rendered != b.Units[i].Rendered || !sameObjects(u.Objects, b.Units[i].Objects) {
			return false
		}
	}
	return true
}

// sameObjects compares what is applied. Where an object is written, and in which order, does not matter. Renderings that are
// remembered share their fields, so that most comparisons end at once.
func sameObjects(a, b []object.Object) bool {
	if len(a) != len(b) {
		return false
	}
	if !slices.EqualFunc(a, b, sameID) {
		a, b = inOrder(a), inOrder(b)
	}
	for i := range a {
		if !sameID(a[i], b[i]) || !reflect.DeepEqual(a[i].Fields, b[i].Fields) {
			return false
		}
	}
	return true
}

func sameID(a, b object.Object) bool { return a.ID == b.ID }

// inOrder sorts a copy; of objects of one identity the last one wins [C2b], so that their order stays.
func inOrder(list []object.Object) []object.Object {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b object.Object) int { return a.ID.Compare(b.ID) })
	return out
}
