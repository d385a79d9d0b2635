package pipeline

import (
	"context"
	"slices"

	"github.com/syncproof/syncproof/internal/boundary"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/discretion"
	"github.com/syncproof/syncproof/internal/hazard"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/owners"
	"github.com/syncproof/syncproof/internal/source"
)

// sides tells whose files the two ends are written in, and by whom: the files below the unit's source that releases of the
// pair change.
func (j *judging) sides(ctx context.Context, all []found) ([]diag.Side, error) {
	newest := all[len(all)-1]
	tree, err := j.in.Releases.Repository.Tree(ctx, newest.tip())
	if err != nil {
		return nil, err
	}
	changed, err := j.changedBy(ctx, all)
	if err != nil {
		return nil, err
	}
	log, _ := j.in.Releases.Repository.(owners.Log)
	b := boundary.New(boundary.Input{
		Tip: newest.tip(), Tree: tree, Log: log, Remotes: j.in.Discover.Remotes, Names: j.in.Names,
		Others: j.others(ctx), Objects: objectsOf(newest),
		Ours: func(url string) bool { return slices.Contains(newest.snapshot.URLs, url) },
	})
	var out []diag.Side
	for _, end := range []struct {
		name string
		hazard.End
	}{{"consumer", newest.candidate.Consumer}, {"provider", newest.candidate.Provider}} {
		s := boundary.Side{
			End: end.name, Unit: unitNames(end.Units, newest.snapshot),
			Paths: boundary.Paths(tree, newest.snapshot, changed, boundary.End{Object: end.Object, At: end.At, Units: end.Units}),
		}
		if len(s.Paths) == 0 {
			continue
		}
		for _, id := range end.Units {
			s.Apps = append(s.Apps, id.Namespace+"/"+id.Name)
		}
		side, err := b.Of(ctx, s)
		if err != nil {
			return nil, err
		}
		out = append(out, side)
	}
	return out, nil
}

// objectsOf are the objects of all units at a release.
func objectsOf(f found) []object.Object {
	var out []object.Object
	for _, u := range f.snapshot.Units {
		out = append(out, u.Objects...)
	}
	return out
}

// others are the repositories whose pipelines may write into this one: those that were given, and those that images are built
// from. As they stand now: what wrote at an earlier time may have gone. One that cannot be read has nothing to tell.
func (j *judging) others(ctx context.Context) []boundary.Repository {
	var out []boundary.Repository
	for _, g := range j.in.Discover.Given {
		if g.Refs == nil || len(g.URLs) == 0 {
			continue
		}
		if head, err := g.Refs.Head(ctx); err == nil {
			if tree, err := g.Refs.Tree(ctx, head); err == nil {
				out = append(out, boundary.Repository{Name: source.NormalizeURL(g.URLs[0]), Tree: tree})
			}
		}
	}
	for _, p := range j.in.Discover.Config.Pairs {
		if p.Serves == nil || p.Serves.Repository == "" || p.Serves.Repository == "." || j.in.Releases.Others == nil {
			continue
		}
		repo, err := j.in.Releases.Others(ctx, p.Serves.Repository)
		if err != nil {
			continue
		}
		if head, err := repo.Resolve(ctx, "HEAD"); err == nil {
			if tree, err := repo.Tree(ctx, head); err == nil {
				out = append(out, boundary.Repository{Name: p.Serves.Repository, Tree: tree})
			}
		}
	}
	return out
}

// mostReleases bounds the releases whose changed paths are looked at.
const mostReleases = 50

// changedBy counts the paths that the releases change.
func (j *judging) changedBy(ctx context.Context, all []found) (map[string]int, error) {
	out := map[string]int{}
	for _, x := range all[max(0, len(all)-mostReleases):] {
		paths, err := j.in.Releases.Repository.Changed(ctx, x.step.Commits[0], x.tip())
		if err != nil {
			return nil, err
		}
		for _, p := range paths {
			out[p]++
		}
	}
	return out, nil
}

// mostKnown is how many commits are read for who may be named in the words of others.
const mostKnown = 1000

// discreet takes persons out of what the commits of a report say.
func discreet(ctx context.Context, in Input, r *diag.Report) {
	var known []source.Commit
	if in.Commit != nil {
		known = append(known, *in.Commit)
		if past, ok := in.Discover.Refs.(owners.Log); ok {
			// Where a clone is cut off, those before it are not known.
			recent, _ := past.FirstParents(context.WithoutCancel(ctx), *in.Commit, mostKnown)
			known = append(known, recent...)
		}
	}
	var find func(hash string) (source.Commit, bool)
	if in.Releases != nil {
		for _, s := range in.Releases.Steps {
			known = append(known, s.Commits...)
		}
		find = func(hash string) (source.Commit, bool) {
			c, err := in.Releases.Repository.Resolve(context.WithoutCancel(ctx), hash)
			return c, err == nil
		}
	}
	discretion.Apply(r, known, find)
}
