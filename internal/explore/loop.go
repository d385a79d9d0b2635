package explore

import "slices"

// loop goes from start through its fair component and back, so that going round for ever is fair: each actor that has a step
// in all states on the way takes one. It walks to the nearest place where something that is still owed is paid, again and
// again, and then home. The steps, and the states behind each of them.
func (g *net) loop(part []uint32, start uint32) (steps []Step, path []int) {
	r := rounds{net: g, part: part, from: make([]hop, len(part))}
	for i := range r.from {
		r.from[i].edge = none
	}
	v := start
	owed := g.enabled(v)
	for !owed.empty() {
		leg := r.leg(v, func(e edge) bool { return owed.has(g.step(e).Actor) || owed.and(g.enabled(e.to)) != owed })
		if leg == nil {
			break // cannot be: the component would not be fair
		}
		for _, e := range leg {
			owed.remove(g.step(e).Actor)
			owed = owed.and(g.enabled(e.to))
			steps, path, v = append(steps, g.step(e)), append(path, int(e.to)), e.to
		}
	}
	if v != start {
		for _, e := range r.leg(v, func(e edge) bool { return e.to == start }) {
			steps, path = append(steps, g.step(e)), append(path, int(e.to))
		}
	}
	return steps, path
}

// rounds searches within one component, several times.
type rounds struct {
	net  *net
	part []uint32
	from []hop // by state, how this search came there; edge none: it did not
}

type hop struct{ state, edge uint32 }

// leg is a shortest row of edges from v that ends with one that will do.
func (r *rounds) leg(v uint32, do func(edge) bool) []edge {
	seen := []uint32{v}
	r.from[v] = hop{state: none, edge: 0}
	defer func() {
		for _, w := range seen {
			r.from[w].edge = none
		}
	}()
	for head := 0; head < len(seen); head++ {
		u := seen[head]
		n := r.net.nodes.get(u)
		for i := n.first; i < n.last; i++ {
			e := r.net.edges.get(i)
			if r.net.step(e).Cost > 0 || r.part[e.to] != r.part[u] {
				continue
			}
			if do(e) {
				return r.back(u, e)
			}
			if r.from[e.to].edge == none {
				r.from[e.to] = hop{state: u, edge: i}
				seen = append(seen, e.to)
			}
		}
	}
	return nil
}

// back is the row of edges that led to u, and e.
func (r *rounds) back(u uint32, e edge) []edge {
	leg := []edge{e}
	for h := r.from[u]; h.state != none; h = r.from[h.state] {
		leg = append(leg, r.net.edges.get(h.edge))
	}
	slices.Reverse(leg)
	return leg
}
