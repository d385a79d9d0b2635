package explore

import "hash/maphash"

// index numbers keys in the order in which they come.
//
// A slot is 32 bits wide: below, in as many bits as the size of the table needs, the number of the key plus one (0: an empty
// slot); above, what room is left of the key's hash. So most keys that merely collide are told apart without a look at them.
type index[K comparable] struct {
	keys  list[K]
	slots []uint32
	bits  uint
	seed  maphash.Seed
}

func newIndex[K comparable]() index[K] {
	const bits = 6
	return index[K]{slots: make([]uint32, 1<<bits), bits: bits, seed: maphash.MakeSeed()}
}

// find is the number of k, or else the slot to add it to.
func (x *index[K]) find(k K) (number, slot uint32, found bool) {
	h := maphash.Comparable(x.seed, k)
	mask := uint32(1)<<x.bits - 1
	tag := uint32(h) << x.bits
	for slot = uint32(h >> (64 - x.bits)); ; slot = (slot + 1) & mask {
		s := x.slots[slot]
		if s == 0 {
			return 0, slot, false
		}
		if s&^mask == tag && x.keys.get(s&mask-1) == k {
			return s&mask - 1, slot, true
		}
	}
}

// add numbers a key that find has not found.
func (x *index[K]) add(k K, slot uint32) uint32 {
	n := x.keys.n
	x.keys.add(k)
	x.slots[slot] = uint32(maphash.Comparable(x.seed, k))<<x.bits | (n + 1)
	if int(x.keys.n) >= len(x.slots)/8*7 {
		x.grow()
	}
	return n
}

func (x *index[K]) grow() {
	x.bits++
	x.slots = make([]uint32, 1<<x.bits)
	mask := uint32(1)<<x.bits - 1
	for n := range x.keys.n {
		h := maphash.Comparable(x.seed, x.keys.get(n))
		slot := uint32(h >> (64 - x.bits))
		for x.slots[slot] != 0 {
			slot = (slot + 1) & mask
		}
		x.slots[slot] = uint32(h)<<x.bits | (n + 1)
	}
}
