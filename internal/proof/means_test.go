package proof_test

import (
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/proof"
)

// means are what people do to keep an order, beside those in named: the smallest cases of each. What is left was typed by hand
// from the facts that their names cite.
var means = []row{
	{
		"1 with an orchestrator that compares revisions [B11.2]", orchestrated(addsMethod), proof.Fragile, // as behind a barrier
		[]string{"{manual} skew sticky silent", "{stale-kubelet} skew sticky silent"}, nil, nil,
	},
	{
		"2 with an orchestrator [B11.2, H1.1]", orchestrated(changesType), proof.Fragile,
		[]string{
			"{abort} skew sticky visible", "{churn} skew transient silent", "{manual} skew sticky silent",
			"{reload} skew transient silent", "{stale-kubelet} skew sticky silent", "{undo} skew sticky visible", // nobody heals
		}, nil, nil,
	},
	{
		"the descriptor first, and the image once it has arrived [B11.4]", inTurn(addsMethod), proof.Fragile,
		[]string{"{stale-kubelet} skew sticky silent"}, nil, nil,
	},
	{
		"the same with another type: pods that are made anew in between read it [H1.1]", inTurn(changesType), proof.Fragile,
		[]string{
			"{abort} skew sticky visible", "{churn} skew transient silent", "{reload} skew transient silent",
			"{stale-kubelet} skew sticky silent", "{undo} skew transient visible",
		}, nil, nil,
	},
	{
		"1 with a reloader [D5.6]", reloaded(addsMethod), proof.Fragile, // for as long as the descriptor does not come, nothing reloads
		[]string{"{refused} skew sticky visible", "{stale-kubelet} skew sticky silent", "{stuck} skew sticky visible"}, nil, nil,
	},
	{
		"2 with a reloader: the old image with the new descriptor, everywhere [D5.6]", reloaded(changesType), proof.Race,
		[]string{"{} skew transient silent", "{refused} skew sticky visible", "{stale-kubelet} skew sticky silent", "{stuck} skew sticky visible", "{abort} skew sticky visible"},
		nil, nil,
	},
}

func orchestrated(change func(int, delivery.Content) delivery.Outcome) *delivery.Case {
	c := split(change)
	for u := range c.Units {
		c.Units[u].Automated, c.Units[u].SelfHeal = false, false
	}
	c.Units[config].Step, c.Units[api].Step, c.Serial = 1, 2, true
	return c
}

// inTurn is two commits, the second of which waits for the first.
func inTurn(change func(int, delivery.Content) delivery.Outcome) *delivery.Case {
	c := split(change)
	c.Last, c.Waits = 2, true
	c.Objects[rollout].Render = []contents{{1, 1, 2}, nil}
	c.Objects[configMap].Render = []contents{nil, {1, 2, 2}}
	return c
}

func reloaded(change func(int, delivery.Content) delivery.Outcome) *delivery.Case {
	c := split(change)
	c.Workloads[0].Reloader = true
	return c
}

func TestMeans(t *testing.T) {
	for _, tc := range means {
		t.Run(tc.name, func(t *testing.T) { tc.hold(t) })
	}
}
