package pipeline

import (
	"context"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/aftermath"
	"github.com/syncproof/syncproof/internal/delivery"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/history"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/source"
)

// touch is one release that touches a pair, with what was found of the pair in every place that it stands in.
type touch struct {
	found
	places []found // the gravest is the touch itself
}

// touches are the releases of a pair, oldest first, each once.
func touches(all []found) []touch {
	var out []touch
	for _, f := range all {
		if n := len(out); n > 0 && out[n-1].at == f.at {
			out[n-1].places = append(out[n-1].places, f)
			if f.gravity() < out[n-1].gravity() {
				out[n-1].found = f
			}
			continue
		}
		out = append(out, touch{f, []found{f}})
	}
	return out
}

// evidence counts the releases that touch a pair.
func (j *judging) evidence(ctx context.Context, all []found) (*diag.Evidence, error) {
	list := touches(all)
	e := &diag.Evidence{Judged: j.seen.releases, Commits: j.seen.commits, Touched: len(list), By: map[string]int{}}
	for _, x := range list {
		e.By[string(x.solved.Verdict)]++
		if j.in.All {
			e.Releases = append(e.Releases, x.shown())
		}
		if slices.ContainsFunc(x.places, found.both) {
			e.Both++
			if slices.ContainsFunc(x.places, found.literal) {
				e.Literal++
			}
		}
	}
	first, last := list[0].shown().Commit, list[len(list)-1].shown().Commit
	e.First, e.Last = &first, &last
	var err error
	if e.Fixes, err = j.fixes(ctx, list); err != nil {
		return nil, err
	}
	told := map[int]bool{}
	for _, w := range slices.Backward(j.together) {
		if samePair(w, list[0].found) && !told[w.at] {
			told[w.at] = true
			e.Windows = append(e.Windows, w.windowOf())
		}
	}
	return e, nil
}

func samePair(a, b found) bool {
	return identity(a.candidate.Consumer.Object) == identity(b.candidate.Consumer.Object) &&
		identity(a.candidate.Provider.Object) == identity(b.candidate.Provider.Object)
}

// both tells whether a release changes both ends of its pair.
func (f found) both() bool {
	c := f.solved.Case
	if c == nil || !c.Varies(c.Pair.Consumer) {
		return false
	}
	if c.Pair.Provider == delivery.None { // another one by template, if its name tells its content
		return len(f.reads) > 0 && f.reads[0] != f.reads[len(f.reads)-1]
	}
	return c.Varies(c.Pair.Provider)
}

// literal tells whether a release brings one and the same new value into both ends.
func (f found) literal() bool {
	ends := [2][2]object.Object{}
	for i, id := range []object.ID{f.candidate.Consumer.Object, f.candidate.Provider.Object} {
		ends[i][0], _ = f.names[0].Object(id)
		ends[i][1], _ = f.snapshot.Object(id)
	}
	return aftermath.Literal(ends[0], ends[1])
}

// fixes are the releases that were touched again within a day, or taken back at any time, newest first.
func (j *judging) fixes(ctx context.Context, list []touch) ([]diag.Fix, error) {
	var out []diag.Fix
	for i, y := range list {
		named, err := j.reverted(ctx, list[:i], y)
		if err != nil {
			return nil, err
		}
		for k, x := range list[:i] {
			if slices.Contains(named, k) {
				out = append(out, fixOf(x.found, y.found, diag.FixRevert))
			} else if kind := aftermath.Kind(x.tip(), y.tip()); kind != "" && k == i-1 {
				out = append(out, fixOf(x.found, y.found, kind))
			}
		}
	}
	slices.Reverse(out)
	return out, nil
}

func fixOf(x, y found, kind string) diag.Fix {
	f := diag.Fix{Release: x.shown().Commit, By: y.shown().Commit, Kind: kind}
	if after := y.tip().When.Sub(x.tip().When); after >= 0 {
		f.After = aftermath.Span(after)
	}
	return f
}

// reverted are the places in a list of the releases that a later one says to take back: in its own message, or in that of a
// commit that it merges. What it names may be a release, or a commit that a release merged.
func (j *judging) reverted(ctx context.Context, list []touch, y touch) ([]int, error) {
	messages, ok := j.in.Releases.Repository.(history.Messages)
	if !ok || len(list) == 0 {
		return nil, nil
	}
	var named []string
	for _, c := range append([]source.Commit{y.tip()}, j.parts(ctx, y.found).Commits...) {
		message, err := messages.Message(ctx, c)
		if aftermath.CutOff(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		named = append(named, aftermath.Reverts(message)...)
	}
	if len(named) == 0 {
		return nil, nil
	}
	var out []int
	for i, x := range list {
		for _, c := range append([]source.Commit{x.tip()}, j.parts(ctx, x.found).Commits...) {
			if slices.ContainsFunc(named, func(h string) bool { return strings.HasPrefix(c.Hash, h) }) {
				out = append(out, i)
				break
			}
		}
	}
	return out, nil
}
