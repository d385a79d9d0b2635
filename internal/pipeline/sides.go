package pipeline

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/object"
	"github.com/syncproof/syncproof/internal/owners"
	"github.com/syncproof/syncproof/internal/source"
	"github.com/syncproof/syncproof/internal/unit"
)

// sides tells whose files the two ends are written in, and by whom: the files below the unit's source that releases of the
// pair change.
func (j *judging) sides(ctx context.Context, all []found) ([]diag.Side, error) {
	newest := all[len(all)-1]
	tip := newest.tip()
	tree, err := j.in.Releases.Repository.Tree(ctx, tip)
	if err != nil {
		return nil, err
	}
	rules, _ := owners.Load(tree, j.in.Discover.Remotes)
	changed, err := j.changedBy(ctx, all)
	if err != nil {
		return nil, err
	}
	var out []diag.Side
	for _, end := range []struct {
		name  string
		units []unit.ID
		at    object.Location
	}{
		{"consumer", newest.candidate.Consumer.Units, newest.candidate.Consumer.At},
		{"provider", newest.candidate.Provider.Units, newest.candidate.Provider.At},
	} {
		s := diag.Side{End: end.name, Unit: unitNames(end.units, newest.snapshot), Paths: below(changed, newest, end.units)}
		if len(s.Paths) == 0 && end.at.File != "" && end.at.Repository == "" {
			s.Paths = []string{end.at.File}
		}
		if len(s.Paths) == 0 {
			continue
		}
		s.Owner = rules.Of(s.Paths[0]).Text(false)
		if s.Writers, err = j.writers(ctx, tip, tree, s.Paths); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// writers are who committed to paths in the last year, in words.
func (j *judging) writers(ctx context.Context, tip source.Commit, tree source.Tree, paths []string) ([]string, error) {
	log, ok := j.in.Releases.Repository.(owners.Log)
	if !ok {
		return nil, nil
	}
	commits, _, err := owners.Touching(ctx, log, owners.LastYear(tip, paths, 1000))
	if err != nil {
		return nil, err
	}
	if text := owners.Tally(commits, owners.LoadMailmap(tree), false).Text(); text != "" {
		return []string{text}, nil
	}
	return nil, nil
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

// mostPaths is how many paths are told of one side.
const mostPaths = 3

// below are the paths below the sources of units, those that change most often first.
func below(changed map[string]int, f found, ids []unit.ID) []string {
	var out []string
	for p := range changed {
		for _, u := range f.snapshot.Units {
			dir := path.Clean(u.Source.Path)
			if slices.Contains(ids, u.ID) && (dir == "." || strings.HasPrefix(p, dir+"/")) && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		if changed[a] != changed[b] {
			return changed[b] - changed[a]
		}
		return strings.Compare(a, b)
	})
	return out[:min(len(out), mostPaths)]
}
