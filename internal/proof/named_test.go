package proof_test

import (
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/proof"
)

// named are further cases that have a name: reverts, orders that people try, commits in flight, moves.
var named = []row{
	{"revert of 1", split(fits), proof.Safe, nil, nil, nil}, // the method that goes is an old call
	{
		"revert of 2", split(changesType), proof.Race,
		[]string{"{} skew sticky silent"},
		[]string{
			"{abort} skew sticky visible", "{churn} skew transient silent", "{reload} skew transient silent",
			"{stale-kubelet} skew sticky silent", "{undo} skew transient visible",
		}, nil,
	},
	{
		"waves on Applications without a health of their own", appOfApps(false), proof.Race,
		[]string{"{} skew sticky silent"}, []string{"{stale-kubelet} skew sticky silent"}, nil,
	},
	{
		"waves on Applications with the usual health", appOfApps(true), proof.Race, // the child has not seen its new revision yet
		[]string{"{} skew sticky silent"}, []string{"{stale-kubelet} skew sticky silent"}, nil,
	},
	{
		"RollingSync", rollingSync(), proof.Race, // the later step may see the commit first
		[]string{"{} skew sticky silent"}, []string{"{stale-kubelet} skew sticky silent"}, nil,
	},
	{
		"barrier on 1", barrier(addsMethod), proof.Fragile,
		[]string{"{manual} skew sticky silent", "{stale-kubelet} skew sticky silent"}, nil, nil,
	},
	{
		"barrier on 2", barrier(changesType), proof.Fragile,
		[]string{
			"{abort} skew sticky visible", "{churn} skew transient silent", "{manual} skew sticky silent",
			"{reload} skew transient silent", "{stale-kubelet} skew sticky silent", "{undo} skew transient visible",
		}, nil, nil,
	},
	{
		"the descriptor first, then the image, both in flight", inFlight(), proof.Race,
		[]string{"{} skew sticky silent"}, []string{"{stale-kubelet} skew sticky silent"}, nil,
	},
	{"the ConfigMap moves, prune on", moved(false), proof.Race, adoptedLate, adoptedLate, nil},
	{
		"the ConfigMap moves, prune on, no self-heal",
		with(moved(false), func(c *delivery.Case) { c.Units[api].SelfHeal = false }), proof.Race,
		[]string{"{} absent sticky visible", "{churn} blocked sticky visible"},
		[]string{"{} absent sticky visible", "{churn} blocked sticky visible"}, nil,
	},
	{
		"the ConfigMap moves and is all there was",
		with(moved(false), func(c *delivery.Case) { c.Units[config].Keeps = false }), proof.Safe, nil, nil, nil,
	},
	{
		"the ConfigMap moves and is all there was, with allowEmpty",
		with(moved(false), func(c *delivery.Case) { c.Units[config].Keeps, c.Units[config].AllowEmpty = false, true }), proof.Race,
		adoptedLate, adoptedLate, nil,
	},
	{
		"the ConfigMap moves, prune off",
		with(moved(false), func(c *delivery.Case) { c.Units[config].Prune = false }), proof.Safe, nil, nil, nil,
	},
	{
		"the ConfigMap moves and changes, prune off",
		with(moved(true), func(c *delivery.Case) { c.Units[config].Prune = false }), proof.Race,
		[]string{"{} skew sticky silent"}, []string{"{stale-kubelet} skew sticky silent"}, nil,
	},
}

// adoptedLate is the old owner pruning before the new one adopts. For as long as the object is away, no pod starts; if the
// new owner never adopts, it stays away.
var adoptedLate = []string{
	"{} absent transient silent", "{churn} blocked transient visible", "{refused} absent sticky visible",
	"{stuck} absent sticky visible",
}

// appOfApps delivers both Applications from a third unit, in waves, each pinned to its revision.
func appOfApps(health bool) *delivery.Case {
	c := split(addsMethod)
	c.Controller.ApplicationHealth = health
	parent := automated
	c.Units = append(c.Units, parent)
	for o := range c.Objects {
		c.Objects[o].Render = append(c.Objects[o].Render, nil)
	}
	child := func(wave int16, name uint16) delivery.Object {
		return object(delivery.Application, delivery.Place{Wave: wave, Rank: 40, Name: name, Kind: 4}, nil, nil, contents{1, 2})
	}
	c.Objects = append(c.Objects, child(1, 1), child(0, 2))
	c.Units[api].Spec, c.Units[config].Spec = 2, 3
	return c
}

func rollingSync() *delivery.Case {
	c := split(addsMethod)
	for u := range c.Units {
		c.Units[u].Automated, c.Units[u].SelfHeal = false, false
	}
	c.Units[config].Step, c.Units[api].Step = 1, 2
	return c
}

// barrier adds a PreSync hook to the workload's unit that waits for the ConfigMap.
func barrier(change func(int, delivery.Content) delivery.Outcome) *delivery.Case {
	c := split(change)
	hook := object(delivery.Barrier, delivery.Place{Phase: -1, Rank: 30, Kind: 5}, contents{1, 2}, nil)
	hook.Watch = configMap
	c.Objects = append(c.Objects, hook)
	return c
}

// inFlight is two commits: the descriptor alone, then the image that serves it.
func inFlight() *delivery.Case {
	c := split(addsMethod)
	c.Last = 2
	c.Objects[rollout].Render = [][]delivery.Content{{1, 1, 2}, nil}
	c.Objects[configMap].Render = [][]delivery.Content{nil, {1, 2, 2}}
	return c
}

// moved is the ConfigMap moved from config to api, and maybe changed, together with the image.
func moved(changed bool) *delivery.Case {
	c := split(fits)
	c.Objects[configMap].Render = [][]delivery.Content{{0, 1}, {1, 0}}
	c.Objects[rollout].Render = [][]delivery.Content{{1, 1}, nil}
	if changed {
		c = split(addsMethod)
		c.Objects[configMap].Render = [][]delivery.Content{{0, 2}, {1, 0}}
	}
	return c
}
