// Package proof judges pairs: whether every order in which the parts of a release can reach the cluster is safe, and if not,
// the shortest way to harm.
//
// In goes a Problem, out comes its Judgement: a verdict and what opens harm, each with a run that shows it. docs/proof.md defines
// the words. The package refuses to claim more than was searched: what a bound, a gap or an unknown match hides is undecided, or
// said to be a lower bound.
//
// Reading order: judge.go (the search and the verdict), questions.go (what opens harm), replay.go (each run again on the whole
// release).
package proof

import (
	"context"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/explore"
)

// Bounds of one Case.
type Bounds struct {
	Unusual int // unusual steps
	States  int
	// Plain leaves out the runs that show what opens harm, and what is left if one side goes first.
	Plain bool
}

// Judge searches every order of one Case. The error is of a Case that the model cannot hold.
func Judge(ctx context.Context, c *delivery.Case, b Bounds) (Judgement, error) {
	if err := c.Check(); err != nil {
		return Judgement{}, err
	}
	switch size := c.KeySize(); {
	case size <= 32:
		return judge(ctx, c, delivery.New[delivery.Key32](c), b), nil
	case size <= 64:
		return judge(ctx, c, delivery.New[delivery.Key64](c), b), nil
	case size <= 128:
		return judge(ctx, c, delivery.New[delivery.Key128](c), b), nil
	default:
		return judge(ctx, c, delivery.New[delivery.Key256](c), b), nil
	}
}

func judge[K delivery.Key](ctx context.Context, c *delivery.Case, m *delivery.Model[K], b Bounds) Judgement {
	j := Judgement{Steps: b.Unusual}
	g := explore.Search(ctx, m, explore.Bounds{States: b.States, Cost: b.Unusual})
	j.States, j.Edges, j.Bound = g.States, g.Edges, g.Bound
	j.Arrives = g.Ask(explore.Query{Mask: delivery.Done, Want: delivery.Done, Allow: nothing}).Found
	q := questions{c: c, g: g, states: g.States, bags: bagsOf(b.Unusual), plain: b.Plain}
	j.Openings = q.openings(0)
	j.decide(c, &q)
	return j
}

// decide draws the verdict from the openings.
func (j *Judgement) decide(c *delivery.Case, q *questions) {
	start, end := c.Fresh(0), c.Fresh(c.Last)
	const certain = delivery.Skew | delivery.Absent | delivery.Blocked
	switch {
	case start&delivery.Maybe != 0 && start&delivery.Skew == 0, end&delivery.Maybe != 0 && end&delivery.Skew == 0:
		j.Verdict, j.Why = Undecided, "whether the two fit when everything has arrived is not known"
		j.Openings = nil
	case end&certain != 0:
		j.Verdict, j.Fresh = Broken, harmOf(end)
	case len(j.Openings) > 0 && len(j.Openings[0].Set) == 0:
		j.Verdict = Race
		if j.Openings[0].Maybe {
			j.Verdict = Exposed
		}
		if !q.plain {
			j.ProviderFirst = q.openings(delivery.ConsumerFirst)
			j.ConsumerFirst = q.openings(delivery.ProviderFirst)
		}
		j.Unavoidable = j.Bound == "" && q.unavoidable(j.Openings[0])
	case j.Bound != "":
		j.Verdict, j.Why = Undecided, "the search ended at "+j.Bound
	case !j.Arrives:
		j.Verdict, j.Why = Undecided, "no order of ordinary steps brings the release to its end"
	case len(j.Openings) > 0:
		j.Verdict = Fragile
	default:
		j.Verdict = Safe
	}
}

func harmOf(bits uint64) Harm {
	switch {
	case bits&delivery.Skew != 0:
		return Skew
	case bits&delivery.Absent != 0:
		return Absent
	}
	return Blocked
}

func nothing(explore.Step) bool { return false }
