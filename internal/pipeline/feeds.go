package pipeline

import (
	"context"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/aftermath"
	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discover"
	"github.com/syncproof/syncproof/internal/explain"
	"github.com/syncproof/syncproof/internal/snapshot"
	"github.com/syncproof/syncproof/internal/unit"
)

// feeds are what the units of a pair take from Git, by the units of its case.
func (f found) feeds() []explain.Feed {
	out := make([]explain.Feed, len(f.solved.Names.Units))
	for i, name := range f.solved.Names.Units {
		if u, s := f.newest(name.ID); u != nil {
			out[i] = explain.Feed{Kind: string(u.Kind), Revision: revisionText(u.Unit), Source: s.SourceText(u.Unit)}
		}
	}
	return out
}

// revisionText names what the sources of a unit follow, each revision once.
func revisionText(u unit.Unit) string {
	var out []string
	for _, src := range u.Sources {
		if rev := src.TargetRevision; rev != "" && !slices.Contains(out, rev) {
			out = append(out, rev)
		}
	}
	return strings.Join(out, " + ")
}

// newest is a unit as the last revision that has it knows it; nil if none does.
func (f found) newest(id unit.ID) (*discover.Delivered, *snapshot.Snapshot) {
	for _, s := range slices.Backward(f.names) {
		for i := range s.Units {
			if s.Units[i].ID == id {
				return &s.Units[i], s
			}
		}
	}
	return nil, nil
}

// feed tells of the findings' routes which files they begin with.
func (j *judging) feed(ctx context.Context, findings []diag.Finding) error {
	for i := range findings {
		if !reported(findings[i]) || findings[i].Routes == nil || findings[i].Release == nil {
			continue
		}
		for k := range findings[i].Routes.Ways {
			r := &findings[i].Routes.Ways[k]
			f, ok := j.delivering(findings[i], r)
			if !ok {
				continue
			}
			changed, err := j.in.Releases.Repository.Changed(ctx, f.step.Commits[0], f.tip())
			if aftermath.CutOff(err) {
				continue
			}
			if err != nil {
				return err
			}
			f.begin(r, changed, findings[i].Changes)
		}
	}
	return nil
}

// delivering is the judged pair that a finding tells of, in the place where the unit of the route is.
func (j *judging) delivering(f diag.Finding, r *diag.Route) (found, bool) {
	if !r.Changed || r.Unit == nil {
		return found{}, false
	}
	for _, x := range j.found {
		names := func(n cone.UnitName) bool { return n.Short == r.Unit.Name }
		if x.rev() == f.Release.Commit.Commit && x.shape() == f.ID && slices.ContainsFunc(x.solved.Names.Units, names) {
			return x, true
		}
	}
	return found{}, false
}

// mostRoutePaths is how many files are told of one route.
const mostRoutePaths = 4

// begin notes the files of a route: those in which a change of this end is written before others.
func (f found) begin(r *diag.Route, changed []string, changes []diag.Change) {
	var id unit.ID
	for _, name := range f.solved.Names.Units {
		if name.Short == r.Unit.Name {
			id = name.ID
		}
	}
	u, s := f.newest(id)
	if u == nil {
		return
	}
	for _, p := range changed {
		if s.Takes(u.Unit, p) || r.Unit.Spec != "" && p == u.Origin.File && u.Origin.Repository == "" {
			r.Paths = append(r.Paths, p)
		}
	}
	written := func(p string) int {
		if slices.ContainsFunc(changes, func(c diag.Change) bool { return c.Unit == r.Unit.Name && c.At.File == p }) {
			return 0
		}
		return 1
	}
	slices.SortFunc(r.Paths, func(a, b string) int {
		if x, y := written(a), written(b); x != y {
			return x - y
		}
		return strings.Compare(a, b)
	})
	if more := len(r.Paths) - mostRoutePaths; more > 0 {
		r.Paths, r.More = r.Paths[:mostRoutePaths], more
	}
}
