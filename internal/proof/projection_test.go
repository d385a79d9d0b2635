package proof_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/refgraph"
)

// What a Case leaves out must make no difference. Small random repositories are proved twice: as the product does it, with
// the pair and one object for all others of a unit and wave, and as a whole, with every object as itself. By hand, for more:
//
//	go test ./internal/proof -run TestProjection -v -tiny 3000 -tiny-from 1000 -tiny-states 100000
//	go test ./internal/proof -run TestProjection -v -tiny 300 -tiny-from 1000 -tiny-steps 2 -tiny-states 300000
var (
	tinyCases  = flag.Int("tiny", usual, "random repositories")
	tinyFrom   = flag.Uint64("tiny-from", 0, "seed of the first one")
	tinySteps  = flag.Int("tiny-steps", 1, "unusual steps")
	tinyStates = flag.Int("tiny-states", 20_000, "states of a search; what is larger is left out, and counted")
)

// manyCases are enough for every verdict and every mutation to be among them.
const manyCases = 120

// trial is one pair of one random repository.
type trial struct {
	seed    uint64
	release *cone.Release
	problem cone.Problem
	whole   *proof.Judgement // of the whole release; nil: not proved yet
}

// trials are those of one seed, each with a random table of what matches.
func trials(seed uint64) []trial { return problemsOf(random(rand.New(rand.NewPCG(seed, 1))), seed) }

// problemsOf are the pairs of a repository whose consumer is the workload.
func problemsOf(t *tiny, seed uint64) []trial {
	r := t.release()
	set := cone.Setting{Matcher: &match.Matcher{}}
	set.Controller.ApplicationHealth = seed%2 == 0
	var out []trial
	wanted := func(p refgraph.Pair) bool {
		return p.Consumer.Name == t.prefix+"o-work" && p.Provider.Kind == "ConfigMap"
	}
	for _, ends := range r.Pairs(wanted) {
		if p, ok := cone.Build(r, ends, set); ok {
			chance(rand.New(rand.NewPCG(seed, 2)), p.Case)
			out = append(out, trial{seed: seed, release: r, problem: p})
		}
	}
	return out
}

type combination struct {
	consumer         int
	provider, filter delivery.Content
}

// chance draws what matches. When everything is fresh most pairs work.
func chance(r *rand.Rand, c *delivery.Case) {
	known := r.IntN(3) > 0
	truth := func() delivery.Truth {
		t := []delivery.Truth{delivery.Works, delivery.Works, delivery.Works, delivery.Fails, delivery.Fails, delivery.Unknown}[r.IntN(6)]
		if known && t == delivery.Unknown {
			return delivery.Works
		}
		return t
	}
	table := map[combination]delivery.Outcome{}
	for consumer := range 4 {
		for provider := range delivery.Content(5) {
			for filter := range delivery.Content(5) {
				table[combination{consumer, provider, filter}] = delivery.Outcome{Common: truth(), New: truth()}
			}
		}
	}
	for _, rev := range []int{0, c.Last} {
		if r.IntN(8) > 0 {
			table[fresh(c, rev)] = delivery.Outcome{}
		}
	}
	c.Pair.Match = func(consumer int, provider, filter delivery.Content) delivery.Outcome {
		return table[combination{consumer, provider, filter}]
	}
	refused := combination{r.IntN(2), delivery.Content(1 + r.IntN(3)), delivery.Content(1 + r.IntN(2))}
	if c.Pair.Accepts != nil {
		c.Pair.Accepts = func(consumer int, provider, filter delivery.Content) bool {
			return consumer != refused.consumer || provider != refused.provider || filter != refused.filter
		}
	}
	if c.Pair.Blocks != nil && r.IntN(3) == 0 {
		c.Pair.Blocks = func(consumer int, provider delivery.Content) bool {
			return consumer == refused.consumer && provider == refused.provider
		}
	}
}

// fresh is what stands together when everything is fresh at a revision.
func fresh(c *delivery.Case, rev int) combination {
	at := func(o int) (content delivery.Content) {
		if o == delivery.None {
			return 0
		}
		for _, row := range c.Objects[o].Render {
			if row != nil && row[rev] != 0 {
				content = row[rev]
			}
		}
		return content
	}
	work := c.Workloads[c.Pair.Workload]
	t := work.Templates[work.Template[at(c.Pair.Consumer)]]
	return combination{t.Image, at(t.Provider), at(c.Pair.Filter)}
}

// tally counts what became of trials.
type tally struct {
	verdicts map[proof.Verdict]int
	large    int
	traces   int
	states   [2]int // in part and as a whole
	faults   []string
}

func (n *tally) fault(x trial, format string, args ...any) {
	n.faults = append(n.faults, fmt.Sprintf("seed %d: ", x.seed)+fmt.Sprintf(format, args...))
}

