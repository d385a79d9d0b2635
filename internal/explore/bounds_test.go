package explore_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/syncproof/syncproof/internal/explore"
)

func TestBounds(t *testing.T) {
	ring := "start a\na>b x\nb>c x\nc>d x\nd>a x\nb>d y!"
	tests := []struct {
		name, model   string
		bounds        explore.Bounds
		states, edges int
		bound         string
	}{
		{"none", ring, explore.Bounds{Cost: 1}, 4, 5, ""},
		{"unusual steps beyond the cost are not asked for", ring, explore.Bounds{}, 4, 4, ""},
		{"a negative cost is none", ring, explore.Bounds{Cost: -1}, 4, 4, ""},
		{"as many states as there are", ring, explore.Bounds{States: 4}, 4, 4, ""},
		{"one state fewer", ring, explore.Bounds{States: 3}, 3, 2, "3 states"},
		{"fewer states than starts", "start a\nstart b\nstart c", explore.Bounds{States: 2}, 2, 0, "2 states"},
		{"the same start twice", "start a\nstart b\nstart a", explore.Bounds{States: 2}, 2, 0, ""},
		{"as deep as there are states", ring, explore.Bounds{Depth: 3}, 4, 4, ""},
		{"not as deep", ring, explore.Bounds{Depth: 2}, 3, 2, "depth 2"},
		{"no step at all", ring, explore.Bounds{Depth: 1}, 2, 1, "depth 1"},
		{"cheaper but deeper than may be", "start a\na>b x\nb>c x\na>c y!\nc>d z", explore.Bounds{Cost: 1, Depth: 1}, 3, 2, "depth 1"},
		{"depth and states", "start a\na>b x\nb>c x\na>d x!\na>e x!\na>f x!", explore.Bounds{Cost: 1, Depth: 1, States: 4}, 4, 3, "4 states"},
		{"states after depth", "start a\na>b x\nb>c x\na>d x!\nd>e x", explore.Bounds{Cost: 1, Depth: 1}, 3, 2, "depth 1"},
		{"no initial state", "a>b x", explore.Bounds{}, 0, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := explore.Search(t.Context(), parse(t, tt.model), tt.bounds)
			if g.States != tt.states || g.Edges != tt.edges || g.Bound != tt.bound || g.Complete != (tt.bound == "") || g.Err != nil {
				t.Errorf("%d states, %d edges, %q, complete %t, %v; want %d, %d, %q", g.States, g.Edges, g.Bound, g.Complete, g.Err,
					tt.states, tt.edges, tt.bound)
			}
		})
	}
}

