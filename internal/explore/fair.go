package explore

// Why it is enough to look at maximal components.
//
// A run that never ends takes finitely many unusual steps, so from some point on it takes ordinary ones only. Let I be the
// states that it visits again and again. Any two states of I reach each other through I, so I lies in one maximal strongly
// connected component C of the ordinary edges among the states where the run may be. If the run is fair, then for each actor
// there is an edge of that actor between states of I, or a state of I where the actor has no ordinary step; the same edge or
// state is in C. So C is fair: for each actor it holds an edge of that actor, or a state where that actor has no step.
// Conversely, if C is fair, a run that goes round all its edges for ever is fair, and visits every state of C again and
// again. Hence there is a fair run that stays inside (or meets a state again and again) exactly if there is a fair maximal
// component (that holds the state). Smaller parts need no look. That would be wrong for strong fairness, where being
// enabled now and then is enough to be owed a step.
//
// A lone state without a way back is the same formula: it holds no edge, so every actor must be without a step in it.
//
// What an actor can do is judged in the whole model: a step that leaves the component, or leads to a state that the question
// avoids, is owed all the same. Where the search ended before all steps of a state were known, every actor counts as having
// one: so a fair component is fair in whatever the rest of the graph is.

// actors is a set of actors.
type actors [4]uint64

func (a *actors) add(x uint8)     { a[x/64] |= 1 << (x % 64) }
func (a *actors) remove(x uint8)  { a[x/64] &^= 1 << (x % 64) }
func (a actors) has(x uint8) bool { return a[x/64]>>(x%64)&1 != 0 }
func (a actors) empty() bool      { return a == actors{} }

func (a actors) minus(b actors) actors {
	for i := range a {
		a[i] &^= b[i]
	}
	return a
}

func (a actors) and(b actors) actors {
	for i := range a {
		a[i] &= b[i]
	}
	return a
}

func everyone() actors { return actors{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)} }

// enabled are the actors with an ordinary step in v; all, if that is not known.
func (g *net) enabled(v uint32) actors {
	if !g.whole(v) {
		return everyone()
	}
	var a actors
	n := g.nodes.get(v)
	for i := n.first; i < n.last; i++ {
		if s := g.step(g.edges.get(i)); s.Cost == 0 {
			a.add(s.Actor)
		}
	}
	return a
}

// fair says whether some fair run stays among the members of one component.
func (g *net) fair(members []uint32, part []uint32) bool {
	owed := everyone()
	var taken actors
	for _, v := range members {
		owed = owed.and(g.enabled(v))
		n := g.nodes.get(v)
		for i := n.first; i < n.last; i++ {
			e := g.edges.get(i)
			if s := g.step(e); s.Cost == 0 && part[e.to] == part[v] {
				taken.add(s.Actor)
			}
		}
	}
	return owed.minus(taken).empty()
}

// components finds the maximal strongly connected components of the ordinary edges among the states inside, and shows each.
// What it gives back tells components apart by state: two states inside are in one component if they have the same number.
// States outside have the number none.
//
// This is Tarjan's algorithm as Pearce arranged it (2016): one number a state. While a component is open it is the time of
// the first visit, or the earliest that is known to be reachable; once closed it is a number above all times. A state outside
// looks like a closed one.
func (g *net) components(inside func(uint32) bool, show func(members, part []uint32)) []uint32 {
	w := walk{net: g, rank: make([]uint32, g.nodes.n), part: none - 1, show: show}
	for v := range g.nodes.n {
		if !inside(v) {
			w.rank[v] = none
		}
	}
	for v := range g.nodes.n {
		if w.rank[v] == 0 {
			w.from(v)
		}
	}
	return w.rank
}

// walk is one depth-first search for components. It keeps its own stack: a chain of states may be as long as memory is large.
type walk struct {
	net  *net
	rank []uint32
	time uint32 // of the last visit
	part uint32 // number of the next component
	open []visit
	done []uint32 // visited, and waiting for the state that closes their component
	show func(members, part []uint32)
}

type visit struct {
	v, next, last uint32
	reaches       bool // a state that was visited earlier and is still open
}

func (w *walk) from(v uint32) {
	w.visit(v)
	for len(w.open) > 0 {
		top := &w.open[len(w.open)-1]
		if top.next == top.last {
			w.leave(*top)
			continue
		}
		e := w.net.edges.get(top.next)
		if w.net.step(e).Cost == 0 {
			if w.rank[e.to] == 0 {
				w.visit(e.to) // this edge is looked at again when that visit has ended
				continue
			}
			if w.rank[e.to] < w.rank[top.v] {
				w.rank[top.v] = w.rank[e.to]
				top.reaches = true
			}
		}
		top.next++
	}
}

func (w *walk) visit(v uint32) {
	w.time++
	w.rank[v] = w.time
	n := w.net.nodes.get(v)
	w.open = append(w.open, visit{v: v, next: n.first, last: n.last})
}

func (w *walk) leave(f visit) {
	w.open = w.open[:len(w.open)-1]
	if f.reaches {
		w.done = append(w.done, f.v)
		return
	}
	k := len(w.done)
	for k > 0 && w.rank[f.v] <= w.rank[w.done[k-1]] {
		k--
	}
	members := append(w.done[k:], f.v)
	for _, v := range members {
		w.rank[v] = w.part
	}
	w.part--
	w.done = w.done[:k]
	w.show(members, w.rank)
}