func prove(t *testing.T, c *delivery.Case) proof.Judgement {
	t.Helper()
	j, err := proof.Judge(context.Background(), c, proof.Bounds{Unusual: *tinySteps, States: *tinyStates})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// compare proves a trial in part, after a change that a test makes to it, and as a whole, unless that is done already.
func (n *tally) compare(t *testing.T, x *trial, change func(*delivery.Case)) {
	t.Helper()
	p, c := x.problem, *x.problem.Case
	p.Case = &c
	w, err := cone.NewWhole(x.release, &p)
	if err != nil {
		t.Fatalf("seed %d: %v", x.seed, err)
	}
	if x.whole == nil {
		j := prove(t, w.Case)
		x.whole = &j
	}
	change(&c)
	part := prove(t, &c)
	if part.Bound != "" || x.whole.Bound != "" {
		n.large++
		return
	}
	n.verdicts[part.Verdict]++
	n.states[0] += part.States
	n.states[1] += x.whole.States
	if fault := differ(part, *x.whole, w.Contended); fault != "" {
		n.fault(*x, "%s: %s %v, as a whole %s %v", fault, part.Verdict, lines(part.Openings, 2), x.whole.Verdict, lines(x.whole.Openings, 2))
	}
	for _, o := range slices.Concat(part.Openings, part.ProviderFirst, part.ConsumerFirst) {
		n.traces++
		if err := proof.Again(w, o); err != nil {
			n.fault(*x, "%v: %v", err, o.Trace)
		}
	}
}

// differ says what a judgement in part makes up or leaves out. Where units contend for another object, what reads Synced is
// another matter as a whole, and it may never arrive: there only the verdicts are compared.
func differ(part, whole proof.Judgement, contended bool) string {
	switch {
	case part.Verdict == proof.Safe && len(whole.Openings) > 0:
		return "safe does not carry over"
	case part.Verdict == proof.Race && whole.Verdict != proof.Race:
		return "the race is none"
	case contended:
		return ""
	case part.Verdict != whole.Verdict:
		return "another verdict"
	}
	for _, o := range part.Openings {
		if !slices.ContainsFunc(whole.Openings, func(x proof.Opening) bool { return asGrave(x, o) && inside(x.Set, o.Set) }) {
			return "made up: " + line(o)
		}
	}
	for _, o := range whole.Openings {
		if !slices.ContainsFunc(part.Openings, func(x proof.Opening) bool { return stands(x, o) }) {
			return "left out: " + line(o)
		}
	}
	return ""
}

// stands tells whether an opening in part stands for one of the whole release. People may touch other objects, too: they undo
// another workload, or pick other objects for a sync by hand, which counts as the attempt of its unit [A5.3]. In part these are
// other kinds of steps, as many, and a sync by hand may seem to heal.
func stands(part, whole proof.Opening) bool {
	byHand := slices.Contains(whole.Set, delivery.Manual) && inside(part.Set, whole.Set) && part.Harm == whole.Harm
	return len(part.Set) <= len(whole.Set) && (asGrave(part, whole) || byHand)
}

// asGrave tells whether an opening is of the same harm as another one and as grave.
func asGrave(x, o proof.Opening) bool {
	grave := func(o proof.Opening) int {
		n := 2 * slices.Index([]proof.Persistence{proof.Sticky, proof.Recurring, proof.Transient}, o.Persistence)
		if o.Visibility == proof.Visible {
			n++
		}
		return n
	}
	return x.Harm == o.Harm && (!x.Maybe || o.Maybe) && grave(x) <= grave(o)
}

func inside(part, whole []delivery.Unusual) bool {
	for _, k := range whole {
		if len(part) > 0 && part[0] == k {
			part = part[1:]
		}
	}
	return len(part) == 0
}

func TestProjection(t *testing.T) {
	var all []trial
	for seed := *tinyFrom; seed < *tinyFrom+uint64(*tinyCases); seed++ {
		all = append(all, trials(seed)...)
	}
	if *tinyCases == 1 {
		t.Log(random(rand.New(rand.NewPCG(*tinyFrom, 1))))
	}
	n := tally{verdicts: map[proof.Verdict]int{}}
	for i := range all {
		n.compare(t, &all[i], func(*delivery.Case) {})
	}
	t.Logf("%v, %d too large, %d traces, %d states in part and %d as a whole", n.verdicts, n.large, n.traces, n.states[0], n.states[1])
	if len(n.faults) > 0 {
		t.Fatalf("%d faults:\n%s", len(n.faults), strings.Join(n.faults[:min(len(n.faults), 20)], "\n"))
	}
	if *tinyCases < manyCases {
		return
	}
	for _, v := range []proof.Verdict{proof.Broken, proof.Race, proof.Exposed, proof.Fragile, proof.Safe, proof.Undecided} {
		if n.verdicts[v] == 0 {
			t.Errorf("no repository has the verdict %s", v)
		}
	}
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) { m.notice(t, all) })
	}
}
