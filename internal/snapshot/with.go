package snapshot

import (
	"slices"

	"github.com/syncproof/syncproof/internal/discover"
)

// With is a snapshot with other units in the place of its own, and what follows from them: how it would be if they delivered
// that. What is not seen at this revision stays unseen. The units are the new snapshot's.
func (s *Snapshot) With(units []discover.Delivered) *Snapshot {
	out := *s
	out.Units = units
	slices.SortStableFunc(out.Units, func(a, b discover.Delivered) int { return a.ID.Compare(b.ID) })
	out.index()
	return &out
}
