// Package trial takes a change of the structure as a release of its own: every pair that sees it, in every order, with the settings
// of the repository and with others.
//
// In go the snapshots before and after; out comes a verdict, what still opens a harm, and the settings under which the change stops
// half-way without harm. What speaks against it comes back as a sentence and a run. The package refuses to ask whether versions
// match: a stage changes nothing that pods read, which its caller has tested.
package trial

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/explain"
	"github.com/syncproof/syncproof/internal/match"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// Court judges stages.
type Court struct {
	Solver     *proof.Solver
	Controller delivery.Controller
	Keeping    bool // Argo CD knows Delete=false
	Judged     int  // Cases so far
}

// Outcome is what a stage comes to.
type Outcome struct {
	Verdict proof.Verdict // safe or fragile
	Pairs   int           // that see it
	Left    []diag.Opening
	Held    []string // settings under which it does not get to its end
}

// Judge judges a stage. What speaks against it comes back in words.
func (c *Court) Judge(ctx context.Context, before, after *snapshot.Snapshot) (Outcome, *diag.PlanPassed, error) {
	out := Outcome{Verdict: proof.Safe}
	problems := c.problems(before, after)
	if id, by, ok := c.unguarded(before, after); ok {
		why, err := c.shown(ctx, problems)
		if why == nil {
			why = &diag.PlanPassed{Why: fmt.Sprintf("nothing keeps %s when %s drops it: it may be deleted before it is adopted", id, by)}
		}
		return out, why, err
	}
	out.Pairs = len(problems)
	for _, p := range problems {
		solved, err := c.solve(ctx, p.Problem)
		if err != nil {
			return out, nil, err
		}
		if solved.Verdict != proof.Safe && solved.Verdict != proof.Fragile {
			return out, c.against(ctx, solved, ""), nil
		}
		if solved.Verdict == proof.Fragile {
			out.Verdict, out.Left = proof.Fragile, Openings(out.Left, solved)
		}
		for _, v := range variants(p) {
			solved, err := c.solve(ctx, v.problem)
			if err != nil {
				return out, nil, err
			}
			switch {
			case solved.Verdict == proof.Safe || solved.Verdict == proof.Fragile:
			case held(solved):
				if !slices.Contains(out.Held, v.name) {
					out.Held = append(out.Held, v.name)
				}
			default:
				return out, c.against(ctx, solved, v.name), nil
			}
		}
	}
	return out, nil, nil
}

// Rush says what comes of a change with the settings of the repository alone, as when two stages arrive as one; "" if that does
// no harm by ordinary steps.
func (c *Court) Rush(ctx context.Context, before, after *snapshot.Snapshot) (string, error) {
	for _, p := range c.problems(before, after) {
		solved, err := c.solve(ctx, p.Problem)
		if err != nil {
			return "", err
		}
		if solved.Verdict == proof.Race || solved.Verdict == proof.Broken {
			return c.against(ctx, solved, "").Why, nil
		}
	}
	return "", nil
}

// shown is the run that shows what comes of something that nothing keeps, nil if no pair shows it.
func (c *Court) shown(ctx context.Context, problems []staged) (*diag.PlanPassed, error) {
	for _, p := range problems {
		for _, v := range append([]variant{{"", p.Problem}}, variants(p)...) {
			solved, err := c.solve(ctx, v.problem)
			if err != nil {
				return nil, err
			}
			if solved.Verdict == proof.Race || solved.Verdict == proof.Broken {
				return c.against(ctx, solved, v.name), nil
			}
		}
	}
	return nil, nil
}

func (c *Court) solve(ctx context.Context, p cone.Problem) (proof.Solved, error) {
	c.Judged++
	return c.Solver.Solve(ctx, p)
}

// against says what a Case comes to, with the run that shows it.
func (c *Court) against(ctx context.Context, s proof.Solved, setting string) *diag.PlanPassed {
	if len(s.Openings) > 0 { // the runs were left out
		full := c.Solver.Bounds
		full.Plain = false
		if j, err := proof.Judge(ctx, s.Case, full); err == nil {
			s.Judgement = j
		}
	}
	f := explain.Finding(s, explain.Context{})
	out := &diag.PlanPassed{Why: string(s.Verdict), Steps: f.Steps}
	if f.Harm != "" {
		out.Why = strings.TrimRight(fmt.Sprintf("%s (%s, %s, %s", s.Verdict, f.Harm, f.Persistence, f.Visibility), ", ") + ")"
	}
	if s.Verdict == proof.Undecided {
		out.Why += ", " + s.Why
		if held(s) && slices.ContainsFunc(s.Case.Units, func(u delivery.Unit) bool { return u.FailOnShared }) {
			out.Why += ": with FailOnSharedResource a sync fails as long as another unit's tracking id is on the object"
		}
	}
	if setting != "" {
		out.Why += ", with " + setting
	}
	if len(f.Outcome) > 0 {
		out.Why += ": " + f.Outcome[0].What
	}
	return out
}

