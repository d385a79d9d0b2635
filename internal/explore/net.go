package explore

import (
	"math"
	"slices"
)

// none is no state, no edge.
const none = math.MaxUint32

// net is a graph without its states: numbers, predicates and edges. Questions need no more.
type net struct {
	roots   []uint32
	nodes   list[node]
	ways    list[way] // the shortest way to each state, as the search found it
	edges   list[edge]
	steps   []Step   // the different steps, by number
	looks   []uint64 // the different sets of predicates, by number
	limit   int      // highest cost
	partial uint32   // the state in the middle of whose steps the search ended, or none
}

// node is a state: the number of what holds in it, and its edges [first, last). Not expanded: both none.
type node struct{ look, first, last uint32 }

type edge struct{ to, step uint32 }

// way is the last piece of a shortest way to a state: how far the state is, and from where it is reached.
type way struct {
	at     place
	parent uint32 // none for an initial state
}

func (g *net) step(e edge) Step { return g.steps[e.step] }

func (g *net) look(v uint32) uint64 { return g.looks[g.nodes.get(v).look] }

// whole says whether all steps of a state are known.
func (g *net) whole(v uint32) bool { return g.nodes.get(v).first != none && v != g.partial }

// waysTo gives shortest ways over the stored edges, through states without a bit of avoid and over unusual steps that are
// allowed (nil: all). It needs no step that the search did not take: the cost of a state is at least what it was there.
func (g *net) waysTo(avoid uint64, allow func(Step) bool) *list[way] {
	passes := make([]bool, len(g.steps))
	for i, s := range g.steps {
		passes[i] = s.Cost == 0 || allow == nil || allow(s)
	}
	ways := filled(g.nodes.n, way{at: nowhere, parent: none})
	q := newQueue(g.limit)
	for _, v := range g.roots {
		if g.look(v)&avoid == 0 {
			ways.set(v, way{at: 0, parent: none})
			q.push(v, 0)
		}
	}
	for v, p, ok := q.pop(); ok; v, p, ok = q.pop() {
		if ways.get(v).at != p {
			continue
		}
		n := g.nodes.get(v)
		for i := n.first; i < n.last; i++ {
			e := g.edges.get(i)
			cost := g.steps[e.step].Cost
			if !passes[e.step] || p.cost()+int(cost) > g.limit || g.look(e.to)&avoid != 0 {
				continue
			}
			if there := p.after(cost); there < ways.get(e.to).at {
				ways.set(e.to, way{at: there, parent: v})
				q.push(e.to, there)
			}
		}
	}
	return ways
}

// trace is the way to v: its steps, and the states before, between and after them.
func (g *net) trace(ways *list[way], v uint32, allow func(Step) bool) (steps []Step, path []int) {
	path = append(path, int(v))
	for w := ways.get(v); w.parent != none; w = ways.get(v) {
		steps = append(steps, g.between(w.parent, v, ways.get(w.parent).at, w.at, allow))
		v = w.parent
		path = append(path, int(v))
	}
	slices.Reverse(steps)
	slices.Reverse(path)
	return steps, path
}

// between is the first step from v at p to w that makes its place q.
func (g *net) between(v, w uint32, p, q place, allow func(Step) bool) Step {
	n := g.nodes.get(v)
	for i := n.first; i < n.last; i++ {
		e := g.edges.get(i)
		s := g.step(e)
		if e.to == w && p.cost()+int(s.Cost) == q.cost() && (s.Cost == 0 || allow == nil || allow(s)) {
			return s
		}
	}
	return Step{}
}
