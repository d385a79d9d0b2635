package explore

import "slices"

// When says how often a state of the kind that a Query wants is met on the run that it asks for.
type When uint8

const (
	Ever   When = iota // once: the run ends there
	Always             // from some point on for ever, on a fair run of ordinary steps
	Often              // again and again for ever, on a fair run of ordinary steps
)

// Query asks whether there is a run from an initial state. No state on it, the first and the last included, has a bit of
// Avoid. A state is wanted if its predicates under Mask are exactly Want.
//
// A run is fair if every actor either takes ordinary steps for ever or again and again has none to take, whatever else the
// run does and wherever those steps would lead. A run may stay in a state for ever if no ordinary step is enabled there.
type Query struct {
	Mask, Want, Avoid uint64
	When              When
	Allow             func(Step) bool // which unusual steps the run may use; nil: all. Asked once a kind of step; must be pure
}

// Answer is the run that is cheapest, then shortest, up to the state that was asked for.
type Answer struct {
	Found bool
	Cost  int    // of all unusual steps of Trace
	Trace []Step // to the wanted state; for Always to the first state of those where the run can stay
	// Loop, for Always and Often, are the ordinary steps that lead from there back to there and, gone round for ever, are a
	// fair run of the kind that was asked for. Not always the shortest such loop. Empty: the run stays in the state.
	Loop []Step
	// Path are the numbers of the states along Trace and then Loop: one more than there are steps.
	Path []int
}

func (g *net) ask(q Query) Answer {
	if !slices.ContainsFunc(g.looks, q.wants) {
		return Answer{}
	}
	ways := &g.ways
	if q.Avoid != 0 || q.Allow != nil {
		ways = g.waysTo(q.Avoid, q.Allow)
	}
	if q.When == Ever {
		end := uint32(none)
		for v := range g.nodes.n {
			if q.wants(g.look(v)) {
				end = closer(ways, v, end)
			}
		}
		return g.answer(ways, q, end)
	}

	inside := func(v uint32) bool { return ways.get(v).at != nowhere && (q.When == Often || q.wants(g.look(v))) }
	end := uint32(none)
	parts := g.components(inside, func(members, part []uint32) {
		best := uint32(none)
		for _, v := range members {
			if q.wants(g.look(v)) {
				best = closer(ways, v, best)
			}
		}
		if best != none && g.fair(members, part) {
			end = closer(ways, best, end)
		}
	})
	a := g.answer(ways, q, end)
	if a.Found {
		loop, path := g.loop(parts, end)
		a.Loop, a.Path = loop, append(a.Path, path...)
	}
	return a
}

func (q Query) wants(look uint64) bool { return look&q.Mask == q.Want }

func (g *net) answer(ways *list[way], q Query, end uint32) Answer {
	if end == none {
		return Answer{}
	}
	a := Answer{Found: true, Cost: ways.get(end).at.cost()}
	a.Trace, a.Path = g.trace(ways, end, q.Allow)
	return a
}

// closer is the closer of v and the best so far (or none); of two at one place the one with the lower number.
func closer(ways *list[way], v, best uint32) uint32 {
	at := ways.get(v).at
	switch {
	case at == nowhere:
		return best
	case best == none:
		return v
	}
	if b := ways.get(best).at; at < b || at == b && v < best {
		return v
	}
	return best
}
