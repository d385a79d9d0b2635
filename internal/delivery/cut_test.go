package delivery_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/explore"
)

var (
	cutCases = flag.Int("cuts", 30, "random cases that are compared with individual pods")
	cutFirst = flag.Uint64("cut-first", 0, "seed of the first one")
	cutCost  = flag.Int("cut-cost", 1, "unusual steps")
	cutMost  = flag.Int("cut-states", 40_000, "states of a search with individual pods; larger ones are left out")
)

// aspects and grades of harm, as package proof asks for them.
var (
	aspects = []struct {
		name        string
		once, lasts uint64
	}{
		{"skew", delivery.SkewCommon, delivery.Skew}, {"maybe", delivery.MaybeCommon, delivery.Maybe},
		{"absent", delivery.Absent, delivery.Absent}, {"blocked", delivery.Blocked, delivery.Blocked},
	}
	grades = []struct {
		name string
		when explore.When
		also uint64
	}{
		{"sticky silent", explore.Always, delivery.Quiet}, {"sticky visible", explore.Always, 0},
		{"recurring silent", explore.Often, delivery.Quiet}, {"recurring visible", explore.Often, 0},
		{"transient silent", explore.Ever, delivery.Quiet}, {"transient visible", explore.Ever, 0},
	}
)

// bag is a multiset of kinds of unusual steps, and the states that runs with exactly those reach.
type bag struct {
	kinds  []delivery.Unusual
	states map[int]bool
}

// bags are those of up to n kinds, small ones first, found by walking every run.
func bags[S comparable](g *explore.Graph[S], n int) []*bag {
	all := []*bag{{states: map[int]bool{}}}
	next := map[string]*bag{}
	enter := [][]int{{0}}
	for b := 0; b < len(all); b++ {
		for from := enter[b]; len(from) > 0; {
			i := from[len(from)-1]
			from = from[:len(from)-1]
			if all[b].states[i] {
				continue
			}
			all[b].states[i] = true
			g.Steps(i, func(s explore.Step, to int) {
				kind := delivery.EventOf(s.Label).Deed.Kind()
				if kind == delivery.Ordinary {
					from = append(from, to)
					return
				}
				if len(all[b].kinds) == n {
					return
				}
				more := append(slices.Clone(all[b].kinds), kind)
				slices.Sort(more)
				if next[fmt.Sprint(more)] == nil {
					next[fmt.Sprint(more)] = &bag{more, map[int]bool{}}
					all, enter = append(all, next[fmt.Sprint(more)]), append(enter, nil)
				}
				at := slices.Index(all, next[fmt.Sprint(more)])
				enter[at] = append(enter[at], to)
			})
		}
	}
	return all
}

// inside tells whether a sorted multiset is a part of another one.
func inside(part, whole []delivery.Unusual) bool {
	for _, k := range whole {
		if len(part) > 0 && part[0] == k {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// openings are the multisets of up to n kinds of unusual steps that open something graver than each of their parts does.
func openings[S comparable](g *explore.Graph[S], n int) []string {
	all := bags(g, n)
	var out []string
	for _, a := range aspects {
		grade := make([]int, len(all))
		for i := range grade {
			grade[i] = len(grades)
		}
		for at, what := range grades {
			bits := a.lasts
			if what.when == explore.Ever {
				bits = a.once
			}
			lasting := g.Lasting(explore.Query{Mask: bits | what.also, Want: bits | what.also, When: what.when})
			for i, b := range all {
				if grade[i] == len(grades) && meets(lasting, b.states) {
					grade[i] = at
				}
			}
		}
		for i, b := range all {
			below := len(grades)
			for k, part := range all {
				if k != i && inside(part.kinds, b.kinds) {
					below = min(below, grade[k])
				}
			}
			if grade[i] < below {
				out = append(out, fmt.Sprint(b.kinds, " ", a.name, " ", grades[grade[i]].name))
			}
		}
	}
	return out
}

func meets(lasting []bool, reached map[int]bool) bool {
	for i := range reached {
		if lasting[i] {
			return true
		}
	}
	return false
}

// compare judges a case with witnesses and with individual pods. It is false if that takes too many states.
func compare(t *testing.T, name string, c *delivery.Case) bool {
	t.Helper()
	if err := c.Check(); err != nil {
		t.Fatal(name, err)
	}
	ctx := context.Background()
	pods := explore.Search(ctx, delivery.NewReference(c), explore.Bounds{Cost: *cutCost, States: *cutMost})
	if !pods.Complete { // too many states
		return false
	}
	witnesses := search(t, c, *cutCost, 0)
	t.Logf("%s: %d states with witnesses, %d with individual pods", name, witnesses.States, pods.States)
	got, want := openings(witnesses, *cutCost), openings(pods, *cutCost)
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("%s: only with witnesses: %s", name, line)
		}
	}
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("%s: only with individual pods: %s", name, line)
		}
	}
	return true
}

