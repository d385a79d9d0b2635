package proof_test

import (
	"slices"
	"testing"

	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/proof"
)

// further are cases for facts that the smallest ones and the named ones do not rest on. What they open was typed by hand from
// the facts that their names cite.
var further = []row{
	{
		"11 with a ConfigMap whose name comes last [A1.3]",
		with(together(addsMethod), func(c *delivery.Case) { c.Objects[configMap].Place.Name = 3 }), proof.Fragile,
		[]string{"{manual} skew sticky silent", "{refused} skew sticky silent", "{stale-kubelet} skew sticky silent"}, nil, nil,
	},
	{
		"two custom resources, the provider's name first [A1.4]", routes(newNeedsNew, contents{1, 2}, contents{1, 2}), proof.Fragile,
		[]string{"{manual} skew transient visible", "{refused} skew sticky visible"}, nil, nil,
	},
	{
		"a route stops naming a backend that goes with it [A1.7]", routes(oldNeedsOld, contents{1, 2}, contents{1, 0}), proof.Race,
		[]string{"{} skew transient visible", "{refused} skew sticky visible"},
		[]string{"{} skew transient visible", "{refused} skew sticky visible"}, nil,
	},
	{
		"an object replaces one that it must not meet [A1.14]", routes(newHatesOld, contents{1, 2}, contents{1, 0}), proof.Fragile,
		[]string{"{manual} skew transient visible"}, nil, nil, // it prunes nothing [A6.11]
	},
	{"both go, the reader's wave is the later one [A4.1]", bothGo(false), proof.Safe, nil, nil, nil},
	{
		"both go, in Argo CD 2.10 [A4.1]", bothGo(true), proof.Race,
		[]string{"{} skew transient visible"}, []string{"{} skew transient visible"}, nil,
	},
	{
		"a canary that hangs, and its repair [A2.1]", hanging(0), proof.Race,
		[]string{"{} blocked transient visible", "{stuck} blocked sticky visible", "{refused} blocked sticky visible"},
		nil, nil,
	},
	{
		"a canary that hangs in front of a later wave, and its repair [A2.4, A2.7, D2.9]", hanging(1), proof.Race,
		[]string{"{} blocked transient visible", "{stuck} blocked sticky visible", "{refused} blocked sticky visible"},
		nil, nil,
	},
	{
		"a hook whose kind comes late waits for the ConfigMap all the same [A1.2]",
		with(barrier(addsMethod), func(c *delivery.Case) { c.Objects[2].Place.Rank, c.Objects[2].Place.Name = 40, 3 }), proof.Fragile,
		[]string{"{manual} skew sticky silent", "{stale-kubelet} skew sticky silent"}, nil, nil,
	},
	{
		"14 of a RollingSync, in three waves [A6.1]", waved(true), proof.Fragile,
		[]string{
			"{manual} absent sticky visible", "{manual} blocked transient visible", "{stale-health} absent transient visible",
			"{undo} absent sticky visible", "{undo} blocked sticky visible",
		}, nil, nil,
	},
	{
		"14 in three waves, without self-heal [A6.13]", waved(false), proof.Fragile,
		[]string{
			"{manual} blocked sticky visible", "{stale-health} absent transient visible",
			"{undo} absent sticky visible", "{undo} blocked sticky visible",
		}, nil, nil,
	},
	{
		"the ConfigMap in one commit, the image in the next, and the unit takes both at once [B8]", twoCommits(), proof.Fragile,
		[]string{"{manual} skew sticky silent", "{refused} skew sticky silent", "{stale-kubelet} skew sticky silent"}, nil, nil,
	},
	{
		"a ConfigMap in a later wave than its reader [D1.2]", imageFirst(), proof.Fragile,
		[]string{"{undo} skew transient visible"}, nil,
		[]string{
			"{abort,stale-health} skew sticky visible", "{churn,stale-health} skew transient visible",
			"{reload,stale-health} skew transient visible",
		},
	},
	{
		"the same of a DaemonSet [D1.3]",
		with(imageFirst(), deployment, func(c *delivery.Case) { c.Workloads[0].ReplacesFromNew = true }), proof.Fragile,
		[]string{"{undo} skew transient visible"}, nil,
		[]string{"{churn,stale-health} skew transient visible", "{reload,stale-health} skew transient visible"}, // pending since before
	},
	{
		"2 with traffic routing [D2.3]", with(split(changesType), routed(false)), proof.Race,
		[]string{"{} skew sticky silent"},
		[]string{
			"{churn} skew transient silent", "{reload} skew transient silent", "{stale-kubelet} skew sticky silent",
			"{undo} skew transient visible",
		},
		[]string{"{churn,abort} skew sticky visible", "{reload,abort} skew sticky visible"},
	},
	{
		"2 with traffic routing and dynamicStableScale [D2.3]", with(split(changesType), routed(true)), proof.Race,
		[]string{"{} skew sticky silent"},
		[]string{
			"{abort} skew sticky visible", "{churn} skew transient silent", "{reload} skew transient silent",
			"{stale-kubelet} skew sticky silent", "{undo} skew transient visible",
		}, nil,
	},
	{
		"a new key of the environment [D4.1]", newKey(), proof.Race,
		[]string{"{} blocked transient visible", "{refused} blocked sticky visible", "{stuck} blocked sticky visible"},
		[]string{}, nil,
	},
	{
		"11 with an immutable ConfigMap [D4.5]",
		with(together(addsMethod), func(c *delivery.Case) { c.Objects[configMap].Immutable = true }), proof.Race,
		[]string{"{} skew sticky visible", "{} blocked sticky visible"}, nil, nil,
	},
	{
		"2 read by a process that follows its file [D4.6]", with(split(changesType), follows), proof.Race,
		[]string{
			"{} skew transient silent", "{abort} skew sticky visible", "{refused} skew sticky visible", "{stuck} skew sticky visible",
		},
		[]string{
			"{} skew transient silent", "{abort} skew sticky visible", "{refused} skew sticky visible", "{stuck} skew sticky visible",
		}, nil,
	},
	{
		"1 of a blue-green rollout [D2.4]",
		with(split(addsMethod), func(c *delivery.Case) { c.Workloads[0].Strategy = delivery.BlueGreen }), proof.Race,
		[]string{"{} skew sticky silent"}, []string{"{stale-kubelet} skew sticky silent"}, nil,
	},
	{
		"RollingSync with a second commit [B10.2]", rollingTwice(), proof.Race,
		[]string{"{} skew sticky silent"}, nil, nil,
	},
	{
		"a canary that hangs is given up [D2.8]", givenUp(), proof.Race,
		[]string{
			"{} blocked transient visible", "{refused} blocked sticky visible", "{stuck} blocked sticky visible", "{undo} absent transient visible",
		}, nil, nil,
	},
}

