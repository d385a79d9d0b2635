package explore

// Steps shows the steps out of the state with number i, in the model's order: all of them if the graph is complete and the
// cost of the state leaves room for them.
func (g *Graph[S]) Steps(i int, yield func(s Step, to int)) {
	n := g.net.nodes.get(uint32(i))
	if n.first == none {
		return
	}
	for e := n.first; e < n.last; e++ {
		edge := g.net.edges.get(e)
		yield(g.net.step(edge), int(edge.to))
	}
}

// Lasting tells of every state, by number, whether a run that is there can be of the kind that a query asks for from then on
// without an unusual step: for Always, it lies in a fair component of wanted states; for Often, it is a wanted state in a
// fair component. How the state is reached, and with which steps, is not asked. For Ever these are the wanted states.
func (g *Graph[S]) Lasting(q Query) []bool {
	out := make([]bool, g.States)
	wanted := func(v uint32) bool { return q.wants(g.net.look(v)) && g.net.look(v)&q.Avoid == 0 }
	if q.When == Ever {
		for v := range out {
			out[v] = wanted(uint32(v))
		}
		return out
	}
	inside := func(v uint32) bool { return g.net.look(v)&q.Avoid == 0 && (q.When == Often || wanted(v)) }
	g.net.components(inside, func(members, part []uint32) {
		if !g.net.fair(members, part) {
			return
		}
		for _, v := range members {
			out[v] = wanted(v)
		}
	})
	return out
}