// shapes are the structures of the smallest cases.
func shapes() map[string]*delivery.Case {
	together := func(change ...func(*delivery.Case)) *delivery.Case {
		c := split()
		c.Units = c.Units[:1]
		c.Objects[rollout].Render, c.Objects[configMap].Render = []contents{{1, 2}}, []contents{{1, 2}}
		for _, f := range change {
			f(c)
		}
		return c
	}
	adds := func(c *delivery.Case) {
		c.Pair.Match = func(image int, provider, _ delivery.Content) delivery.Outcome {
			if image == 1 && provider == 1 {
				return delivery.Outcome{New: delivery.Fails}
			}
			return delivery.Outcome{}
		}
	}
	with := func(c *delivery.Case, change ...func(*delivery.Case)) *delivery.Case {
		for _, f := range change {
			f(c)
		}
		return c
	}
	strategy := func(s delivery.Strategy, many, dynamic bool) func(*delivery.Case) {
		return func(c *delivery.Case) {
			c.Workloads[0].Strategy, c.Workloads[0].Many, c.Workloads[0].DynamicStable = s, many, dynamic
		}
	}
	return map[string]*delivery.Case{
		"1":                  with(split(), adds),
		"2":                  split(),
		"2, one pod":         with(split(), strategy(delivery.BasicCanary, false, false)),
		"2, Deployment":      with(split(), strategy(delivery.Rolling, true, false)),
		"2, routed":          with(split(), strategy(delivery.RoutedCanary, true, false)),
		"2, routed, dynamic": with(split(), strategy(delivery.RoutedCanary, true, true)),
		"2, blue-green":      with(split(), strategy(delivery.BlueGreen, true, false)),
		"7":                  with(split(), adds, func(c *delivery.Case) { c.Objects[configMap].Render[config] = contents{1, 1} }),
		"9":                  with(split(), func(c *delivery.Case) { c.Objects[rollout].Render[api] = contents{1, 1} }),
		"11":                 together(adds),
		"12":                 together(),
		"12, DaemonSet":      together(strategy(delivery.Rolling, true, false), func(c *delivery.Case) { c.Workloads[0].ReplacesFromNew = true }),
		"12, no self-heal":   together(func(c *delivery.Case) { c.Units[api].SelfHeal = false }),
		"13":                 together(func(c *delivery.Case) { c.Objects[configMap].Place.Wave = -1 }),
		"14":                 together(contentNamed),
		"14, Deployment":     together(contentNamed, strategy(delivery.Rolling, true, false)),
		"2, followed":        with(split(), func(c *delivery.Case) { c.Pair.How = delivery.Follows }),
		"image first, waves": together(func(c *delivery.Case) { c.Objects[configMap].Place.Wave = 1 }),
		"moved":              with(split(), func(c *delivery.Case) { c.Objects[configMap].Render = []contents{{0, 2}, {1, 0}} }),
		"16, filter last":    with(split(), adds, filter(3)),
		"16, filter first":   with(split(), adds, filter(1)),
		"inline": together(func(c *delivery.Case) {
			c.Objects[configMap].Kind, c.Pair.Filter, c.Pair.Inline = delivery.Filter, configMap, true
		}),
	}
}

func contentNamed(c *delivery.Case) {
	c.Objects[configMap].Render = []contents{{1, 0}}
	c.Objects = append(c.Objects, object(delivery.Config, c.Objects[configMap].Place, contents{0, 1}))
	c.Objects[1].PruneLast, c.Objects[2].PruneLast = true, true
	c.Workloads[0].Templates[1].Reads, c.Workloads[0].Templates[1].Provider = []delivery.Read{{Object: 2}}, 2
	c.Pair.Provider = delivery.None
	c.Pair.Match = func(int, delivery.Content, delivery.Content) delivery.Outcome { return delivery.Outcome{} }
}

func filter(name uint16) func(*delivery.Case) {
	return func(c *delivery.Case) {
		c.Objects = append(c.Objects, object(delivery.Filter, delivery.Place{Rank: 40, Name: name, Kind: 3}, contents{1, 2}, nil))
		c.Pair.Filter = 2
		c.Pair.Accepts = func(_ int, provider, filter delivery.Content) bool { return filter == 1 || provider == 2 }
	}
}

// One witness a template says the same as two pods a template: the same harms from the same unusual steps.
func TestOneWitnessIsEnough(t *testing.T) {
	for name, c := range shapes() {
		if !compare(t, name, c) {
			t.Errorf("%s has too many states", name)
		}
	}
}

// The same for random cases.
func TestOneWitnessIsEnoughAtRandom(t *testing.T) {
	compared := 0
	for seed := *cutFirst; seed < *cutFirst+uint64(*cutCases); seed++ {
		c := random{rand.New(rand.NewPCG(seed, 1))}.testCase()
		if c.Check() == nil && len(c.Workloads) == 1 && c.Pair.Workload == 0 && compare(t, fmt.Sprint("seed ", seed), c) {
			compared++
		}
	}
	if compared < *cutCases/4 {
		t.Errorf("only %d of %d random cases were compared", compared, *cutCases)
	}
}

// The comparison can fail: without room for a canary an abort makes no pods, and the individual pods show it.
func TestIndividualPodsSeeAMissingStep(t *testing.T) {
	c := split()
	c.Units = c.Units[:1]
	c.Objects[rollout].Render, c.Objects[configMap].Render = []contents{{1, 2}}, []contents{{1, 2}}
	pods := explore.Search(context.Background(), delivery.NewReference(c), explore.Bounds{Cost: 1})
	if slices.Equal(openings(pods, 1), openings(search(t, c.Without(delivery.D22), 1, 0), 1)) {
		t.Error("no difference is seen")
	}
}