// TestNothingIsClaimedOfWhatWasNotSeen: where not all steps of a state are known, a harm does not count as staying.
func TestNothingIsClaimedOfWhatWasNotSeen(t *testing.T) {
	always := explore.Query{Mask: harm, Want: harm, When: explore.Always}
	tests := []struct {
		name, model string
		bounds      explore.Bounds
		query       explore.Query
		want        string
	}{
		{"at the bound of depth", "start a\na>b x\nb: h\nb>c y", explore.Bounds{Depth: 1}, always, "no"},
		{"at the bound of states", "start a\na>b x\nb: h\nb>c y", explore.Bounds{States: 2}, always, "no"},
		{"not expanded", "start a\na>b x\na>c x\nb>d y\nc: h\nc>e y", explore.Bounds{States: 3}, always, "no"},
		// y could leave in b, but the search ended just before that step.
		{"in the middle of a state", "start a\na: h\nb: h\na>b x\na>c y\nb>a x\nb>d y", explore.Bounds{States: 3}, always, "no"},
		{"the same seen whole", "start a\na: h\nb: h\na>b x\na>c y\nb>a x\nb>d y", explore.Bounds{}, always, "no"},
		{"real all the same", "start a\na: h\na>b x\nb: h\nb>a x\nb>c y", explore.Bounds{States: 2}, always, "0:  | a>b x, b>a x"},
		{"reached all the same", "start a\na>b x\nb: h\nb>c y", explore.Bounds{States: 2}, explore.Query{Mask: harm, Want: harm}, "0: a>b x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := parse(t, tt.model)
			g := explore.Search(t.Context(), m, tt.bounds)
			if g.Complete != (tt.bounds == explore.Bounds{}) {
				t.Errorf("complete: %t", g.Complete)
			}
			if got := m.write(g.Ask(tt.query)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// endless has a state for every number.
type endless struct{ after func(n int) }

func (endless) Init(yield func(int)) { yield(0) }

func (m endless) Next(s int, yield func(explore.Step, int)) {
	m.after(s)
	yield(explore.Step{}, s+1)
	yield(explore.Step{Cost: 1}, -s-1)
}

func (endless) Look(s int) uint64 { return uint64(s) }

func TestInterrupted(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	g := explore.Search[int](ctx, endless{func(n int) {
		if n == 5000 {
			cancel(why)
		}
	}}, explore.Bounds{})
	if g.Complete || g.Bound != "interrupted: enough" || !errors.Is(g.Err, why) || g.States < 5000 || g.States > 7000 {
		t.Errorf("%d states, complete %t, %q, %v", g.States, g.Complete, g.Bound, g.Err)
	}
	if a := g.Ask(explore.Query{Mask: ^uint64(0), Want: 4321}); len(a.Trace) != 4321 {
		t.Errorf("what was found is lost: %d steps", len(a.Trace))
	}
}

func TestInterruptedBeforeItBegan(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g := explore.Search[int](ctx, endless{func(int) { t.Error("a state was expanded") }}, explore.Bounds{})
	if g.Complete || g.States != 1 || !errors.Is(g.Err, context.Canceled) {
		t.Errorf("%d states, complete %t, %v", g.States, g.Complete, g.Err)
	}
}

// towers are the numbers below 200, one step apart; each step costs what the model says.
type towers struct{ cost uint8 }

func (towers) Init(yield func(int)) { yield(0) }

func (m towers) Next(s int, yield func(explore.Step, int)) {
	if s < 199 {
		yield(explore.Step{Cost: m.cost}, s+1)
	}
}

func (towers) Look(s int) uint64 { return uint64(s) }

func TestCostBeyondWhatIsKept(t *testing.T) {
	for _, tt := range []struct {
		step          uint8
		asked, states int
		bound         string
	}{
		{1, 62, 63, ""},
		{1, 63, 64, ""},
		{1, 64, 64, "cost 63"},
		{1, 100000, 64, "cost 63"},
		{255, 100000, 1, "cost 63"},
		{255, 254, 1, ""},
		{0, 100000, 200, ""},
	} {
		g := explore.Search[int](t.Context(), towers{tt.step}, explore.Bounds{Cost: tt.asked})
		if g.States != tt.states || g.Bound != tt.bound || g.Complete != (tt.bound == "") {
			t.Errorf("steps of %d, cost %d: %d states, %q; want %d, %q", tt.step, tt.asked, g.States, g.Bound, tt.states, tt.bound)
		}
	}
}

// TestSameModelSameGraph: the table of states is seeded anew at each search, and that shows nowhere.
func TestSameModelSameGraph(t *testing.T) {
	var generated int
	for _, b := range []explore.Bounds{{}, {States: 30000}, {Depth: 12}} {
		first := explore.Search[ledger](t.Context(), commit{6, &generated}, b)
		second := explore.Search[ledger](t.Context(), commit{6, &generated}, b)
		if !reflect.DeepEqual(first, second) {
			t.Errorf("%+v: two searches differ", b)
		}
		for _, when := range []explore.When{explore.Ever, explore.Always, explore.Often} {
			q := explore.Query{Mask: allAborted, Want: allAborted, When: when}
			if a := first.Ask(q); !a.Found || !reflect.DeepEqual(a, second.Ask(q)) {
				t.Errorf("%+v: two answers differ or nothing was found: %v", b, a)
			}
		}
	}
}

// TestLargeEnoughForSeveralChunks: a long chain crosses every limit inside, and takes back edges at the bound of depth.
func TestLargeEnoughForSeveralChunks(t *testing.T) {
	for _, depth := range []int{0, 8191, 8192, 8193, 20000} {
		g := explore.Search[int](t.Context(), chain(40000), explore.Bounds{Depth: depth})
		last := 39999
		if depth > 0 {
			last = depth
		}
		a := g.Ask(explore.Query{Mask: ^uint64(0), Want: uint64(last)})
		if g.Complete != (depth == 0) || g.States != last+1 || g.Edges != 2*last-1 || !a.Found || len(a.Trace) != last {
			t.Errorf("depth %d: %d states, %d edges, complete %t, %d steps", depth, g.States, g.Edges, g.Complete, len(a.Trace))
		}
		a = g.Ask(explore.Query{Mask: ^uint64(0), Want: uint64(last), When: explore.Always})
		if a.Found != (depth == 0) {
			t.Errorf("depth %d: ends there: %t", depth, a.Found)
		}
		// Step by step to the last state that one can go back from, and back: both actors are served.
		a = g.Ask(explore.Query{Mask: ^uint64(0), Want: uint64(last - 1), When: explore.Often})
		if !a.Found || len(a.Trace) != last-1 || len(a.Loop) != last {
			t.Errorf("depth %d: round and round: %t, %d steps and %d", depth, a.Found, len(a.Trace), len(a.Loop))
		}
	}
}

// chain is the numbers below it in a row. From each one can also go back to the start.
type chain int

func (chain) Init(yield func(int)) { yield(0) }

func (m chain) Next(s int, yield func(explore.Step, int)) {
	if s+1 < int(m) {
		yield(explore.Step{Actor: 1}, 0)
		yield(explore.Step{Actor: 0}, s+1)
	}
}

func (chain) Look(s int) uint64 { return uint64(s) }
