// Package schedule changes when things are done in a release: which commit comes first, who starts a sync, what pods read.
//
// In goes the Case of a release, out come those of the releases that stand in its place, each to be judged by the same proof. The
// package refuses to judge, and leaves alone what a schedule cannot help.
package schedule

import (
	"slices"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/delivery"
)

// Schedule changes when things are done in one release, or what is read. It gives the releases that stand in the place of that
// one, each a Case of its own: all of them have to be safe.
type Schedule func(cone.Problem) []cone.Problem

// with is a problem with another Case.
func with(p cone.Problem, c *delivery.Case) cone.Problem {
	p.Case = c
	return p
}

// cloned is a Case whose slices are its own.
func cloned(c *delivery.Case) *delivery.Case {
	out := *c
	out.Units, out.Objects, out.Workloads = slices.Clone(c.Units), slices.Clone(c.Objects), slices.Clone(c.Workloads)
	for o := range out.Objects {
		out.Objects[o].Render = slices.Clone(c.Objects[o].Render)
		for u := range out.Objects[o].Render {
			out.Objects[o].Render[u] = slices.Clone(c.Objects[o].Render[u])
		}
	}
	for w := range out.Workloads {
		out.Workloads[w].Templates = slices.Clone(c.Workloads[w].Templates)
	}
	return &out
}

// Read is the object that the pair's consumer reads, or None where names tell contents.
func Read(c *delivery.Case) int {
	if c.Pair.Inline {
		return c.Pair.Filter
	}
	return c.Pair.Provider
}

// both tells whether a release changes both ends, so that there is an order to keep.
func both(c *delivery.Case) bool {
	return c.Last == 1 && Read(c) != delivery.None && c.Varies(Read(c)) && c.Varies(c.Pair.Consumer)
}

// Split makes two releases of one that changes both ends: one side's, then all the rest. The first is judged by itself, too: its
// end is a state that stays. Waits: the second one comes when the first has arrived everywhere.
func Split(first func(*delivery.Case) int, waits bool) Schedule {
	return func(p cone.Problem) []cone.Problem {
		if !both(p.Case) {
			return []cone.Problem{p}
		}
		ahead := first(p.Case)
		alone, all := cloned(p.Case), cloned(p.Case)
		all.Last, all.Waits = 2, waits
		for o := range all.Objects {
			for u, row := range p.Case.Objects[o].Render {
				switch {
				case row == nil:
				case o == ahead:
					all.Objects[o].Render[u] = []delivery.Content{row[0], row[1], row[1]}
				default:
					all.Objects[o].Render[u] = []delivery.Content{row[0], row[0], row[1]}
					alone.Objects[o].Render[u] = []delivery.Content{row[0], row[0]}
				}
			}
		}
		return []cone.Problem{with(p, alone), with(p, all)}
	}
}

// Consumer is the object that reads: the other one that may go first.
func Consumer(c *delivery.Case) int { return c.Pair.Consumer }

// delivers are the units that render an object at some revision.
func delivers(c *delivery.Case, o int) []int {
	var out []int
	for u := range c.Units {
		if o != delivery.None && c.Objects[o].Render != nil && slices.ContainsFunc(c.Objects[o].Render[u], func(x delivery.Content) bool { return x != 0 }) {
			out = append(out, u)
		}
	}
	return out
}

// Steps puts the provider's units into a first step and all others into a second one, started by a RollingSync or by an
// orchestrator, and never by themselves.
func Steps(serial bool) Schedule {
	return func(p cone.Problem) []cone.Problem {
		c := cloned(p.Case)
		ahead := delivers(c, Read(c))
		for u := range c.Units {
			c.Units[u].Automated, c.Units[u].SelfHeal, c.Units[u].Step = false, false, 2
			if slices.Contains(ahead, u) {
				c.Units[u].Step = 1
			}
			if c.Units[u].Retries == 0 {
				c.Units[u].Retries = stepRetries
			}
		}
		c.Serial = serial
		return []cone.Problem{with(p, c)}
	}
}