// rollingTwice is a RollingSync over two commits. Only the second one's image needs its own ConfigMap.
func rollingTwice() *delivery.Case {
	c := rollingSync()
	c.Last = 2
	c.Objects[rollout].Render = []contents{{1, 2, 3}, nil}
	c.Objects[configMap].Render = []contents{nil, {1, 2, 3}}
	c.Workloads[0].Templates = append(c.Workloads[0].Templates, c.Workloads[0].Templates[0])
	c.Workloads[0].Templates[2].Image = 2
	c.Workloads[0].Template = map[delivery.Content]int{1: 0, 2: 1, 3: 2}
	c.Pair.Match = func(image int, provider, _ delivery.Content) delivery.Outcome {
		if image == 2 && provider != 3 {
			return delivery.Outcome{New: delivery.Fails}
		}
		return delivery.Outcome{}
	}
	return c
}

// givenUp is a canary that cannot start, since one of the ConfigMaps that it names does not exist, and the commit that takes
// it back, and with it the other one.
func givenUp() *delivery.Case {
	c := hanging(0)
	c.Objects[rollout].Render = []contents{{1, 2, 1}}
	c.Objects = append(c.Objects, object(delivery.Config, configMapPlace, contents{0, 1, 0}))
	c.Objects[4].PruneLast = true
	c.Workloads[0].Templates[1].Reads = []delivery.Read{{Object: 2}, {Object: 4}}
	return c
}

// How a consumer's version goes with its provider's, for pairs without pods.
func newNeedsNew(consumer int, provider delivery.Content) bool { return consumer == 1 || provider == 2 }
func oldNeedsOld(consumer int, provider delivery.Content) bool { return consumer == 2 || provider == 1 }
func newHatesOld(consumer int, provider delivery.Content) bool { return consumer == 1 || provider == 0 }

