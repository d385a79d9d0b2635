package proof_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/proof"
)

// The smallest cases. Units: 0 is api, 1 is config. Objects: 0 is the workload, 1 the ConfigMap that it reads at its start.
const (
	api    = 0
	config = 1

	rollout   = 0
	configMap = 1
)

var automated = delivery.Unit{Automated: true, Prune: true, SelfHeal: true, Retries: 5, Spec: delivery.None, Keeps: true}

// places in Argo CD's order: ConfigMaps before custom resources.
var (
	configMapPlace = delivery.Place{Rank: 9, Kind: 1}
	rolloutPlace   = delivery.Place{Rank: 40, Name: 2, Kind: 2}
)

func object(kind delivery.Kind, place delivery.Place, render ...[]delivery.Content) delivery.Object {
	return delivery.Object{Kind: kind, Place: place, Render: render, Watch: delivery.None, Needs: delivery.None}
}

type contents = []delivery.Content

// split is two units, the workload in the first and the ConfigMap in the second.
func split(change func(image int, provider delivery.Content) delivery.Outcome) *delivery.Case {
	return &delivery.Case{
		Last:  1,
		Units: []delivery.Unit{automated, automated},
		Objects: []delivery.Object{
			object(delivery.Work, rolloutPlace, contents{1, 2}, nil),
			object(delivery.Config, configMapPlace, nil, contents{1, 2}),
		},
		Workloads: []delivery.Workload{canary()},
		Pair:      pair(change),
	}
}

func canary() delivery.Workload {
	return delivery.Workload{
		Object: rollout,
		Templates: []delivery.Template{
			{Image: 0, Provider: configMap, Reads: []delivery.Read{{Object: configMap}}},
			{Image: 1, Provider: configMap, Reads: []delivery.Read{{Object: configMap}}},
		},
		Template: map[delivery.Content]int{1: 0, 2: 1},
		Strategy: delivery.BasicCanary,
		Many:     true,
	}
}

func pair(change func(image int, provider delivery.Content) delivery.Outcome) delivery.Pair {
	return delivery.Pair{
		Workload: 0, Consumer: rollout, Provider: configMap, Mounted: true, Proxy: true, Filter: delivery.None,
		Match: func(image int, provider, _ delivery.Content) delivery.Outcome { return change(image, provider) },
	}
}

// together is one unit that delivers both.
func together(change func(image int, provider delivery.Content) delivery.Outcome) *delivery.Case {
	c := split(change)
	c.Units = c.Units[:1]
	c.Objects[rollout].Render = [][]delivery.Content{{1, 2}}
	c.Objects[configMap].Render = [][]delivery.Content{{1, 2}}
	return c
}

// The changes: what image 0 (of r0) and 1 (of r1) serve under ConfigMap content 1 (of r0) and 2 (of r1).
func addsMethod(image int, provider delivery.Content) delivery.Outcome {
	if image == 1 && provider == 1 {
		return delivery.Outcome{New: delivery.Fails}
	}
	return delivery.Outcome{}
}

func changesType(image int, provider delivery.Content) delivery.Outcome {
	switch {
	case image == 1 && provider == 1:
		return delivery.Outcome{Common: delivery.Fails, New: delivery.Fails}
	case image == 0 && provider == 2:
		return delivery.Outcome{Common: delivery.Fails}
	}
	return delivery.Outcome{}
}

func fits(int, delivery.Content) delivery.Outcome { return delivery.Outcome{} }

// unchanged makes an object stay as it is.
func unchanged(c *delivery.Case, o int) *delivery.Case {
	for u, r := range c.Objects[o].Render {
		if r != nil {
			c.Objects[o].Render[u] = contents{1, 1}
		}
	}
	return c
}

// line is an opening in short: {churn}: skew, sticky, silent.
func line(o proof.Opening) string {
	var kinds []string
	for _, k := range o.Set {
		kinds = append(kinds, unusualNames[k])
	}
	maybe := ""
	if o.Maybe {
		maybe = " maybe"
	}
	return fmt.Sprintf("{%s} %s %s %s%s", strings.Join(kinds, ","), o.Harm, o.Persistence, o.Visibility, maybe)
}

var unusualNames = map[delivery.Unusual]string{
	delivery.Churn: "churn", delivery.Reload: "reload", delivery.Abort: "abort", delivery.Undo: "undo", delivery.Refused: "refused",
	delivery.StuckUnit: "stuck", delivery.Manual: "manual", delivery.StaleKubelet: "stale-kubelet", delivery.StaleHealthRead: "stale-health",
}

func lines(openings []proof.Opening, most int) []string {
	out := []string{}
	for _, o := range openings {
		if len(o.Set) <= most {
			out = append(out, line(o))
		}
	}
	slices.Sort(out)
	return out
}

