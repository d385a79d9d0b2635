package delivery

import (
	"cmp"
	"slices"
)

// plan is the order in which an operation of one unit does things at one revision, wave by wave.
type plan []wave

// wave is one phase and wave.
type wave struct {
	phase  int8
	number int16
	prunes set   // what may have to be pruned in it: rendered at another revision, not at this one
	runs   []set // applies in maximal runs of one kind: [A1.3], [A1.4], [A1.7]
}

func (w wave) applies() set {
	var all set
	for _, r := range w.runs {
		all |= r
	}
	return all
}

// planOf lays out one unit's work at one revision.
func (m *machine) planOf(u int, rev uint8) plan {
	c := m.c
	var applied []int
	var dropped []int
	for o := range c.Objects {
		switch {
		case c.renders(o, u, rev) != 0:
			applied = append(applied, o)
		case m.ever(o, u) && !m.hook(o):
			dropped = append(dropped, o)
		}
	}
	slices.SortStableFunc(applied, func(a, b int) int { return m.before(m.place(a), m.place(b)) })
	var p plan
	for i, o := range applied {
		place := m.place(o)
		w := p.wave(place.Phase, place.Wave)
		if n := len(w.runs); n > 0 && m.together(m.place(applied[i-1]), place) {
			w.runs[n-1] |= one(o)
		} else {
			w.runs = append(w.runs, one(o))
		}
	}
	m.planPrunes(&p, dropped)
	slices.SortStableFunc(p, func(a, b wave) int {
		return cmp.Or(cmp.Compare(a.phase, b.phase), cmp.Compare(a.number, b.number))
	})
	return p
}

// ever tells whether a unit renders an object at any revision.
func (m *machine) ever(o, u int) bool {
	for rev := range m.c.Last + 1 {
		if m.c.renders(o, u, uint8(rev)) != 0 {
			return true
		}
	}
	return false
}

// wave finds or adds a wave. The answer is good until the next call.
func (p *plan) wave(phase int8, number int16) *wave {
	for i := range *p {
		if (*p)[i].phase == phase && (*p)[i].number == number {
			return &(*p)[i]
		}
	}
	*p = append(*p, wave{phase: phase, number: number})
	return &(*p)[len(*p)-1]
}

// place is where an object is: in its phase [A1.2] and wave [A1.6].
func (m *machine) place(o int) Place {
	place := m.c.Objects[o].Place
	if !m.holds(A12) {
		place.Phase = 0
	}
	if !m.holds(A16) {
		place.Wave = 0
	}
	return place
}

// planPrunes puts prunes into their waves: mirrored among themselves [A4.1], those of PruneLast behind everything [A4.3].
func (m *machine) planPrunes(p *plan, dropped []int) {
	var numbers []int16
	last := int16(0)
	for _, w := range *p {
		if w.phase == 0 {
			last = max(last, w.number)
		}
	}
	for _, o := range dropped { // those of PruneLast are turned around with the others, and then put last
		numbers = append(numbers, m.place(o).Wave)
		last = max(last, m.place(o).Wave)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	for _, o := range dropped {
		number := last + 1
		if !m.late(o) {
			i, _ := slices.BinarySearch(numbers, m.place(o).Wave)
			if !m.c.Controller.PruneInOrder && m.holds(A41) {
				i = len(numbers) - 1 - i
			}
			number = numbers[i]
		}
		w := p.wave(0, number)
		w.prunes |= one(o)
	}
}

func (m *machine) late(o int) bool { return m.c.Objects[o].PruneLast && m.holds(A43) }

// before is the order of tasks [A1.1]: phase [A1.2], wave [A1.6], rank of the kind [A1.3], name [A1.4].
func (m *machine) before(a, b Place) int {
	order := cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Wave, b.Wave))
	if order == 0 && m.holds(A13) {
		order = cmp.Compare(a.Rank, b.Rank)
	}
	if order == 0 && m.holds(A14) {
		order = cmp.Compare(a.Name, b.Name)
	}
	return order
}

// together tells whether two neighbours of one wave are applied in parallel: those of one kind are, and those that the
// sort leaves in any order count as if they were.
func (m *machine) together(a, b Place) bool {
	return a.Phase == b.Phase && a.Wave == b.Wave && (a.Kind == b.Kind || m.before(a, b) == 0)
}
