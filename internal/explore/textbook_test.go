package explore_test

import (
	"testing"

	"github.com/syncproof/syncproof/internal/explore"
)

// jugs is the puzzle of Die Hard 3: four gallons out of a jug of three and a jug of five (tlaplus/Examples, DieHard.tla).
type jugs struct{}

type levels struct{ small, big int8 }

const (
	fillSmall = iota
	fillBig
	emptySmall
	emptyBig
	smallToBig
	bigToSmall
)

func (jugs) Init(yield func(levels)) { yield(levels{}) }

func (jugs) Next(s levels, yield func(explore.Step, levels)) {
	intoBig, intoSmall := min(s.small, 5-s.big), min(s.big, 3-s.small)
	for label, to := range []levels{
		fillSmall:  {3, s.big},
		fillBig:    {s.small, 5},
		emptySmall: {0, s.big},
		emptyBig:   {s.small, 0},
		smallToBig: {s.small - intoBig, s.big + intoBig},
		bigToSmall: {s.small + intoSmall, s.big - intoSmall},
	} {
		yield(explore.Step{Label: uint32(label)}, to)
	}
}

func (jugs) Look(s levels) uint64 {
	if s.big == 4 {
		return 1
	}
	return 0
}

func TestDieHard(t *testing.T) {
	g := explore.Search[levels](t.Context(), jugs{}, explore.Bounds{})
	if g.States != 16 || !g.Complete {
		t.Errorf("%d states (%s), want all 16", g.States, g.Bound)
	}
	a := g.Ask(explore.Query{Mask: 1, Want: 1})
	want := []uint32{fillBig, bigToSmall, emptySmall, bigToSmall, fillBig, bigToSmall}
	if !a.Found || len(a.Trace) != len(want) {
		t.Fatalf("got %v, want six steps", a)
	}
	for i, s := range a.Trace {
		if s.Label != want[i] {
			t.Errorf("step %d is %d, want %d", i+1, s.Label, want[i])
		}
	}
}

// commit is two-phase commit with n resource managers, after TwoPhase.tla of Gray and Lamport (tlaplus/Examples,
// specifications/transaction_commit). Its states are published: 288 for three managers (manifest.json: also 1146 generated,
// depth 11), 8832 for five, 50816 for six (TwoPhase.tla).
type commit struct {
	n         int
	generated *int
}

type ledger struct {
	managers [6]phase
	manager  phase  // the transaction manager
	votes    uint8  // whose Prepared the transaction manager has received
	sent     uint16 // messages: bit i: Prepared of manager i; then Commit and Abort
}

type phase uint8

const (
	working phase = iota
	prepared
	committed
	aborted
)

const (
	sentCommit = 1 << (8 + iota)
	sentAbort
)

func (m commit) Init(yield func(ledger)) {
	*m.generated++
	yield(ledger{})
}

// Next follows TPNext. The transaction manager is actor 0, manager i actor i+1.
func (m commit) Next(s ledger, yield func(explore.Step, ledger)) {
	emit := func(actor int, t ledger) {
		*m.generated++
		yield(explore.Step{Actor: uint8(actor)}, t)
	}
	if s.manager == working {
		if t := s; s.votes == 1<<m.n-1 {
			t.manager, t.sent = committed, s.sent|sentCommit
			emit(0, t)
		}
		t := s
		t.manager, t.sent = aborted, s.sent|sentAbort
		emit(0, t)
	}
	for i := range m.n {
		if t := s; s.manager == working && s.sent&(1<<i) != 0 {
			t.votes |= 1 << i
			emit(0, t)
		}
		if t := s; s.managers[i] == working {
			t.managers[i], t.sent = prepared, s.sent|1<<i
			emit(i+1, t)
			t = s
			t.managers[i] = aborted
			emit(i+1, t)
		}
		if t := s; s.sent&sentCommit != 0 {
			t.managers[i] = committed
			emit(i+1, t)
		}
		if t := s; s.sent&sentAbort != 0 {
			t.managers[i] = aborted
			emit(i+1, t)
		}
	}
}

const (
	allCommitted = 1 << iota
	allAborted
	disagree
)

func (m commit) Look(s ledger) uint64 {
	var in [4]int
	for _, p := range s.managers[:m.n] {
		in[p]++
	}
	switch {
	case in[committed] == m.n:
		return allCommitted
	case in[aborted] == m.n:
		return allAborted
	case in[committed] > 0 && in[aborted] > 0:
		return disagree
	}
	return 0
}

func TestTwoPhaseCommit(t *testing.T) {
	for _, tt := range []struct{ managers, states, steps int }{
		{3, 288, 10}, // three prepare, three votes arrive, the decision, three commit
		{5, 8832, 16},
		{6, 50816, 19},
	} {
		var generated int
		g := explore.Search[ledger](t.Context(), commit{tt.managers, &generated}, explore.Bounds{})
		if g.States != tt.states || !g.Complete {
			t.Errorf("%d managers: %d states (%s), want all %d", tt.managers, g.States, g.Bound, tt.states)
		}
		if tt.managers == 3 && generated != 1146 {
			t.Errorf("%d states generated, want 1146", generated)
		}
		if a := g.Ask(explore.Query{Mask: disagree, Want: disagree}); a.Found {
			t.Errorf("%d managers: they disagree after %v", tt.managers, a.Trace)
		}
		if a := g.Ask(explore.Query{Mask: allCommitted, Want: allCommitted}); len(a.Trace) != tt.steps {
			t.Errorf("%d managers: all committed in %d steps, want %d", tt.managers, len(a.Trace), tt.steps)
		}
		if a := g.Ask(explore.Query{Mask: allCommitted | allAborted, Want: 0, When: explore.Always}); a.Found {
			t.Errorf("%d managers: undecided for ever after %v", tt.managers, a.Trace)
		}
		if a := g.Ask(explore.Query{Mask: allAborted, Want: allAborted, When: explore.Always}); !a.Found {
			t.Errorf("%d managers: they cannot end aborted", tt.managers)
		}
	}
}

// TestDepthOfTwoPhaseCommit: 11 levels, so no state is more than ten steps away, and one is.
func TestDepthOfTwoPhaseCommit(t *testing.T) {
	for depth, want := range map[int]bool{9: false, 10: true} {
		var generated int
		g := explore.Search[ledger](t.Context(), commit{3, &generated}, explore.Bounds{Depth: depth})
		if g.Complete != want {
			t.Errorf("complete within %d steps: %t, want %t", depth, g.Complete, want)
		}
	}
}