// routes is one unit with two custom resources of different kinds, one of which reads the other and comes after it by name.
func routes(fit func(int, delivery.Content) bool, consumer, provider contents) *delivery.Case {
	return &delivery.Case{
		Last:  1,
		Units: []delivery.Unit{automated},
		Objects: []delivery.Object{
			object(delivery.Plain, delivery.Place{Rank: 40, Name: 2, Kind: 1}, consumer),
			object(delivery.Plain, delivery.Place{Rank: 40, Name: 1, Kind: 2}, provider),
		},
		Pair: delivery.Pair{
			Workload: delivery.None, Consumer: 0, Provider: 1, Filter: delivery.None,
			Match: func(consumer int, provider, _ delivery.Content) delivery.Outcome {
				if fit(consumer, provider) {
					return delivery.Outcome{}
				}
				return delivery.Outcome{Common: delivery.Fails}
			},
		},
	}
}

func bothGo(inOrder bool) *delivery.Case {
	c := routes(oldNeedsOld, contents{1, 0}, contents{1, 0})
	c.Objects[0].Place.Wave = 1
	c.Controller.PruneInOrder = inOrder
	return c
}

// hanging is a release whose pods want a ConfigMap that nobody has, and a second one that repairs it. A wave behind the
// rollout holds something else.
func hanging(waves int16) *delivery.Case {
	c := together(fits)
	c.Last = 2
	c.Objects[rollout].Render = []contents{{1, 2, 3}}
	c.Objects[configMap].Render = []contents{{1, 1, 1}}
	c.Objects = append(c.Objects, object(delivery.Config, configMapPlace, contents{0, 0, 0}))
	c.Objects = append(c.Objects, object(delivery.Rest, delivery.Place{Wave: waves, Rank: 255, Kind: 255}, contents{1, 1, 1}))
	reads := c.Workloads[0].Templates[0]
	c.Workloads[0].Templates = []delivery.Template{reads, {Image: 0, Provider: 2, Reads: []delivery.Read{{Object: 2}}}, reads}
	c.Workloads[0].Template = map[delivery.Content]int{1: 0, 2: 1, 3: 2}
	return c
}

// waved is a content-named ConfigMap, its reader in the wave behind it, and its pruning behind both.
func waved(rolling bool) *delivery.Case {
	c := contentNamed()
	c.Objects[rollout].Place.Wave = 1
	c.Units[api].SelfHeal = false
	if rolling {
		c.Units[api].Automated, c.Units[api].Step = false, 1
	}
	return c
}

func twoCommits() *delivery.Case {
	c := together(addsMethod)
	c.Last = 2
	c.Objects[rollout].Render = []contents{{1, 1, 2}}
	c.Objects[configMap].Render = []contents{{1, 2, 2}}
	return c
}

// imageFirst is a change that old pods must not read, with the ConfigMap in a later wave than the workload.
func imageFirst() *delivery.Case {
	c := together(func(image int, provider delivery.Content) delivery.Outcome {
		if image == 0 && provider == 2 {
			return delivery.Outcome{Common: delivery.Fails}
		}
		return delivery.Outcome{}
	})
	c.Objects[configMap].Place.Wave = 1
	return c
}

func routed(dynamic bool) func(*delivery.Case) {
	return func(c *delivery.Case) {
		c.Workloads[0].Strategy, c.Workloads[0].DynamicStable = delivery.RoutedCanary, dynamic
	}
}

// newKey is an image whose environment takes a key that the ConfigMap of r0 lacks.
func newKey() *delivery.Case {
	c := split(fits)
	c.Pair.Mounted, c.Pair.Proxy = false, false
	c.Pair.Blocks = func(image int, provider delivery.Content) bool { return image == 1 && provider == 1 }
	return c
}

func follows(c *delivery.Case) { c.Pair.How, c.Pair.Proxy = delivery.Follows, false }

func TestFurther(t *testing.T) {
	for _, tc := range further {
		t.Run(tc.name, func(t *testing.T) { tc.hold(t) })
	}
}

// hold judges a row.
func (r row) hold(t *testing.T) {
	t.Helper()
	j := judge(t, r.c)
	if j.Verdict != r.verdict {
		t.Errorf("verdict %s, want %s (%s)", j.Verdict, r.verdict, j.Why)
	}
	same(t, "any order", lines(j.Openings, 1), r.all)
	if r.first != nil {
		same(t, "provider first", lines(j.ProviderFirst, 1), r.first)
	}
	for _, want := range r.more {
		if !slices.Contains(slices.Concat(lines(j.Openings, 2), lines(j.ProviderFirst, 2)), want) {
			t.Errorf("%s is missing in %v", want, lines(j.Openings, 2))
		}
	}
}
