package proof

import (
	"math/bits"
	"slices"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/explore"
)

// graph is what the search of a Case found, whatever its keys are.
type graph interface {
	Steps(i int, yield func(s explore.Step, to int))
	Look(i int) uint64
	Lasting(q explore.Query) []bool
	Ask(q explore.Query) explore.Answer
}

// reach tells of every state which bags of unusual steps some run to it takes, exactly.
type reach struct {
	words int
	set   []uint64 // words a state
}

func (r *reach) of(i int) []uint64 { return r.set[i*r.words : (i+1)*r.words] }

// reachable spreads bags along the steps of a graph, on runs that never have a predicate of avoid.
func reachable(g graph, states int, b *bags, avoid uint64) *reach {
	r := &reach{words: (len(b.kinds) + 63) / 64}
	r.set = make([]uint64, states*r.words)
	if states == 0 || g.Look(0)&avoid != 0 {
		return r
	}
	r.set[0] = 1
	queue, queued := []int{0}, make([]bool, states)
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		queued[i] = false
		g.Steps(i, func(s explore.Step, to int) {
			if g.Look(to)&avoid == 0 && r.spread(b, i, to, delivery.EventOf(s.Label).Deed.Kind()) && !queued[to] {
				queued[to] = true
				queue = append(queue, to)
			}
		})
	}
	return r
}

// spread takes the bags of one state to another, over a step of a kind. It tells whether some were new there.
func (r *reach) spread(b *bags, from, to int, kind delivery.Unusual) bool {
	grew := false
	src, dst := r.of(from), r.of(to)
	for w, word := range src {
		if kind == delivery.Ordinary {
			grew = grew || word&^dst[w] != 0
			dst[w] |= word
			continue
		}
		for ; word != 0; word &= word - 1 {
			more := b.add[w*64+bits.TrailingZeros64(word)][kind]
			if more >= 0 && dst[more/64]>>(more%64)&1 == 0 {
				dst[more/64] |= 1 << (more % 64)
				grew = true
			}
		}
	}
	return grew
}

// opens are the bags with which some target is reached.
func (r *reach) opens(targets []bool) []uint64 {
	out := make([]uint64, r.words)
	for i, is := range targets {
		if !is {
			continue
		}
		for w, word := range r.of(i) {
			out[w] |= word
		}
	}
	return out
}

// shortest is the shortest run, cheapest first, that takes no more than a bag and ends in a target.
func shortest(g graph, states int, b *bags, avoid uint64, whole bag, targets []bool) []delivery.Event {
	s := newSeek(states, b, whole)
	for cost := range s.costs {
		for {
			n, ok := s.pop(cost)
			if !ok {
				break
			}
			if targets[n.state] {
				return s.trace(n)
			}
			g.Steps(n.state, func(step explore.Step, to int) {
				if g.Look(to)&avoid == 0 {
					s.push(n, step, to)
				}
			})
		}
	}
	return nil
}

// seek is one search for a shortest run. Its nodes are a state and the part of the bag that was taken on the way.
type seek struct {
	b     *bags
	parts []bag // of the bag, the whole last
	local []int // place of a bag in parts, or -1
	seen  []came
	costs []lane
}

// came says how a node was reached; depth is -1 if it was not.
type came struct {
	from, depth int32
	label       uint32
}

type stop struct {
	state, part int
	depth       int32
}

// lane are the nodes of one cost, in two queues that are each in the order of their depth: those reached by an unusual step
// from the lane below, and those reached by an ordinary one inside the lane.
type lane struct{ entered, inside []stop }

func newSeek(states int, b *bags, whole bag) *seek {
	s := &seek{b: b, parts: append(slices.Clone(b.parts[whole]), whole), local: make([]int, len(b.kinds))}
	for i := range s.local {
		s.local[i] = slices.Index(s.parts, bag(i))
	}
	s.seen = make([]came, states*len(s.parts))
	for i := range s.seen {
		s.seen[i].depth = -1
	}
	s.costs = make([]lane, len(b.kinds[whole])+1)
	s.seen[s.at(0, s.local[0])].depth = 0
	s.costs[0].entered = []stop{{0, s.local[0], 0}}
	return s
}

func (s *seek) at(state, part int) int { return state*len(s.parts) + part }

// pop takes the next node of a cost, nearest first.
func (s *seek) pop(cost int) (stop, bool) {
	l := &s.costs[cost]
	for {
		var from *[]stop
		switch {
		case len(l.entered) == 0 && len(l.inside) == 0:
			return stop{}, false
		case len(l.inside) == 0 || len(l.entered) > 0 && l.entered[0].depth <= l.inside[0].depth:
			from = &l.entered
		default:
			from = &l.inside
		}
		n := (*from)[0]
		*from = (*from)[1:]
		if s.seen[s.at(n.state, n.part)].depth == n.depth { // else a shorter way was found since
			return n, true
		}
	}
}

func (s *seek) push(n stop, step explore.Step, to int) {
	more := s.b.add[s.parts[n.part]][delivery.EventOf(step.Label).Deed.Kind()]
	if more < 0 || s.local[more] < 0 {
		return
	}
	next := stop{to, s.local[more], n.depth + 1}
	at := s.at(next.state, next.part)
	if d := s.seen[at].depth; d >= 0 && d <= next.depth {
		return
	}
	s.seen[at] = came{int32(s.at(n.state, n.part)), next.depth, step.Label}
	if l := &s.costs[len(s.b.kinds[more])]; more == s.parts[n.part] {
		l.inside = append(l.inside, next)
	} else {
		l.entered = append(l.entered, next)
	}
}

func (s *seek) trace(n stop) []delivery.Event {
	var out []delivery.Event
	for i := s.at(n.state, n.part); s.seen[i].depth > 0; i = int(s.seen[i].from) {
		out = append(out, delivery.EventOf(s.seen[i].label))
	}
	slices.Reverse(out)
	return out
}
