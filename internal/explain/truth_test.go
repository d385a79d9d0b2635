package explain_test

import (
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/explain"
	"github.com/syncproof/syncproof/internal/proof"
)

// TestWhatIsToldIsSo plays all traces of all cases, and a few dozen walks through each.
func TestWhatIsToldIsSo(t *testing.T) {
	for _, tc := range solved(t) {
		t.Run(tc.name, func(t *testing.T) {
			s := tc.s
			for _, o := range slices.Concat(s.Openings, s.ProviderFirst, s.ConsumerFirst) {
				explain.ToldAsItIs(t, &s, o.Trace)
			}
			for seed := range uint32(80) {
				explain.ToldAsItIs(t, &s, walk(s.Case, seed, 40))
			}
		})
	}
}

// walk is a run that chooses its steps by a small generator of numbers.
func walk(c *delivery.Case, seed uint32, length int) []delivery.Event {
	run, choose := delivery.NewRun(c), chooser(seed)
	var out []delivery.Event
	for range length {
		possible := run.Possible()
		if len(possible) == 0 {
			break
		}
		e := choose(possible)
		run.Take(e)
		out = append(out, e)
	}
	return out
}

// chooser takes one of the steps that are possible.
func chooser(seed uint32) func([]delivery.Event) delivery.Event {
	return func(possible []delivery.Event) delivery.Event {
		seed = seed*1664525 + 1013904223
		return possible[int(seed>>16)%len(possible)]
	}
}

// TestWhatEndsAHarmIsTrue takes every harm of every case as far as its sentence says.
func TestWhatEndsAHarmIsTrue(t *testing.T) {
	bits := map[proof.Harm]uint64{proof.Skew: delivery.SkewCommon, proof.Absent: delivery.Absent, proof.Blocked: delivery.Blocked}
	healed, ended := 0, 0
	for _, tc := range solved(t) {
		t.Run(tc.name, func(t *testing.T) {
			s := tc.s
			for _, o := range s.Openings {
				switch {
				case o.Maybe:
				case o.Persistence == proof.Transient:
					healed++
					for seed := range uint32(20) {
						explain.HealsAsTold(t, &s, o, bits[o.Harm], chooser(seed))
					}
				case o.Persistence == proof.Sticky && o.Harm == proof.Skew && s.Case.Pair.How == delivery.AtStart && !s.Case.Pair.Inline:
					ended++
					explain.EndsAsTold(t, &s, o)
				}
			}
		})
	}
	if healed < 20 || ended < 20 {
		t.Errorf("%d harms that end by themselves and %d that stay: too few to tell", healed, ended)
	}
}
