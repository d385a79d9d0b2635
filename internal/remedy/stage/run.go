package stage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/remedy/edit"
	"github.com/syncproof/syncproof/internal/remedy/edit/law"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/source"
)

// built is a tree with its snapshot.
type built struct {
	tree  source.Tree
	files map[string][]byte // that differ from the tree that is read
	snap  *snapshot.Snapshot
}

// run is one sequence, played.
type run struct {
	stages []diag.PlanStage
	edits  []Edit
	kinds  []kind
	states []*built // before the first stage, and after each
	copies map[string]string
	notes  []string
}

// left is how much harm unusual steps still open in the stages.
func (r *run) left() int {
	n := 0
	for _, s := range r.stages {
		n += len(s.Left)
	}
	return n
}

// run plays one sequence. What refuses it comes back in words.
func (p *planner) run(ctx context.Context, s sequence) (*run, *diag.PlanPassed, error) {
	start := &built{tree: p.Discover.Tree, files: map[string][]byte{}, snap: p.Pair.Newest}
	x := &run{states: []*built{start}, copies: map[string]string{}}
	at := &site{}
	for _, step := range s.steps {
		before := x.states[len(x.states)-1]
		after, e, err := p.make(ctx, before, step, at)
		var no *edit.Refusal
		var wrong unlawful
		switch {
		case errors.As(err, &no):
			p.byHand = appendNew(p.byHand, no.ByHand)
			return nil, &diag.PlanPassed{What: s.what, Why: fmt.Sprintf("%s: %v", step.title, no)}, nil
		case errors.As(err, &wrong):
			return nil, &diag.PlanPassed{What: s.what, Why: fmt.Sprintf("%s: %v", step.title, wrong)}, nil
		case err != nil:
			return nil, nil, err
		case after == nil:
			continue // it is so already
		}
		verdict, why, err := p.court.Judge(ctx, before.snap, after.snap)
		if err != nil {
			return nil, nil, err
		}
		if why != nil {
			why.What, why.Why = s.what, step.title+": "+why.Why
			return nil, why, nil
		}
		stage := diag.PlanStage{Verdict: string(verdict.Verdict), Pairs: verdict.Pairs, Left: verdict.Left, Held: verdict.Held}
		if n := len(x.states); n > 1 {
			if stage.Rush, err = p.court.Rush(ctx, x.states[n-2].snap, after.snap); err != nil {
				return nil, nil, err
			}
		}
		p.describe(&stage, step, e, before, after, len(x.stages)+1)
		for to, from := range e.From {
			x.copies[to] = from
		}
		x.stages, x.edits, x.kinds = append(x.stages, stage), append(x.edits, e), append(x.kinds, step.kind)
		x.states, x.notes = append(x.states, after), appendNew(x.notes, e.notes...)
		if err := p.between(ctx, x); err != nil {
			return nil, nil, err
		}
	}
	return x, nil, nil
}

func appendNew(all []string, more ...string) []string {
	for _, s := range more {
		if s != "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// unlawful is an edit that comes to something else than was meant.
type unlawful string

func (u unlawful) Error() string { return string(u) }

// make makes the edits of a step, each over the one before, and renders what each comes to. It is nil if they change nothing.
func (p *planner) make(ctx context.Context, before *built, s step, at *site) (*built, Edit, error) {
	out := Edit{Files: map[string][]byte{}, From: map[string]string{}, Before: before.tree}
	now := before
	for _, change := range s.edits {
		at.Editor, at.tree, at.snap = edit.New(now.tree, now.snap, p.environments()...), now.tree, now.snap
		e, err := change(at)
		if err != nil {
			return nil, out, err
		}
		if len(e.Files) == 0 {
			continue
		}
		next, err := p.build(ctx, now, e.Files)
		if err != nil {
			return nil, out, err
		}
		verdict := law.Check(now.snap, next.snap, e.Want, e.Gone)
		if len(verdict.Wrong) > 0 {
			return nil, out, unlawful("the edit does not come to what was meant: " + verdict.Wrong[0])
		}
		for name, data := range e.Files {
			out.Files[name] = data
		}
		for to, from := range e.From {
			out.From[to] = from
		}
		out.notes = append(out.notes, e.Notes...)
		out.unseen = appendNew(out.unseen, verdict.Unseen...)
		now = next
	}
	out.settle()
	if len(out.Files) == 0 {
		return nil, out, nil
	}
	return now, out, nil
}

// settle leaves out files that are as they were, and those that came and went.
func (e *Edit) settle() {
	for name, data := range e.Files {
		was, err := e.Before.ReadFile(name)
		if err != nil && data == nil && !isDir(e.Before, name) || err == nil && data != nil && string(was) == string(data) {
			delete(e.Files, name)
			delete(e.From, name)
		}
	}
}

func isDir(t source.Tree, name string) bool {
	info, err := t.Stat(name)
	return err == nil && info.IsDir()
}

// build renders a tree with more files changed. A state is built once.
func (p *planner) build(ctx context.Context, on *built, files map[string][]byte) (*built, error) {
	all := maps.Clone(on.files)
	maps.Copy(all, files)
	key := keyOf(all)
	if b, ok := p.built[key]; ok {
		return b, nil
	}
	in := p.Discover
	in.Tree = source.Overlay(p.Discover.Tree, all)
	snap, err := snapshot.Build(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("render the edited tree: %w", err)
	}
	b := &built{tree: in.Tree, files: all, snap: snap}
	p.built[key] = b
	return b, nil
}

func keyOf(files map[string][]byte) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "%q %t %q\n", name, files[name] == nil, files[name])
	}
	return b.String()
}
