// Package stage finds the way from a repository to what a remedy makes of it: a sequence of commits, each of which is a release
// that does no harm in any order in which its parts can arrive.
//
// In go the tree that is read, the pair with its real releases, and the name of a remedy; out comes a [Plan]: what each commit
// changes, what it comes to when it is rendered, what the proof says of it, and what has to be waited for before the next one.
// Sequences are tried from the shortest on, and the first whose every stage is proved is taken. The package refuses to hand out
// a stage that renders to anything but what was meant, or that no sequence makes harmless: then nothing is written, and the plan
// says why. It writes no file and runs no git.
//
// Reading order: sequence.go (the ways that are tried), run.go (one way, stage by stage), prove.go (a stage as a release), release.go
// (the newest real release on the changed tree), words.go.
package stage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/remedy"
	"github.com/syncproof/syncproof/internal/remedy/stage/again"
	"github.com/syncproof/syncproof/internal/remedy/stage/trial"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// Input is a pair and where it lives.
type Input struct {
	Discover discover.Input // the revision that is read; Pair.Newest is its snapshot
	Pair     remedy.Input
	Remedies []diag.Remedy // as judged, the best first
	// Tree gives the tree of a commit, for the releases of the pair. Nil: no release is made again.
	Tree func(ctx context.Context, hash string) (source.Tree, error)
}

// Plan is a plan with what its stages write.
type Plan struct {
	diag.Plan
	Edits []Edit // by stage
}

// Edit is what a stage writes.
type Edit struct {
	Files  map[string][]byte // content by slash path, nil deletes
	From   map[string]string // of new files: the file that each is a copy of
	Before source.Tree       // what it is written over

	notes  []string
	unseen []string
}

// ErrUnknown says that no remedy has a name.
var ErrUnknown = errors.New("no remedy is called")

// Written are the remedies that can be written as stages. The others change how a release is made, or what runs beside Argo CD.
func Written() []string {
	return []string{"multi-source", "own-wave", "co-locate", "merge-units", "content-named"}
}

// Make plans a remedy. With no name it is the best one that can be written. Errors are those of the context, or failures of ours.
func Make(ctx context.Context, in Input, name string) (Plan, error) {
	p := newPlanner(in)
	if name != "" {
		i := slices.IndexFunc(in.Remedies, func(r diag.Remedy) bool { return r.Name == name })
		if i < 0 {
			return Plan{}, fmt.Errorf("%w %s: say %s", ErrUnknown, name, strings.Join(Written(), ", "))
		}
		return p.plan(ctx, in.Remedies[i])
	}
	if p.situated() && p.together() && !p.unfinished() {
		return Plan{Plan: diag.Plan{Done: true, Stages: []diag.PlanStage{}, Notes: []string{p.alreadyOne()}}}, nil
	}
	var passed []diag.PlanPassed
	for _, r := range in.Remedies {
		if r.Refused != "" || r.Rank == 0 {
			continue
		}
		if !slices.Contains(Written(), r.Name) {
			passed = append(passed, diag.PlanPassed{What: r.Name, Why: "no edit of what is delivered makes it: " + r.What})
			continue
		}
		if r.Verdict == string(proof.Race) || r.Verdict == string(proof.Broken) {
			passed = append(passed, diag.PlanPassed{What: r.Name, Why: "it does not help: " + r.Verdict + " in the real releases"})
			continue
		}
		plan, err := p.plan(ctx, r)
		if err != nil {
			return Plan{}, err
		}
		if plan.Refused == "" {
			plan.Passed = append(passed, plan.Passed...)
			return plan, nil
		}
		passed = append(passed, diag.PlanPassed{What: r.Name, Why: plan.Refused})
	}
	return Plan{Plan: diag.Plan{
		Refused: "no remedy that helps can be written as edits of this repository",
		Stages:  []diag.PlanStage{}, Passed: passed, ByHand: p.byHand,
	}}, nil
}

