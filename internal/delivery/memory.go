package delivery

import "slices"

// A kubelet that is late has an earlier content of its object, and an undo an earlier template: one that was live before.
// Where an object only ever goes from r0's content to r1's, what was live before is known from what is live now. Else the
// state remembers it: where a content may come back, or be skipped.

// trace is a content of an object that a state remembers to have been live.
type trace struct {
	object  int
	content Content
}

// maxTraces is how many a state remembers.
const maxTraces = 8

// traces are what the states of a case remember.
func (c *Case) traces() []trace {
	var out []trace
	for o := range c.Objects {
		if !c.comesBack(o) {
			continue
		}
		first, _ := c.at(o, 0)
		for _, content := range c.contents(o) {
			if content != first {
				out = append(out, trace{o, content})
			}
		}
	}
	return out
}

// comesBack tells whether an earlier content of an object is read by somebody, and which ones were live is not plain.
func (c *Case) comesBack(o int) bool {
	read := c.workload(o) != None
	if p := c.Pair.Workload; p != None {
		read = read || slices.ContainsFunc(c.Workloads[p].Templates, func(t Template) bool { return t.Provider == o })
	}
	return read && (c.Last > 1 && len(c.contents(o)) > 1 || len(c.contents(o)) > 1 && c.owners(o) > 1)
}

// contents are the contents that an object has at any revision, by any unit.
func (c *Case) contents(o int) []Content {
	for c.Objects[o].Derived {
		o = c.Objects[o].Watch
	}
	var out []Content
	for _, row := range c.Objects[o].Render {
		for _, content := range row {
			if content != 0 && !slices.Contains(out, content) {
				out = append(out, content)
			}
		}
	}
	slices.Sort(out)
	return out
}

// owners is the number of units that render an object at any revision.
func (c *Case) owners(o int) int {
	for c.Objects[o].Derived {
		o = c.Objects[o].Watch
	}
	n := 0
	for u := range c.Objects[o].Render {
		if slices.ContainsFunc(c.Objects[o].Render[u], func(content Content) bool { return content != 0 }) {
			n++
		}
	}
	return n
}

// written remembers what an object has now.
func (m *machine) written(n *world, o int) {
	for i, t := range m.traces {
		if t.object == o && t.content == n.live[o] {
			n.been |= 1 << i
		}
	}
}

// was tells whether a content of an object was live before the one that it has now.
func (m *machine) was(w *world, o int, content Content) bool {
	if content == w.live[o] {
		return false
	}
	for i, t := range m.traces {
		if t.object == o && t.content == content {
			return w.been>>i&1 == 1
		}
	}
	return content == m.firsts[o]
}
