package proof_test

import (
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/proof"
)

// mutations are mistakes that a projection could have. Each has to come out in the comparison with whole releases.
type mutation struct {
	name   string
	mutate func(*delivery.Case)
	rare   int // so many repositories it takes, if more than usual
}

var mutations = []mutation{
	{name: "no rest", mutate: func(c *delivery.Case) {
		c.Objects = slices.DeleteFunc(slices.Clone(c.Objects), func(o delivery.Object) bool { return o.Kind == delivery.Rest })
	}},
	{name: "the release changes nothing of the rest", mutate: eachRest(func(o *delivery.Object) {
		for u, row := range o.Render {
			o.Render[u] = make([]delivery.Content, len(row))
			for i := range row {
				o.Render[u][i] = min(1, slices.Max(row))
			}
		}
	})},
	{name: "the rest may be unhealthy though it has no health", mutate: eachRest(func(o *delivery.Object) { o.Ails = true })},
	{name: "the rest has no waves", mutate: eachRest(func(o *delivery.Object) { o.Place.Phase, o.Place.Wave = 0, 0 })},
	{name: "the rest has no hooks", mutate: eachRest(func(o *delivery.Object) { o.Hook = false })},
	{name: "the rest is always pruned", mutate: eachRest(func(o *delivery.Object) { o.NoPrune = false }), rare: 300},
	{name: "no filter", mutate: func(c *delivery.Case) { c.Pair.Filter, c.Pair.Accepts = delivery.None, nil }},
	{name: "nothing is pruned last", mutate: eachObject(func(o *delivery.Object) { o.PruneLast = false })},
	{name: "one wave", mutate: eachObject(func(o *delivery.Object) { o.Place.Wave = 0 })},
	{name: "no order of kinds", mutate: eachObject(func(o *delivery.Object) { o.Place.Rank, o.Place.Kind = 0, 0 })},
	{name: "nobody heals", mutate: eachUnit(func(u *delivery.Unit) { u.SelfHeal = false })},
	{name: "nobody tries again", mutate: eachUnit(func(u *delivery.Unit) { u.Retries = 0 }), rare: 300},
	{name: "no Application changes", mutate: eachUnit(func(u *delivery.Unit) { u.Spec = delivery.None })},
	{name: "nobody minds shared objects", mutate: eachUnit(func(u *delivery.Unit) { u.FailOnShared = false })},
	{name: "everything is synced", mutate: eachUnit(func(u *delivery.Unit) { u.OutOfSyncOnly = false }), rare: 300},
}

func eachObject(change func(*delivery.Object)) func(*delivery.Case) {
	return func(c *delivery.Case) {
		c.Objects = slices.Clone(c.Objects)
		for o := range c.Objects {
			c.Objects[o].Render = slices.Clone(c.Objects[o].Render)
			change(&c.Objects[o])
		}
	}
}

func eachRest(change func(*delivery.Object)) func(*delivery.Case) {
	return eachObject(func(o *delivery.Object) {
		if o.Kind == delivery.Rest {
			change(o)
		}
	})
}

func eachUnit(change func(*delivery.Unit)) func(*delivery.Case) {
	return func(c *delivery.Case) {
		c.Units = slices.Clone(c.Units)
		for u := range c.Units {
			change(&c.Units[u])
		}
	}
}

// notice tells whether the comparison with whole releases finds a mistake.
func (m mutation) notice(t *testing.T, all []trial) {
	if *tinyCases < m.rare {
		return // it takes more repositories, by hand
	}
	n := tally{verdicts: map[proof.Verdict]int{}}
	for i := range all {
		if n.compare(t, &all[i], m.mutate); len(n.faults) > 0 {
			t.Log(n.faults[0])
			return
		}
	}
	t.Error("nobody noticed")
}
