package explore

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// explorer is one search under way.
type explorer[S comparable] struct {
	model  Model[S]
	asked  int // Bounds.Cost
	states int // the bounds that hold
	limit  int
	depth  int

	keys  index[S]
	steps index[uint64]
	looks index[uint64]
	net   net
	queue queue

	full bool // nothing more can be kept: the search ends with the state under way, or before the first
	hit  hits

	// The state whose steps are being taken. It lives here and not in a closure, so that a step costs no allocation.
	from  uint32
	state S
	here  place
	deep  bool // a step of it leads beyond the bound of depth
}

// hits are the bounds that were reached.
type hits struct {
	states, edges, depth, cost bool
	interrupted                error
}

func newExplorer[S comparable](m Model[S], b Bounds) *explorer[S] {
	e := &explorer[S]{model: m, asked: b.Cost, states: maxStates, depth: math.MaxInt}
	if b.States > 0 {
		e.states = min(b.States, maxStates)
	}
	if b.Depth > 0 {
		e.depth = b.Depth
	}
	e.limit = min(max(b.Cost, 0), maxCost)
	e.keys, e.steps, e.looks = newIndex[S](), newIndex[uint64](), newIndex[uint64]()
	e.queue = newQueue(e.limit)
	e.net = net{limit: e.limit, partial: none}
	return e
}

func (e *explorer[S]) run(ctx context.Context) {
	e.model.Init(e.root)
	step := e.step // one closure for the whole search
	for turn := 0; !e.full; turn++ {
		if turn%1024 == 0 && ctx.Err() != nil {
			e.hit.interrupted = context.Cause(ctx)
			return
		}
		v, p, ok := e.queue.pop()
		if !ok {
			return
		}
		if e.net.ways.get(v).at == p {
			e.expand(v, p, step)
		}
	}
}

func (e *explorer[S]) root(s S) {
	_, slot, found := e.keys.find(s)
	if found || !e.room() {
		return
	}
	v := e.add(s, slot)
	e.net.roots = append(e.net.roots, v)
	e.net.ways.set(v, way{at: 0, parent: none})
	e.queue.push(v, 0)
}

// expand takes all steps of v. A state at the bound of depth with a step beyond it counts as not expanded at all: its steps
// have led to nothing new, so none of its edges is part of a way.
func (e *explorer[S]) expand(v uint32, p place, step func(Step, S)) {
	e.from, e.state, e.here, e.deep = v, e.keys.keys.get(v), p, false
	first := e.net.edges.n
	e.model.Next(e.state, step)
	if e.deep {
		e.net.edges.cut(first)
		e.hit.depth = true
		return
	}
	if e.full {
		e.net.partial = v
	}
	n := e.net.nodes.get(v)
	n.first, n.last = first, e.net.edges.n
	e.net.nodes.set(v, n)
}

// step is one step of the state that is being expanded.
func (e *explorer[S]) step(s Step, t S) {
	if t == e.state {
		return
	}
	if cost := e.here.cost() + int(s.Cost); cost > e.limit {
		e.hit.cost = e.hit.cost || cost <= e.asked
		return
	}
	p := e.here.after(s.Cost)
	v, slot, found := e.keys.find(t)
	closer := !found || p < e.net.ways.get(v).at
	if closer && p.depth() > e.depth {
		e.deep = true
		return
	}
	if e.net.edges.n == none-1 {
		e.full, e.hit.edges = true, true
		return
	}
	if !found {
		if !e.room() {
			return
		}
		v = e.add(t, slot)
	}
	e.net.edges.add(edge{to: v, step: e.number(s)})
	if closer {
		e.net.ways.set(v, way{at: p, parent: e.from})
		e.queue.push(v, p)
	}
}

// room says whether one more state may be kept, and ends the search if not.
func (e *explorer[S]) room() bool {
	if int(e.keys.keys.n) < e.states {
		return true
	}
	e.full, e.hit.states = true, true
	return false
}

// add keeps a state that find has not found.
func (e *explorer[S]) add(s S, slot uint32) uint32 {
	v := e.keys.add(s, slot)
	e.net.nodes.add(node{look: e.holds(s), first: none, last: none})
	e.net.ways.add(way{at: nowhere, parent: none})
	return v
}

// number is the number of a step. A model has few different ones.
func (e *explorer[S]) number(s Step) uint32 {
	key := uint64(s.Label)<<16 | uint64(s.Actor)<<8 | uint64(s.Cost)
	n, slot, found := e.steps.find(key)
	if !found {
		n = e.steps.add(key, slot)
		e.net.steps = append(e.net.steps, s)
	}
	return n
}

// holds is the number of what holds in a state.
func (e *explorer[S]) holds(s S) uint32 {
	look := e.model.Look(s)
	n, slot, found := e.looks.find(look)
	if !found {
		n = e.looks.add(look, slot)
		e.net.looks = append(e.net.looks, look)
	}
	return n
}

func (e *explorer[S]) graph() *Graph[S] {
	reached := e.reached()
	return &Graph[S]{
		Complete: len(reached) == 0,
		Bound:    strings.Join(reached, ", "),
		Err:      e.hit.interrupted,
		States:   int(e.keys.keys.n),
		Edges:    int(e.net.edges.n),
		net:      e.net,
		keys:     e.keys.keys,
	}
}

func (e *explorer[S]) reached() []string {
	var words []string
	if e.hit.states {
		words = append(words, fmt.Sprintf("%d states", e.states))
	}
	if e.hit.edges {
		words = append(words, fmt.Sprintf("%d edges", e.net.edges.n))
	}
	if e.hit.depth {
		words = append(words, fmt.Sprintf("depth %d", e.depth))
	}
	if e.hit.cost {
		words = append(words, fmt.Sprintf("cost %d", e.limit))
	}
	if e.hit.interrupted != nil {
		words = append(words, fmt.Sprintf("interrupted: %v", e.hit.interrupted))
	}
	return words
}
