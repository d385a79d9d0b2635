package explore_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/explore"
)

func FuzzSearch(f *testing.F) {
	chance := rand.New(rand.NewPCG(1, 2))
	for range 64 {
		f.Add(random(chance))
	}
	f.Fuzz(compare)
}

// TestReference compares with the reference without a fuzzer: models large and small, dense and sparse.
func TestReference(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 4))
	for range 4000 {
		compare(t, random(chance))
	}
}

func random(chance *rand.Rand) []byte {
	data := make([]byte, 4+chance.IntN(70))
	for i := range data {
		data[i] = byte(chance.Uint32())
	}
	return data
}

// compare puts every kind of question to a model, and checks each answer against the reference and step by step.
func compare(t *testing.T, data []byte) {
	m := build(data)
	g := explore.Search(t.Context(), m, m.bounds)
	if again := explore.Search(t.Context(), m, m.bounds); !reflect.DeepEqual(g, again) {
		t.Fatalf("%v: two searches differ", m)
	}
	compareSize(t, m, g)
	odd := func(s explore.Step) bool { return s.Label%2 == 1 }
	for when := explore.Ever; when <= explore.Often; when++ {
		for mask := range uint64(4) {
			for want := range mask + 1 {
				for _, avoid := range []uint64{0, 4} {
					for _, allow := range []func(explore.Step) bool{nil, odd} {
						q := explore.Query{Mask: mask, Want: want, Avoid: avoid, When: when, Allow: allow}
						if err := check(m, g, q); err != nil {
							t.Fatalf("%+v\nquery %+v: %v", m, q, err)
						}
					}
				}
			}
		}
	}
}

// compareSize checks that a graph is complete exactly if nothing lies beyond its bounds.
func compareSize(t *testing.T, m *tiny, g *explore.Graph[int]) {
	all := m.distances(explore.Query{})
	deep := false
	for _, d := range all {
		deep = deep || m.bounds.Depth > 0 && d.depth > m.bounds.Depth
	}
	many := m.bounds.States > 0 && len(all) > m.bounds.States
	if many && !deep && g.Complete || deep && g.Complete || !many && !deep && !g.Complete {
		t.Fatalf("%+v: complete %t, %q; too many %t, too deep %t", m, g.Complete, g.Bound, many, deep)
	}
	if g.Complete && g.States != len(all) {
		t.Fatalf("%+v: %d states, want %d", m, g.States, len(all))
	}
	if m.bounds.States > 0 && g.States > m.bounds.States {
		t.Fatalf("%+v: %d states", m, g.States)
	}
	if !g.Complete {
		return
	}
	edges := 0
	for _, e := range m.edges {
		if d, ok := all[e.from]; ok && e.from != e.to && d.cost+int(e.step.Cost) <= m.bounds.Cost {
			edges++
		}
	}
	if g.Edges != edges {
		t.Fatalf("%+v: %d edges, want %d", m, g.Edges, edges)
	}
}

func check(m *tiny, g *explore.Graph[int], q explore.Query) error {
	best, found := m.answer(q)
	a := g.Ask(q)
	switch {
	case !a.Found && (found && g.Complete):
		return fmt.Errorf("not found, but there at %+v", best)
	case !a.Found && !reflect.DeepEqual(a, explore.Answer{}):
		return fmt.Errorf("not found, but %+v", a)
	case !a.Found:
		return nil
	case !found:
		return fmt.Errorf("found %+v, but there is none", a)
	}
	if d := (distance{a.Cost, len(a.Trace)}); d.less(best) || g.Complete && d != best {
		return fmt.Errorf("found at %+v, want %+v: %+v", d, best, a)
	}
	return replay(m, g, q, a)
}

// replay walks an answer step by step in the model.
func replay(m *tiny, g *explore.Graph[int], q explore.Query, a explore.Answer) error {
	if len(a.Path) != len(a.Trace)+len(a.Loop)+1 {
		return fmt.Errorf("%d states for %d and %d steps", len(a.Path), len(a.Trace), len(a.Loop))
	}
	var path []int
	for _, i := range a.Path {
		s := g.State(i)
		path = append(path, s)
		if m.looks[s]&q.Avoid != 0 || g.Look(i) != m.looks[s] {
			return fmt.Errorf("state %d is to be avoided, or %b does not hold in it", s, g.Look(i))
		}
	}
	if !slices.Contains(m.starts, path[0]) {
		return fmt.Errorf("it starts in %d", path[0])
	}
	cost := 0
	for i, s := range slices.Concat(a.Trace, a.Loop) {
		if !slices.Contains(m.edges, arc{path[i], path[i+1], s}) || path[i] == path[i+1] {
			return fmt.Errorf("step %d, %+v, does not lead from %d to %d", i, s, path[i], path[i+1])
		}
		if s.Cost > 0 && q.Allow != nil && !q.Allow(s) {
			return fmt.Errorf("step %d is not allowed", i)
		}
		cost += int(s.Cost)
	}
	if cost != a.Cost {
		return fmt.Errorf("the steps cost %d, not %d", cost, a.Cost)
	}
	end := len(a.Trace)
	if m.looks[path[end]]&q.Mask != q.Want {
		return fmt.Errorf("the trace ends in %d, which is not wanted", path[end])
	}
	if q.When == explore.Ever {
		if a.Loop != nil {
			return fmt.Errorf("a loop that nobody asked for")
		}
		return nil
	}
	return replayLoop(m, q, path[end:], a.Loop)
}

// replayLoop checks that going round for ever is a fair run of the kind that q asks for. The states of the path are those
// before, between and after the steps.
func replayLoop(m *tiny, q explore.Query, path []int, loop []explore.Step) error {
	if path[0] != path[len(path)-1] {
		return fmt.Errorf("the loop leads from %d to %d", path[0], path[len(path)-1])
	}
	var taken [4]bool
	for _, s := range loop {
		taken[s.Actor] = true
		if s.Cost > 0 {
			return fmt.Errorf("an unusual step in the loop")
		}
	}
	for actor := range uint8(4) {
		always := true
		for _, s := range path {
			can := false
			m.ordinary(func(e arc) { can = can || e.from == s && e.step.Actor == actor })
			always = always && can
		}
		if always && !taken[actor] {
			return fmt.Errorf("actor %d is owed a step", actor)
		}
	}
	for _, s := range path {
		if q.When == explore.Always && m.looks[s]&q.Mask != q.Want {
			return fmt.Errorf("the loop leaves what was asked for in %d", s)
		}
	}
	return nil
}
