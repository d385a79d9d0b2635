package explore_test

import (
	"runtime"
	"testing"

	"github.com/syncproof/syncproof/internal/explore"
)

// dials are three counters that go round: size^3 states of 32 bytes, three steps out of each and three into each. The
// fourth word only makes the key wide.
type dials struct{ size uint64 }

type reading [4]uint64

func (dials) Init(yield func(reading)) { yield(reading{}) }

func (m dials) Next(s reading, yield func(explore.Step, reading)) {
	for i := range 3 {
		t := s
		t[i]++
		if t[i] == m.size {
			t[i] = 0
		}
		t[3] = t[0] ^ t[1]<<20 ^ t[2]<<40
		yield(explore.Step{Label: uint32(i), Actor: uint8(i)}, t)
	}
}

func (m dials) Look(s reading) uint64 {
	if s[0] == m.size-1 && s[1] == m.size-1 {
		return 1
	}
	return 0
}

// measured is a search with what it allocated.
type measured struct {
	graph             *explore.Graph[reading]
	live, total, many uint64 // bytes that the graph keeps, bytes and pieces allocated on the way, garbage included
}

func measure(tb testing.TB, m explore.Model[reading], b explore.Bounds) measured {
	tb.Helper()
	var before, after, kept runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	g := explore.Search(tb.Context(), m, b)
	runtime.ReadMemStats(&after)
	runtime.GC()
	runtime.ReadMemStats(&kept)
	return measured{g, kept.HeapAlloc - before.HeapAlloc, after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs}
}

// TestMemory holds the promise: with three steps a state and keys of 32 bytes at most 100 bytes a state, all that was ever
// allocated counted, and no allocation for a step.
func TestMemory(t *testing.T) {
	m := measure(t, dials{62}, explore.Bounds{}) // just after the table of states has doubled: the worst size
	states, edges := uint64(m.graph.States), uint64(m.graph.Edges)
	if states != 62*62*62 || edges != 3*states {
		t.Fatalf("%d states, %d edges", states, edges)
	}
	if m.total > 100*states {
		t.Errorf("%d bytes a state were allocated, %d are kept", m.total/states, m.live/states)
	}
	if m.many > edges/1000 {
		t.Errorf("%d allocations for %d steps", m.many, edges)
	}
}

func BenchmarkSearch(b *testing.B) {
	var m measured
	for b.Loop() {
		m = measure(b, dials{100}, explore.Bounds{})
	}
	states, edges := float64(m.graph.States), float64(m.graph.Edges)
	b.ReportMetric(edges*float64(b.N)/b.Elapsed().Seconds(), "edges/s")
	b.ReportMetric(float64(m.live)/states, "kept-B/state")
	b.ReportMetric(float64(m.total)/states, "allocated-B/state")
	b.ReportMetric(float64(m.many)/edges, "allocs/edge")
}

// BenchmarkCosts is the same with dials that are unusual to turn: most states wait in the queue of a higher cost.
func BenchmarkCosts(b *testing.B) {
	var m measured
	for b.Loop() {
		m = measure(b, unusual{dials{1000}}, explore.Bounds{Cost: 2})
	}
	b.ReportMetric(float64(m.graph.Edges)*float64(b.N)/b.Elapsed().Seconds(), "edges/s")
	b.ReportMetric(float64(m.live)/float64(m.graph.States), "kept-B/state")
	b.ReportMetric(float64(m.total)/float64(m.graph.States), "allocated-B/state")
	b.ReportMetric(float64(m.graph.States), "states")
	b.ReportMetric(float64(m.graph.Edges), "edges")
}

// unusual makes every step of the third dial cost 1.
type unusual struct{ dials }

func (m unusual) Next(s reading, yield func(explore.Step, reading)) {
	m.dials.Next(s, func(step explore.Step, t reading) {
		step.Cost = step.Actor / 2
		yield(step, t)
	})
}

func BenchmarkAsk(b *testing.B) {
	g := explore.Search[reading](b.Context(), dials{100}, explore.Bounds{})
	for _, bb := range []struct {
		name  string
		query explore.Query
	}{
		{"ever", explore.Query{Mask: 1, Want: 1}},
		{"avoid", explore.Query{Mask: 1, Want: 1, Avoid: 2}},
		{"always", explore.Query{Mask: 1, Want: 0, When: explore.Always}},
		{"often", explore.Query{Mask: 1, Want: 1, When: explore.Often}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g.Ask(bb.query)
			}
		})
	}
}
