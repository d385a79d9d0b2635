package proof

import (
	"slices"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/explore"
)

// questions are what is asked of a searched Case.
type questions struct {
	c      *delivery.Case
	g      graph
	states int
	bags   bags
	plain  bool // no runs are wanted
}

// aspect is one harm and how its predicates are called.
type aspect struct {
	harm  Harm
	once  uint64 // predicate of harm in one state
	lasts uint64 // predicate of harm if it lasts
	maybe bool   // also where a match is unknown
}

var aspects = [...]aspect{
	{harm: Skew, once: delivery.SkewCommon, lasts: delivery.Skew},
	{harm: Skew, once: delivery.MaybeCommon, lasts: delivery.Maybe, maybe: true},
	{harm: Absent, once: delivery.Absent, lasts: delivery.Absent},
	{harm: Blocked, once: delivery.Blocked, lasts: delivery.Blocked},
}

// grades are persistences and visibilities, gravest first.
var grades = [...]struct {
	persistence Persistence
	visibility  Visibility
	when        explore.When
}{
	{Sticky, Silent, explore.Always},
	{Sticky, Visible, explore.Always},
	{Recurring, Silent, explore.Often},
	{Recurring, Visible, explore.Often},
	{Transient, Silent, explore.Ever},
	{Transient, Visible, explore.Ever},
}

// bits is the predicate of the harm at a grade.
func (a aspect) bits(grade int) uint64 {
	if grades[grade].when == explore.Ever {
		return a.once
	}
	return a.lasts
}

// targets are the states in which a harm is there at a grade.
func (q *questions) targets(a aspect, grade int, avoid uint64) []bool {
	bits := a.bits(grade)
	if grades[grade].visibility == Silent {
		bits |= delivery.Quiet
	}
	return q.g.Lasting(explore.Query{Mask: bits, Want: bits, Avoid: avoid, When: grades[grade].when})
}

// openings are the minimal bags of unusual steps for each harm, on runs that have none of the avoided predicates: one
// counts if it opens something graver than each of its parts does. Gravest first.
func (q *questions) openings(avoid uint64) []Opening {
	reach := reachable(q.g, q.states, &q.bags, avoid)
	var out []Opening
	var certain []int // grade by bag of the skew that needs no unknown match
	for _, a := range aspects {
		found, grade := q.minimal(a, avoid, reach, certain)
		out = append(out, found...)
		certain = nil
		if a.harm == Skew && !a.maybe {
			certain = grade
		}
	}
	slices.SortStableFunc(out, graver)
	return out
}

// minimal are the openings of one aspect, and the grade that each bag reaches. What is known already at the same grade
// does not count again.
func (q *questions) minimal(a aspect, avoid uint64, reach *reach, known []int) ([]Opening, []int) {
	var targets [len(grades)][]bool
	var opens [len(grades)][]uint64
	for g := range grades {
		targets[g] = q.targets(a, g, avoid)
		opens[g] = reach.opens(targets[g])
	}
	var out []Opening
	reached := make([]int, len(q.bags.kinds))
	for b := range q.bags.kinds {
		below := len(grades)
		if known != nil {
			below = known[b]
		}
		for _, part := range q.bags.parts[b] {
			below = min(below, reached[part])
		}
		reached[b] = below
		for g := range below {
			if opens[g][b/64]>>(b%64)&1 == 1 {
				reached[b] = g
				o := Opening{Set: q.bags.kinds[b], Harm: a.harm, Persistence: grades[g].persistence, Visibility: grades[g].visibility, Maybe: a.maybe}
				if !q.plain {
					o.Trace = shortest(q.g, q.states, &q.bags, avoid, bag(b), targets[g])
					o = tidy(q.c, o, a.bits(g), avoid)
				}
				out = append(out, o)
				break
			}
		}
	}
	return out, reached
}

// graver is the order of the headline: fewest unusual steps, gravest harm, persistence, visibility, fewest steps.
func graver(a, b Opening) int {
	rank := func(o Opening) []int {
		maybe := 0
		if o.Maybe {
			maybe = 1
		}
		return []int{
			len(o.Set), maybe,
			slices.Index([]Harm{Skew, Absent, Blocked}, o.Harm),
			slices.Index([]Persistence{Sticky, Recurring, Transient}, o.Persistence),
			slices.Index([]Visibility{Silent, Visible}, o.Visibility),
			o.Harmed, len(o.Trace),
		}
	}
	return slices.Compare(rank(a), rank(b))
}

// unavoidable tells whether ordinary steps cannot reach the end without the harm.
func (q *questions) unavoidable(o Opening) bool {
	end, avoid := uint64(delivery.Done), uint64(delivery.Blocked)
	mask := end
	switch o.Harm {
	case Skew:
		avoid = delivery.SkewCommon
		mask |= delivery.Skew // a new call may fail on the way, not at the end
	case Absent:
		avoid = delivery.Absent
	}
	return !q.g.Ask(explore.Query{Mask: mask, Want: end, Avoid: avoid, Allow: nothing}).Found
}
