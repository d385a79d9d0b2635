package proof

import (
	"slices"

	"github.com/syncproof/syncproof/internal/delivery"
)

// bag is a number of a multiset of kinds of unusual steps: how often a run took which. Bag 0 is the empty one.
type bag int

// bags are all multisets of up to n kinds, small ones first.
type bags struct {
	kinds [][]delivery.Unusual // by bag, sorted
	add   [][]bag              // by bag and kind: with one more; -1: too many
	parts [][]bag              // by bag: all smaller ones inside it
}

func bagsOf(n int) bags {
	b := bags{kinds: [][]delivery.Unusual{nil}}
	for i := 0; i < len(b.kinds); i++ {
		if len(b.kinds[i]) == n {
			continue
		}
		for _, k := range delivery.Kinds() {
			if len(b.kinds[i]) == 0 || k >= b.kinds[i][len(b.kinds[i])-1] {
				b.kinds = append(b.kinds, append(slices.Clone(b.kinds[i]), k))
			}
		}
	}
	b.add = make([][]bag, len(b.kinds))
	b.parts = make([][]bag, len(b.kinds))
	for i, kinds := range b.kinds {
		b.add[i] = make([]bag, len(delivery.Kinds())+1)
		b.add[i][delivery.Ordinary] = bag(i)
		for _, k := range delivery.Kinds() {
			more := append(slices.Clone(kinds), k)
			slices.Sort(more)
			b.add[i][k] = b.find(more)
		}
		for part := range i {
			if inside(b.kinds[part], kinds) {
				b.parts[i] = append(b.parts[i], bag(part))
			}
		}
	}
	return b
}

func (b *bags) find(kinds []delivery.Unusual) bag {
	return bag(slices.IndexFunc(b.kinds, func(other []delivery.Unusual) bool { return slices.Equal(other, kinds) }))
}

// inside tells whether a sorted multiset is a part of another one.
func inside(part, whole []delivery.Unusual) bool {
	for _, k := range whole {
		if len(part) > 0 && part[0] == k {
			part = part[1:]
		}
	}
	return len(part) == 0
}