// stepRetries is how often what a RollingSync starts is tried again, if the policy does not say [B10.2].
const stepRetries = 5

// AppWaves delivers all units' Applications from one more unit, each pinned to its revision, the provider's in an earlier wave.
func AppWaves(health bool) Schedule {
	return func(p cone.Problem) []cone.Problem {
		c := cloned(p.Case)
		ahead := delivers(c, Read(c))
		c.Controller.ApplicationHealth = c.Controller.ApplicationHealth || health
		parent := len(c.Units)
		c.Units = append(c.Units, delivery.Unit{Automated: true, Prune: true, SelfHeal: true, Retries: 5, Spec: delivery.None, Keeps: true})
		for o := range c.Objects {
			if c.Objects[o].Render != nil {
				c.Objects[o].Render = append(c.Objects[o].Render, nil)
			}
		}
		name, kind := beyond(c)
		for u := range parent {
			if c.Units[u].Spec != delivery.None {
				continue // pinned already, by somebody else
			}
			app := delivery.Object{Kind: delivery.Application, Watch: delivery.None, Needs: delivery.None,
				Place: delivery.Place{Wave: 1, Rank: customRank, Name: name + uint16(u), Kind: kind}}
			if slices.Contains(ahead, u) {
				app.Place.Wave = 0
			}
			app.Render = make([][]delivery.Content, len(c.Units))
			for rev := range c.Last + 1 {
				app.Render[parent] = append(app.Render[parent], delivery.Content(rev+1))
			}
			c.Units[u].Spec = len(c.Objects)
			c.Objects = append(c.Objects, app)
		}
		return []cone.Problem{with(p, c)}
	}
}

// Ranks of kinds as Argo CD orders them [A1.3]: custom resources come last, Jobs before them.
const (
	customRank = 36
	jobRank    = 31
)

// beyond are ranks of a name and a kind that no object of a Case has.
func beyond(c *delivery.Case) (name uint16, kind uint8) {
	for _, o := range c.Objects {
		if o.Kind != delivery.Rest {
			name, kind = max(name, o.Place.Name+1), max(kind, o.Place.Kind+1)
		}
	}
	return name, kind
}

// Barrier is a hook of the consumer's unit that runs before anything else of it, and ends when the provider is as that revision
// has it [B11.3].
func Barrier(p cone.Problem) []cone.Problem {
	c := cloned(p.Case)
	provider := Read(c)
	if provider == delivery.None || unitsMeet(delivers(c, provider), delivers(c, c.Pair.Consumer)) {
		return []cone.Problem{p}
	}
	name, kind := beyond(c)
	hook := delivery.Object{Kind: delivery.Barrier, Watch: provider, Needs: delivery.None, Render: make([][]delivery.Content, len(c.Units)),
		Place: delivery.Place{Phase: -1, Wave: barrierWave, Rank: jobRank, Name: name, Kind: kind}}
	for _, u := range delivers(c, c.Pair.Consumer) {
		for rev := range c.Last + 1 {
			hook.Render[u] = append(hook.Render[u], fresh(c, provider, rev))
		}
	}
	c.Objects = append(c.Objects, hook)
	return []cone.Problem{with(p, c)}
}

// barrierWave is before any wave of hooks that people use.
const barrierWave = -10_000

func unitsMeet(a, b []int) bool {
	return slices.ContainsFunc(a, func(u int) bool { return slices.Contains(b, u) })
}

// fresh is the content that an object has when everything is fresh at a revision.
func fresh(c *delivery.Case, o, rev int) delivery.Content {
	var content delivery.Content
	for c.Objects[o].Derived {
		o = c.Objects[o].Watch
	}
	for _, row := range c.Objects[o].Render {
		if row != nil && row[rev] != 0 {
			content = row[rev]
		}
	}
	return content
}

// Reloader makes the consumer's pods anew after the provider changed [D5.6].
func Reloader(p cone.Problem) []cone.Problem {
	c := cloned(p.Case)
	if w := c.Pair.Workload; w != delivery.None {
		c.Workloads[w].Reloader = true
	}
	return []cone.Problem{with(p, c)}
}
