package explore_test

import (
	"math/bits"

	"github.com/syncproof/syncproof/internal/explore"
)

// tiny is a model of at most eight states, and what can be said of it by trying everything.
type tiny struct {
	n      int
	starts []int
	edges  []arc
	looks  [8]uint64
	bounds explore.Bounds
	stays  []uint8 // every set of states that some fair run visits again and again, and no other states
}

type arc struct {
	from, to int
	step     explore.Step
}

func (m *tiny) Init(yield func(int)) {
	for _, s := range m.starts {
		yield(s)
	}
}

func (m *tiny) Next(s int, yield func(explore.Step, int)) {
	for _, e := range m.edges {
		if e.from == s {
			yield(e.step, e.to)
		}
	}
}

func (m *tiny) Look(s int) uint64 { return m.looks[s] }

// build makes a model of any bytes.
func build(data []byte) *tiny {
	take := func() int {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return int(b)
	}
	m := &tiny{n: 1 + take()%8}
	head := take()
	m.bounds.Cost = head % 4
	starts := take()
	for s := range m.n {
		if starts>>s&1 != 0 {
			m.starts = append(m.starts, s)
		}
		m.looks[s] = uint64(take() % 8)
	}
	if len(m.starts) == 0 {
		m.starts = []int{0}
	}
	if head&16 != 0 {
		m.bounds.States = 1 + take()%8
	}
	if head&32 != 0 {
		m.bounds.Depth = 1 + take()%6
	}
	for len(data) >= 2 && len(m.edges) < 40 {
		ends, kind := take(), take()
		cost := []uint8{0, 0, 0, 0, 0, 1, 1, 2}[kind>>5]
		m.edges = append(m.edges, arc{ends % m.n, ends >> 4 % m.n, explore.Step{Label: uint32(kind >> 2 & 3), Actor: uint8(kind % 4), Cost: cost}})
	}
	for set := 1; set < 1<<m.n; set++ {
		if m.strong(uint8(set)) && m.fairIn(uint8(set)) {
			m.stays = append(m.stays, uint8(set))
		}
	}
	return m
}

// ordinary shows every ordinary step that changes the state.
func (m *tiny) ordinary(show func(arc)) {
	for _, e := range m.edges {
		if e.step.Cost == 0 && e.from != e.to {
			show(e)
		}
	}
}

func has(set uint8, s int) bool { return set>>s&1 != 0 }

// strong says whether every state of the set reaches every other by ordinary steps within the set.
func (m *tiny) strong(set uint8) bool {
	for s := range m.n {
		reached := uint8(1 << s)
		for range m.n {
			m.ordinary(func(e arc) {
				if has(reached, e.from) && has(set, e.from) && has(set, e.to) {
					reached |= 1 << e.to
				}
			})
		}
		if has(set, s) && reached != set {
			return false
		}
	}
	return true
}

// fairIn says whether a run that visits exactly this set again and again, and takes all steps in it, is fair.
func (m *tiny) fairIn(set uint8) bool {
	for actor := range uint8(4) {
		var can uint8
		moves := false
		m.ordinary(func(e arc) {
			if e.step.Actor == actor {
				can |= 1 << e.from
				moves = moves || has(set, e.from) && has(set, e.to)
			}
		})
		if set&^can == 0 && !moves {
			return false
		}
	}
	return true
}

type distance struct{ cost, depth int }

func (d distance) less(e distance) bool {
	return d.cost < e.cost || d.cost == e.cost && d.depth < e.depth
}

// distances relaxes every step until nothing changes. What is missing cannot be reached.
func (m *tiny) distances(q explore.Query) map[int]distance {
	best := map[int]distance{}
	for _, s := range m.starts {
		if m.looks[s]&q.Avoid == 0 {
			best[s] = distance{}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, e := range m.edges {
			from, ok := best[e.from]
			if !ok || m.looks[e.to]&q.Avoid != 0 || e.step.Cost > 0 && q.Allow != nil && !q.Allow(e.step) {
				continue
			}
			d := distance{from.cost + int(e.step.Cost), from.depth + 1}
			if old, known := best[e.to]; d.cost <= m.bounds.Cost && (!known || d.less(old)) {
				best[e.to], changed = d, true
			}
		}
	}
	return best
}

// ends are the states in which a trace may end that answers q: all that are wanted; and for runs without end, those of them
// that lie in a set in which a fair run can stay.
func (m *tiny) ends(q explore.Query, best map[int]distance) uint8 {
	var wanted, inside uint8
	for s := range m.n {
		if _, ok := best[s]; ok {
			inside |= 1 << s
			if m.looks[s]&q.Mask == q.Want {
				wanted |= 1 << s
			}
		}
	}
	if q.When == explore.Ever {
		return wanted
	}
	if q.When == explore.Always {
		inside = wanted
	}
	var ends uint8
	for _, set := range m.stays {
		if set&^inside == 0 {
			ends |= set & wanted
		}
	}
	return ends
}

// answer is whether q has an answer, and how far it is.
func (m *tiny) answer(q explore.Query) (best distance, found bool) {
	distances := m.distances(q)
	for ends := m.ends(q, distances); ends != 0; ends &= ends - 1 {
		if d := distances[bits.TrailingZeros8(ends)]; !found || d.less(best) {
			best, found = d, true
		}
	}
	return best, found
}