func judge(t *testing.T, c *delivery.Case) proof.Judgement {
	t.Helper()
	j, err := proof.Judge(context.Background(), c, proof.Bounds{Unusual: 2, States: 2_000_000})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

type row struct {
	name       string
	c          *delivery.Case
	verdict    proof.Verdict
	all, first []string
	more       []string // sets of two that have to be among them, in any order of delivery or with the ConfigMap first
}

// sixteen is the table of the smallest cases, typed by hand. all and first are what opens harm with at most one unusual
// step: in any order, and when the ConfigMap has arrived before anything of the workload changes.
var sixteen = []row{
	{
		"1 a method added", split(addsMethod), proof.Race,
		[]string{"{} skew sticky silent"},
		[]string{"{stale-kubelet} skew sticky silent"}, nil,
	},
	{
		"2 a response field of another type", split(changesType), proof.Race,
		[]string{"{} skew sticky silent"},
		[]string{
			"{abort} skew sticky visible", "{churn} skew transient silent", "{reload} skew transient silent",
			"{stale-kubelet} skew sticky silent", "{undo} skew transient visible",
		}, nil,
	},
	{
		"2 with one pod", with(split(changesType), func(c *delivery.Case) { c.Workloads[0].Many = false }), proof.Race,
		[]string{"{} skew sticky silent"},
		[]string{
			"{churn} skew transient silent", "{reload} skew transient silent", "{stale-kubelet} skew sticky silent",
			"{undo} skew transient visible",
		},
		[]string{"{churn,abort} skew sticky visible", "{reload,abort} skew sticky visible"},
	},
	{
		"2 of a Deployment", with(split(changesType), deployment), proof.Race,
		[]string{"{} skew sticky silent"},
		[]string{
			"{churn} skew transient silent", "{reload} skew transient silent", "{stale-kubelet} skew sticky silent",
			"{undo} skew transient visible",
		}, nil,
	},
	{
		"3 a response field renamed", split(addsMethod), proof.Race, // its old name is an old call, its new one a new call
		[]string{"{} skew sticky silent"},
		[]string{"{stale-kubelet} skew sticky silent"}, nil,
	},
	{"4 a method removed", split(fits), proof.Safe, nil, nil, nil},
	{"6 the image alone, nothing known of it", unchanged(split(unknownImage), configMap), proof.Undecided, nil, nil, nil},
	{
		"7 the image alone, with a method added", unchanged(split(addsMethod), configMap), proof.Broken,
		[]string{"{} skew sticky silent"}, nil, nil,
	},
	{"8 the descriptor alone, with a method added", unchanged(split(addsMethod), rollout), proof.Safe, nil, nil, nil},
	{
		"9 the partner of 2", unchanged(split(changesType), rollout), proof.Broken,
		[]string{"{churn} skew sticky silent", "{reload} skew sticky silent"}, nil, nil,
	},
	{"10 the partner of 1", unchanged(split(addsMethod), rollout), proof.Safe, nil, nil, nil},
	{
		"11 one unit, a method added", together(addsMethod), proof.Fragile,
		[]string{"{manual} skew sticky silent", "{refused} skew sticky silent", "{stale-kubelet} skew sticky silent"}, nil, nil,
	},
	{
		"11 without retries", with(together(addsMethod), func(c *delivery.Case) { c.Units[api].Retries = 0 }), proof.Fragile,
		[]string{"{manual} skew sticky silent", "{refused} skew sticky visible", "{stale-kubelet} skew sticky silent"}, nil, nil,
	},
	{
		"11 without self-heal", with(together(addsMethod), func(c *delivery.Case) { c.Units[api].SelfHeal = false }), proof.Fragile,
		[]string{"{manual} skew sticky visible", "{refused} skew sticky silent", "{stale-kubelet} skew sticky silent"}, nil, nil,
	},
	{
		"12 one unit, a response field of another type", together(changesType), proof.Fragile,
		[]string{
			"{abort} skew sticky visible", "{churn} skew transient visible", "{manual} skew sticky silent",
			"{refused} skew sticky silent", "{reload} skew transient visible", "{stale-kubelet} skew sticky silent",
			"{undo} skew transient visible",
		}, nil, nil,
	},
	{
		"12 of a Deployment without self-heal",
		with(together(changesType), deployment, func(c *delivery.Case) { c.Units[api].SelfHeal = false }), proof.Fragile,
		[]string{
			"{churn} skew transient visible", "{manual} skew sticky visible", "{refused} skew sticky silent",
			"{reload} skew transient visible", "{stale-kubelet} skew sticky silent", "{undo} skew sticky visible",
		}, nil, nil,
	},
	{
		"13 one unit, the ConfigMap in an earlier wave",
		with(together(addsMethod), func(c *delivery.Case) { c.Objects[configMap].Place.Wave = -1 }), proof.Fragile,
		[]string{"{manual} skew sticky silent", "{stale-kubelet} skew sticky silent"}, nil, nil,
	},
	{
		"14 one unit, a content-named ConfigMap", contentNamed(), proof.Fragile,
		[]string{
			"{manual} absent transient visible", "{manual} blocked transient visible", "{refused} blocked sticky visible",
			"{stale-health} absent transient visible", "{undo} absent transient visible", "{undo} blocked transient visible",
		}, nil, nil,
	},
	{"15 the descriptor in the image", inImage(), proof.Safe, nil, nil, nil},
	{
		"16 a service added, also in the filter, which comes after the workload", withFilter(3), proof.Race,
		[]string{"{} blocked sticky visible", "{} skew sticky silent"},
		afterConfigMap, nil,
	},
	{
		"16 with the filter before the workload", withFilter(1), proof.Race,
		[]string{"{} blocked sticky visible", "{} skew sticky silent"}, // pushed late
		afterConfigMap, nil,
	},
}

// afterConfigMap is what is left of case 16 when the ConfigMap comes first. A proxy that restarts between the push of the
// filter and the kubelet's refresh of its file is refused its first configuration.
var afterConfigMap = []string{
	"{refused} skew sticky visible", "{reload} blocked transient visible", "{stale-kubelet} blocked sticky visible",
	"{stale-kubelet} skew sticky silent",
}

func with(c *delivery.Case, changes ...func(*delivery.Case)) *delivery.Case {
	for _, change := range changes {
		change(c)
	}
	return c
}

func deployment(c *delivery.Case) { c.Workloads[0].Strategy = delivery.Rolling }

func unknownImage(image int, _ delivery.Content) delivery.Outcome {
	if image == 1 {
		return delivery.Outcome{Common: delivery.Unknown, New: delivery.Unknown}
	}
	return delivery.Outcome{}
}

// contentNamed is one unit whose template names a ConfigMap of its own: objects 1 (of r0) and 2 (of r1).
func contentNamed() *delivery.Case {
	c := together(fits)
	c.Objects[configMap].Render = [][]delivery.Content{{1, 0}}
	c.Objects[configMap].PruneLast = true
	c.Objects = append(c.Objects, object(delivery.Config, configMapPlace, contents{0, 1}))
	c.Objects[2].PruneLast = true
	c.Workloads[0].Templates[1].Reads = []delivery.Read{{Object: 2}}
	c.Workloads[0].Templates[1].Provider = 2
	c.Pair.Provider = delivery.None
	return c
}

func inImage() *delivery.Case {
	c := together(changesType)
	c.Objects = c.Objects[:1]
	for t := range c.Workloads[0].Templates {
		c.Workloads[0].Templates[t].Reads = nil
		c.Workloads[0].Templates[t].Provider = delivery.None
	}
	c.Pair.Provider = delivery.None
	c.Pair.Match = func(int, delivery.Content, delivery.Content) delivery.Outcome { return delivery.Outcome{} }
	return c
}

// withFilter is two units, with an EnvoyFilter in that of the workload, whose name has this rank; the workload's has 2.
func withFilter(name uint16) *delivery.Case {
	c := split(addsMethod)
	c.Objects = append(c.Objects, object(delivery.Filter, delivery.Place{Rank: 40, Name: name, Kind: 3}, contents{1, 2}, nil))
	c.Pair.Filter = 2
	c.Pair.Match = func(image int, provider, filter delivery.Content) delivery.Outcome {
		if image == 1 && (provider == 1 || filter == 1) {
			return delivery.Outcome{New: delivery.Fails}
		}
		return delivery.Outcome{}
	}
	c.Pair.Accepts = func(_ int, provider, filter delivery.Content) bool { return filter == 1 || provider == 2 }
	return c
}

func TestSixteen(t *testing.T) {
	for _, tc := range slices.Concat(sixteen, named) {
		t.Run(tc.name, func(t *testing.T) {
			j := judge(t, tc.c)
			if j.Verdict != tc.verdict {
				t.Errorf("verdict %s, want %s (%s)", j.Verdict, tc.verdict, j.Why)
			}
			same(t, "any order", lines(j.Openings, 1), tc.all)
			same(t, "ConfigMap first", lines(j.ProviderFirst, 1), tc.first)
			have := append(lines(j.Openings, 2), lines(j.ProviderFirst, 2)...)
			for _, want := range tc.more {
				if !slices.Contains(have, want) {
					t.Errorf("%s is missing in %v", want, have)
				}
			}
			if !j.Arrives {
				t.Error("the release never arrives")
			}
			t.Logf("%d states, %d edges", j.States, j.Edges)
		})
	}
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("%s: has %s", what, g)
		}
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%s: lacks %s", what, w)
		}
	}
}
