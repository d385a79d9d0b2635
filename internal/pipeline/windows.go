package pipeline

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/syncproof/syncproof/internal/aftermath"
	"github.com/syncproof/syncproof/internal/cone"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/source"
)

// DefaultWindow is how far apart two commits may be that are looked at as delivered together, if nobody says otherwise: half
// an hour between two pull requests that belong together is common, and a unit whose sync is slow or failed sees both at once.
const DefaultWindow = time.Hour

// window is what a found pair is about if it is not one release: two releases that touch the pair, by their place in
// judging.found.
type window struct{ first, second int }

// windows judges the pairs that the newest step touches together with the release that touched them last, if that one is
// near. from is the first of the step's pairs. Only neighbours are looked at, two by two.
func (j *judging) windows(ctx context.Context, from int) error {
	releases := map[int]*cone.Release{} // by the earlier step
	for n := from; n < len(j.found); n++ {
		pair := shape(j.found[n].candidate)
		before, touched := j.last[pair]
		j.last[pair] = n
		if !touched || !j.near(j.found[before].at, j.found[n].at) {
			continue
		}
		if err := j.window(ctx, window{before, n}, releases); err != nil {
			return err
		}
	}
	return nil
}

// near tells whether two steps are so soon after each other that they are looked at together. Dates are what people and
// machines wrote. They are believed only if the later one is not before the earlier one, both are of a time in which Git
// exists, and every commit between lies in the same window.
func (j *judging) near(first, second int) bool {
	steps := j.in.Releases.Steps
	start := steps[first].tip().When
	if start.Year() < 2005 {
		return false
	}
	for i := first; i <= second; i++ {
		after := steps[i].tip().When.Sub(start)
		if after < 0 || after > j.in.Releases.Window {
			return false
		}
		if i > first && steps[i].Commits[0].Hash != steps[i-1].tip().Hash {
			return false // no chain of commits
		}
	}
	return true
}

// window judges one pair with both of its releases on their way.
func (j *judging) window(ctx context.Context, w window, releases map[int]*cone.Release) error {
	first, second := j.found[w.first], j.found[w.second]
	s := Step{Commits: []source.Commit{first.step.Commits[0], first.tip(), second.tip()}}
	snaps, revisions, err := j.look(ctx, s)
	if err != nil {
		return err
	}
	r := releases[first.at]
	if r == nil {
		r = cone.NewRelease(revisions, snaps)
		releases[first.at] = r
	}
	if r.Unseen(endsOf(second.candidate)) != "" {
		return nil // each release says so by itself
	}
	f, ok, err := j.solve(ctx, r, second.candidate, s, snaps)
	if err != nil || !ok {
		return err
	}
	f.at, f.window = second.at, &w
	j.together = append(j.together, f)
	return nil
}

// tip is the newest commit of a step.
func (s Step) tip() source.Commit { return s.Commits[len(s.Commits)-1] }

// graver are the windows that are worse than each of their releases by itself: findings of their own. The others are told
// with the pair's evidence only, since they say nothing new.
func (j *judging) graver() []found {
	var out []found
	for _, f := range j.together {
		if f.gravity() < min(j.found[f.window.first].gravity(), j.found[f.window.second].gravity()) {
			out = append(out, f)
		}
	}
	return out
}

// gravity is the place of a verdict among all, 0 for the gravest.
func (f found) gravity() int { return slices.Index(diag.Verdicts(), string(f.solved.Verdict)) }

// apart is how long after the first release of a window the second one came.
func (f found) apart() string {
	return aftermath.Span(f.tip().When.Sub(f.step.Commits[1].When))
}

// windowWords say what a window is.
func (f found) windowWords() string {
	return fmt.Sprintf("%s and %s, %s apart: delivered as one if a unit sees both at once", short(f.step.Commits[1].Hash), short(f.tip().Hash),
		f.apart())
}

// windowOf is a window as the evidence has it.
func (f found) windowOf() diag.Window {
	r := f.solved.Names.Revisions
	return diag.Window{
		Commits: []diag.Commit{commitOf(r[1]), commitOf(r[2])}, Apart: f.apart(), Verdict: string(f.solved.Verdict),
	}
}