// held tells whether a stage merely does not get to its end: nothing is harmed.
func held(s proof.Solved) bool {
	return s.Verdict == proof.Undecided && s.Problem.Undecided == "" && !s.Arrives && s.Bound == "" && s.States > 0 &&
		!slices.ContainsFunc(s.Openings, func(o proof.Opening) bool { return len(o.Set) == 0 })
}

// Openings adds what opens a harm in a judged Case.
func Openings(all []diag.Opening, s proof.Solved) []diag.Opening {
	for _, o := range s.Openings {
		one := diag.Opening{Needs: []string{}, Harm: string(o.Harm), Persistence: string(o.Persistence), Visibility: string(o.Visibility), Maybe: o.Maybe}
		for _, k := range o.Set {
			one.Needs = append(one.Needs, k.String())
		}
		if !slices.ContainsFunc(all, func(x diag.Opening) bool { return slices.Equal(x.Needs, one.Needs) && x.Harm == one.Harm }) {
			all = append(all, one)
		}
	}
	return all
}

// problems are the pairs that see a stage. No stage changes what is read: what pods read and what they run fit as well as before,
// which is all that a stage can be asked.
func (c *Court) problems(before, after *snapshot.Snapshot) []staged {
	rel := cone.NewRelease([]cone.Revision{{Hash: "before", Short: "before"}, {Hash: "stage", Short: "the stage"}}, []*snapshot.Snapshot{before, after})
	var out []staged
	for _, e := range rel.Pairs(func(refgraph.Pair) bool { return true }) {
		if e.Consumer.Kind == "EnvoyFilter" || e.Provider.Kind == "EnvoyFilter" {
			continue // judged with the workload whose proxy it configures
		}
		problem, ok := cone.Build(rel, e, cone.Setting{Controller: c.Controller, Matcher: &match.Matcher{}})
		if !ok {
			continue
		}
		same := func(_ int, provider, _ delivery.Content) delivery.Outcome { return delivery.Outcome{} }
		problem.Case.Pair.Match = same
		if sameTemplate(before, after, e.Consumer) {
			problem.Undecided = "" // how pods are replaced does not matter where none are
		}
		out = append(out, c.leaves(problem, before, after))
	}
	return out
}

// sameTemplate tells whether a stage leaves the pods of a consumer alone.
func sameTemplate(before, after *snapshot.Snapshot, id object.ID) bool {
	a, _ := before.Object(id)
	b, _ := after.Object(id)
	return reflect.DeepEqual(object.Get(a.Fields, "spec"), object.Get(b.Fields, "spec"))
}

// leaves makes units that a stage removes do what their Applications do when they are deleted: with the finalizer they take along
// all that carries their tracking id, but for what says Delete=false; without it nothing [C4].
func (c *Court) leaves(problem cone.Problem, before, after *snapshot.Snapshot) staged {
	out := staged{Problem: problem}
	for n, name := range problem.Names.Units {
		was, there := find(before, name.ID)
		if _, stays := find(after, name.ID); !there || stays || was.Kind != unit.Application {
			continue
		}
		u := &problem.Case.Units[n]
		cascades := finalized(before, was)
		u.Automated, u.Prune, u.AllowEmpty = true, cascades, cascades
		out.retired = append(out.retired, name.ID)
		for i := range problem.Case.Objects {
			o := &problem.Case.Objects[i]
			if o.Render == nil || o.Render[n] == nil || o.Render[n][0] == 0 {
				continue
			}
			o.PruneLast = false
			o.NoPrune = c.Keeping && keeps(before, was.ID, problem.Names.Objects[i].ID)
		}
	}
	return out
}

const syncOptions = "argocd.argoproj.io/sync-options"

// staged is a pair in a stage.
type staged struct {
	cone.Problem
	retired []unit.ID // units that leave
}

// keeps tells whether an object of a unit says that it stays when the unit goes. Of what stands for several, all have to.
func keeps(s *snapshot.Snapshot, in unit.ID, id object.ID) bool {
	u, _ := find(s, in)
	for _, o := range u.Objects {
		if (id == (object.ID{}) || o.ID == id) && !strings.Contains(o.Annotations()[syncOptions], "Delete=false") {
			return false
		}
	}
	return true
}

// unguarded is an object that a unit drops while nothing keeps it, if another unit delivers it then.
func (c *Court) unguarded(before, after *snapshot.Snapshot) (object.ID, string, bool) {
	for _, u := range before.Units {
		now, stays := find(after, u.ID)
		mark := "Prune=false"
		if !stays {
			mark = "Delete=false"
			if u.Kind == unit.Application && !finalized(before, u) {
				continue // it leaves everything behind
			}
		}
		for _, o := range u.Objects {
			has := func(d []object.Object) bool {
				return slices.ContainsFunc(d, func(x object.Object) bool { return x.ID == o.ID })
			}
			if has(now.Objects) || (stays || c.Keeping) && strings.Contains(o.Annotations()[syncOptions], mark) {
				continue
			}
			for _, other := range after.Units {
				if other.ID != u.ID && has(other.Objects) {
					return o.ID, before.Names[u.ID], true
				}
			}
		}
	}
	return object.ID{}, "", false
}
