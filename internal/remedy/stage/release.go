package stage

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/proof"
	"github.com/syncproof/syncproof/internal/refgraph"
	"github.com/syncproof/syncproof/internal/remedy/stage/again"
	"github.com/syncproof/syncproof/internal/remedy/stage/trial"
	"github.com/syncproof/syncproof/internal/snapshot"
)

// release judges the newest release on a state. It is nil if that cannot be made again there.
func (p *planner) release(ctx context.Context, on *built, copies map[string]string, rewired bool) (*diag.PlanRelease, error) {
	n, err := p.lastRelease(ctx)
	if n == nil || err != nil {
		return nil, err
	}
	undone, made := n.Undone(on.tree, copies, rewired)
	if len(undone) == 0 || maps.EqualFunc(undone, made, bytes.Equal) {
		return nil, nil
	}
	var snaps []*snapshot.Snapshot
	for _, files := range []map[string][]byte{undone, made} {
		b, err := p.build(ctx, on, files)
		if err != nil {
			return nil, err
		}
		snaps = append(snaps, b.snap)
	}
	ends, ok := read(snaps[1], p.ends)
	if !ok {
		return nil, nil
	}
	setting := n.Setting(p.ends)
	problem, ok := cone.Build(cone.NewRelease(n.Revisions, snaps), ends, setting)
	last := n.Revisions[1]
	out := &diag.PlanRelease{Of: diag.Commit{Commit: last.Hash, Short: last.Short, Subject: last.Subject, Date: last.Date}, Verdict: string(proof.Safe)}
	if !ok {
		return out, nil
	}
	solved, err := p.solver.Solve(ctx, problem)
	if err != nil {
		return nil, err
	}
	out.Verdict, out.Left = string(solved.Verdict), trial.Openings(nil, solved)
	return out, nil
}

// lastRelease reads the newest release once.
func (p *planner) lastRelease(ctx context.Context) (*again.Release, error) {
	if !p.looked && p.Tree != nil {
		n, err := again.Newest(ctx, p.Pair.Releases, p.ends, p.Tree)
		if err != nil {
			return nil, err
		}
		p.looked, p.newest = true, n
	}
	return p.newest, nil
}

// read is the pair at a state: its provider may have got a name that tells its content.
func read(s *snapshot.Snapshot, ends cone.Ends) (cone.Ends, bool) {
	for _, pr := range refgraph.Pairs(s.Graph) {
		if pr.Consumer == ends.Consumer && pr.Provider == ends.Provider {
			return ends, true
		}
	}
	for _, pr := range refgraph.Pairs(s.Graph) {
		if pr.Consumer == ends.Consumer && suffixed(pr.Provider, ends.Provider) {
			return cone.Ends{Consumer: ends.Consumer, Provider: pr.Provider}, true
		}
	}
	return ends, false
}

func suffixed(id, plain object.ID) bool {
	return id.Kind == plain.Kind && id.Namespace == plain.Namespace && len(id.Name) > len(plain.Name) && id.Name[:len(plain.Name)+1] == plain.Name+"-"
}

// between says what a release comes to while the newest stage of a run is the newest.
func (p *planner) between(ctx context.Context, x *run) error {
	now, err := p.release(ctx, x.states[len(x.states)-1], x.copies, false)
	if err != nil || now == nil {
		return err
	}
	if p.today == nil {
		if p.today, err = p.release(ctx, x.states[0], nil, false); err != nil {
			return err
		}
	}
	stage := &x.stages[len(x.stages)-1]
	if p.today != nil && now.Verdict == p.today.Verdict && !x.turned() {
		return nil // as before
	}
	if now.Verdict != string(proof.Safe) && now.Verdict != string(proof.Fragile) {
		now.Hold = "no release from here on, until " + p.until(x)
	}
	for _, s := range x.stages[:len(x.stages)-1] {
		if s.Release != nil && s.Release.Hold == now.Hold && now.Hold != "" {
			return nil // said once
		}
	}
	stage.Release = now
	return nil
}

// turned tells whether the new unit delivers the provider in a run so far.
func (r *run) turned() bool {
	return slices.ContainsFunc(r.kinds, func(k kind) bool { return k == joining || k == moving || k == naming })
}

// until is what ends the time without releases.
func (p *planner) until(x *run) string {
	if moved := p.movedFiles(x); len(moved) > 0 {
		return fmt.Sprintf("%s writes %s instead of %s", p.writer(), moved[0].to, moved[0].from)
	}
	return "the next stage has arrived"
}

// end is the newest release on what the last stage leaves, with everything that has to be done by hand done.
func (p *planner) end(ctx context.Context, x *run) (*diag.PlanRelease, error) {
	return p.release(ctx, x.states[len(x.states)-1], x.copies, true)
}

// movedFile is a file that a release writes and that has another place now.
type movedFile struct{ from, to string }

func (p *planner) movedFiles(x *run) []movedFile {
	var out []movedFile
	if p.newest == nil {
		return nil
	}
	end := x.states[len(x.states)-1]
	for _, to := range slices.Sorted(maps.Keys(x.copies)) {
		from := x.copies[to]
		_, part := p.newest.After[from]
		if _, err := fs.Stat(end.tree, to); part && err == nil && from != to {
			out = append(out, movedFile{from, to})
		}
	}
	return out
}