// plan tries the sequences of one remedy.
func (p *planner) plan(ctx context.Context, r diag.Remedy) (Plan, error) {
	out := Plan{Plan: diag.Plan{Remedy: r.Name, What: r.What, Reason: r.Reason, Stages: []diag.PlanStage{}}}
	if why := p.unwritable(r); why != "" {
		out.Refused = why
		return out, nil
	}
	p.byHand, p.court.Judged = nil, 0
	best, passed, err := p.try(ctx, p.sequences(r.Name))
	if err != nil {
		return out, err
	}
	out.Passed, out.Judged = passed, p.court.Judged
	if best == nil {
		out.ByHand = p.byHand
		if slices.Contains(p.to.Policy.SyncOptions, "FailOnSharedResource=true") {
			out.ByHand = appendNew(out.ByHand, "take FailOnSharedResource=true out of the syncOptions of "+p.name(p.to.ID)+" while the object moves, and put it back at the end")
		}
		out.Refused = "no sequence of stages is proved: " + passed[len(passed)-1].Why
		return out, nil
	}
	out.Stages, out.Edits, out.Notes = best.stages, best.edits, best.notes
	out.Done = len(best.stages) == 0
	out.Notes = append(append(out.Notes, notes(r)...), p.settings()...)
	if !out.Done {
		out.Variations = trial.Variations()
		out.End, err = p.end(ctx, best)
		out.ByHand = append(append(out.ByHand, p.rewiring(best)...), p.mentions(best)...)
	}
	return out, err
}

// notes say what a remedy does not do.
func notes(r diag.Remedy) []string {
	var out []string
	if r.Verdict == string(proof.Race) || r.Verdict == string(proof.Broken) {
		out = append(out, "with this remedy the real releases of the pair are "+r.Verdict+" still")
	}
	for _, o := range r.Others {
		if o.Verdict != string(proof.Safe) && o.Verdict != string(proof.Fragile) {
			out = append(out, fmt.Sprintf("it is none for %s of %s, which reads it, too: %s today, %s then", o.Consumer, o.Unit, o.Today, o.Verdict))
		}
	}
	return out
}

// settings say what becomes of what moves that its old Application says, and its new one does not.
func (p *planner) settings() []string {
	from, to := p.from, p.to
	if from.ID == to.ID {
		return nil
	}
	var out []string
	if from.Project != to.Project {
		out = append(out, fmt.Sprintf("%s is of project %q, %s of project %q: that has to permit what moves, or %s does not sync at all",
			p.name(from.ID), from.Project, p.name(to.ID), to.Project, p.name(to.ID)))
	}
	var lost []string
	for _, o := range from.Policy.SyncOptions {
		if !slices.Contains(to.Policy.SyncOptions, o) {
			lost = append(lost, o)
		}
	}
	if len(lost) > 0 {
		out = append(out, fmt.Sprintf("%s does not have the sync options of %s: %s", p.name(to.ID), p.name(from.ID), strings.Join(lost, ", ")))
	}
	if from.Policy.Automated != to.Policy.Automated {
		by := map[bool]string{true: "by itself", false: "by hand"}
		out = append(out, fmt.Sprintf("%s is synced %s, %s %s: so is what moves from then on", p.name(from.ID), by[from.Policy.Automated], p.name(to.ID), by[to.Policy.Automated]))
	}
	return out
}

// try runs sequences and gives the first that is safe, else the one with the least left.
func (p *planner) try(ctx context.Context, sequences []sequence) (*run, []diag.PlanPassed, error) {
	var best *run
	var passed []diag.PlanPassed
	for _, s := range sequences {
		x, why, err := p.run(ctx, s)
		if err != nil {
			return nil, nil, err
		}
		if why != nil {
			passed = append(passed, *why)
			continue
		}
		if x.left() == 0 {
			return x, passed, nil
		}
		if best == nil || x.left() < best.left() {
			best = x
		}
	}
	return best, passed, nil
}

// planner is what is known while a plan is made.
type planner struct {
	Input
	place           // the one that is spoken of
	places  []place // all of them
	problem string  // why there is no one unit of each end
	solver  proof.Solver
	court   trial.Court
	built   map[string]*built
	byHand  []string
	looked  bool // for the newest release
	newest  *again.Release
	today   *diag.PlanRelease // the newest release on the tree that is read
}

