package proof_test

import (
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/proof"
)

// moves are the rows of docs/semantics.md C3: an object moves from one unit (config) to another (api) by one commit.
var moves = []row{
	{"C3.2 prune on [A4.2, C1.4, D4.2]", moved(false), proof.Race, adoptedLate, adoptedLate, nil},
	{
		"C3.2 a workload moves [A4.2, C1.4]", workMoves(), proof.Race,
		[]string{"{} absent transient silent", "{refused} absent sticky visible", "{stuck} absent sticky visible"}, nil, nil,
	},
	{
		"C3.3 prune off [A4.7, A5.1]",
		with(moved(false), func(c *delivery.Case) { c.Units[config].Prune = false }), proof.Safe, nil, nil, nil,
	},
	{
		"C3.3 beside something that changes, prune off [A4.7]", with(moved(false), func(c *delivery.Case) {
			c.Units[config].Prune = false
			c.Objects = append(c.Objects, object(delivery.Plain, delivery.Place{Rank: 40, Kind: 5}, nil, contents{1, 2}))
		}), proof.Safe, nil, nil, nil,
	},
	{
		"C3.3 Prune=false [A4.6]", with(moved(false), func(c *delivery.Case) { c.Objects[configMap].NoPrune = true }), proof.Safe, nil, nil, nil,
	},
	{
		"C3.4 nobody heals: deleted after it was adopted, and gone [A4.4, A5.3]", with(moved(false), unhealed), proof.Race,
		[]string{"{} absent sticky visible", "{churn} blocked sticky visible"}, nil, nil,
	},
	{
		"C3.5 bytes change, prune off, the old owner heals [A5.6, B3]",
		with(moved(true), func(c *delivery.Case) { c.Units[config].Prune = false }), proof.Race,
		[]string{"{} skew sticky silent"}, nil, nil,
	},
	{
		"C3.6 FailOnSharedResource on the new owner [C2.2]",
		with(moved(false), func(c *delivery.Case) { c.Units[api].FailOnShared = true }), proof.Race,
		[]string{"{} absent sticky visible", "{churn} blocked sticky visible"}, nil, nil,
	},
	{
		"C3.7 PruneLast [A4.3, B6]", with(moved(false), func(c *delivery.Case) { c.Objects[configMap].PruneLast = true }), proof.Race,
		adoptedLate, nil, nil,
	},
	{
		"C5.6 the old owner does not heal, prune off [C3.5]", with(moved(true), unhealed, func(c *delivery.Case) {
			c.Units[config].Prune = false
		}), proof.Fragile, []string{"{manual} skew sticky visible", "{refused} skew sticky silent", "{stale-kubelet} skew sticky silent"}, nil, nil,
	},
}

func unhealed(c *delivery.Case) { c.Units[api].SelfHeal, c.Units[config].SelfHeal = false, false }

func workMoves() *delivery.Case {
	c := split(fits)
	c.Objects[rollout].Render = []contents{{1, 0}, {0, 1}}
	c.Objects[rollout].Needed = true
	c.Objects[configMap].Render = []contents{nil, {1, 1}}
	return c
}

// events are steps of a run, in short.
func events(all ...delivery.Event) []delivery.Event { return all }

func observed(u int) delivery.Event {
	return delivery.Event{Deed: delivery.Observed, Unit: u, Number: 1}
}
func started(u int) delivery.Event { return delivery.Event{Deed: delivery.Started, Unit: u, Number: 1} }
func applied(u, o, content int) delivery.Event {
	return delivery.Event{Deed: delivery.Applied, Unit: u, Object: o, Number: content}
}

// run takes steps, each of which has to be possible.
func run(t *testing.T, c *delivery.Case, all []delivery.Event) *delivery.Run {
	t.Helper()
	r := delivery.NewRun(c)
	for i, e := range all {
		if !r.Take(e) {
			t.Fatalf("step %d, %+v, is not possible: %+v", i+1, e, r.Possible())
		}
	}
	return r
}

func starts(r *delivery.Run, u int) bool {
	return slices.ContainsFunc(r.Possible(), func(e delivery.Event) bool {
		return e.Unit == u && (e.Deed == delivery.Started || e.Deed == delivery.Healing)
	})
}

// The new owner syncs first: the old one does not see the object any more, and nothing is missing in between [C3.1].
func TestTheNewOwnerFirst(t *testing.T) {
	r := run(t, moved(false), events(observed(api), started(api), applied(api, configMap, 1), applied(api, rollout, 1), observed(config)))
	if starts(r, config) {
		t.Error("the old owner starts an operation")
	}
	if r.Look()&(delivery.Absent|delivery.Blocked) != 0 || r.Look()&delivery.Done == 0 {
		t.Errorf("the move ends in %b", r.Look())
	}
}

// A wave behind a canary keeps the operation open for as long as it is paused, and the next commit out [H2.10].
func TestAPausedCanaryKeepsCommitsOut(t *testing.T) {
	behind := func(wave int16) *delivery.Case {
		c := together(fits)
		c.Last = 2
		c.Objects[rollout].Render, c.Objects[configMap].Render = []contents{{1, 2, 2}}, []contents{{1, 1, 2}}
		c.Objects = append(c.Objects, object(delivery.Rest, delivery.Place{Wave: wave, Rank: 255, Kind: 255}, contents{1, 1, 1}))
		return c
	}
	second := []delivery.Event{{Deed: delivery.Pushed, Number: 2}, {Deed: delivery.Observed, Number: 2}}
	first := events(observed(api), started(api), applied(api, configMap, 1), applied(api, rollout, 2))
	if starts(run(t, behind(1), slices.Concat(first, second)), api) {
		t.Error("with a wave behind the canary the next commit is deployed")
	}
	if !starts(run(t, behind(0), slices.Concat(first, events(applied(api, 2, 1)), second)), api) {
		t.Error("with the canary in the last wave the next commit is kept out")
	}
}

func TestMoves(t *testing.T) {
	for _, tc := range moves {
		t.Run(tc.name, func(t *testing.T) { tc.hold(t) })
	}
}
