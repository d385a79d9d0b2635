package delivery_test

import (
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/explore"
)

// BenchmarkSteps makes all steps of all states: of a split pair, and of one with a filter (cases 2 and 16).
func BenchmarkSteps(b *testing.B) {
	for _, bc := range []struct {
		name string
		c    *delivery.Case
	}{{"2", shapes()["2"]}, {"16", shapes()["16, filter last"]}} {
		b.Run(bc.name, func(b *testing.B) { benchmarkSteps(b, bc.c) })
	}
}

func benchmarkSteps(b *testing.B, c *delivery.Case) {
	m := delivery.New[delivery.Key32](c)
	if c.KeySize() > 32 {
		b.Fatalf("%d bytes", c.KeySize())
	}
	g := explore.Search(b.Context(), m, explore.Bounds{Cost: 2})
	steps := 0
	count := func(explore.Step, delivery.Key32) { steps++ }
	b.ReportAllocs()
	for b.Loop() {
		for i := range g.States {
			m.Next(g.State(i), count)
		}
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}

// Making steps costs no memory.
func TestStepsDoNotAllocate(t *testing.T) {
	for name, c := range shapes() {
		m := delivery.New[delivery.Key64](c)
		g := explore.Search(t.Context(), m, explore.Bounds{Cost: 1})
		next := func(explore.Step, delivery.Key64) {}
		if n := testing.AllocsPerRun(10, func() {
			for i := range g.States {
				m.Next(g.State(i), next)
				m.Look(g.State(i))
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations for %d states", name, n, g.States)
		}
	}
}