func newPlanner(in Input) *planner {
	p := &planner{Input: in, solver: proof.Solver{Bounds: in.Pair.Bounds}, built: map[string]*built{}}
	p.solver.Bounds.Plain = true
	p.court = trial.Court{Solver: &p.solver, Keeping: !before(in.Discover.Config.Controller.ArgoCD, 2, 7)}
	if n := len(in.Pair.Releases); n > 0 {
		p.court.Controller = in.Pair.Releases[n-1].Setting(in.Pair.Releases[n-1].Ends).Controller
	}
	p.place, p.problem = placeOf(in.Pair.Newest, in.Pair.Ends)
	p.places = []place{p.place}
	for _, e := range elsewhere(in.Pair) {
		if at, problem := placeOf(in.Pair.Newest, e); problem == "" {
			p.places = append(p.places, at)
		}
	}
	return p
}

// place is one of the places where the pair stands: a cluster or an environment.
type place struct {
	ends     cone.Ends
	from, to discover.Delivered // the units of provider and consumer
}

// elsewhere is the pair in other clusters.
func elsewhere(in remedy.Input) []cone.Ends {
	var out []cone.Ends
	for _, ref := range in.Newest.Graph.References {
		e := cone.Ends{Consumer: ref.Consumer, Provider: ref.Provider}
		if e != in.Ends && alike(e.Consumer, in.Ends.Consumer) && alike(e.Provider, in.Ends.Provider) && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// environments are the units of each place, for edits of files that places share.
func (p *planner) environments() [][]unit.ID {
	if len(p.places) < 2 {
		return nil
	}
	var out [][]unit.ID
	for _, at := range p.places {
		out = append(out, []unit.ID{at.to.ID, at.from.ID})
	}
	return out
}

func (p *planner) situated() bool { return p.problem == "" }
func (p *planner) together() bool { return p.from.ID == p.to.ID }

// placeOf are the units that deliver provider and consumer. Where a unit delivers both, it is both.
func placeOf(s *snapshot.Snapshot, e cone.Ends) (at place, problem string) {
	holders := func(id object.ID) []discover.Delivered {
		var out []discover.Delivered
		for _, u := range s.Units {
			if slices.ContainsFunc(u.Objects, func(o object.Object) bool { return o.ID == id }) {
				out = append(out, u)
			}
		}
		return out
	}
	providers, consumers := holders(e.Provider), holders(e.Consumer)
	at.ends = e
	switch {
	case len(consumers) != 1:
		return at, fmt.Sprintf("%s is delivered by %d units: that has to end first", e.Consumer, len(consumers))
	case len(providers) == 0:
		return at, fmt.Sprintf("nothing delivers %s", e.Provider)
	}
	at.to, at.from = consumers[0], providers[0]
	if len(providers) == 1 {
		return at, ""
	}
	others := slices.DeleteFunc(providers, func(u discover.Delivered) bool { return u.ID == at.to.ID })
	if len(others) > 1 {
		return at, fmt.Sprintf("%s is delivered by %d units: that has to end first", e.Provider, len(others))
	}
	at.from = others[0] // half-way: both deliver it
	return at, ""
}

// name is a unit's short name. The units of the place that is spoken of stand for those of all places.
func (p *planner) name(id unit.ID) string {
	var all []string
	for _, at := range p.places {
		switch {
		case id == p.from.ID && !p.together():
			all = appendNew(all, p.Pair.Newest.Names[at.from.ID])
		case id == p.to.ID:
			all = appendNew(all, p.Pair.Newest.Names[at.to.ID])
		}
	}
	if len(all) > 0 {
		slices.Sort(all)
		if n := len(all); n > 3 {
			all = append(all[:2], fmt.Sprintf("%d more", n-2))
		}
		return strings.Join(all, ", ")
	}
	return p.Pair.Newest.Names[id]
}

// before tells whether a version, "2.14" or "2.14.3", is older than another one.
func before(version string, major, minor int) bool {
	var a, b int
	if n, err := fmt.Sscanf(version, "%d.%d", &a, &b); err != nil || n != 2 {
		return false
	}
	return a < major || a == major && b < minor
}

func find(s *snapshot.Snapshot, id unit.ID) (discover.Delivered, bool) {
	i := slices.IndexFunc(s.Units, func(u discover.Delivered) bool { return u.ID == id })
	if i < 0 {
		return discover.Delivered{}, false
	}
	return s.Units[i], true
}
