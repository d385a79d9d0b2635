package pipeline

import (
	"context"
	"errors"
	"github.com/syncproof/syncproof/internal/boundary"
	"path"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/aftermath"
	"github.com/syncproof/syncproof/internal/diag"
	"github.com/syncproof/syncproof/internal/unit"
)

// parts are the commits that a release brings; none if it is one commit, or if the clone does not tell.
func (j *judging) parts(ctx context.Context, f found) aftermath.Parts {
	repo, ok := j.in.Releases.Repository.(aftermath.Repository)
	if !ok || len(f.step.Commits) != 2 {
		return aftermath.Parts{}
	}
	key := f.step.Commits[0].Hash + f.tip().Hash
	p, known := j.brought[key]
	if known {
		return p
	}
	p, err := aftermath.Brought(ctx, repo, f.step.Commits[0], f.tip())
	j.failed = errors.Join(j.failed, err)
	j.brought[key] = p
	return p
}

// name tells of the findings' releases which commits they bring.
func (j *judging) name(ctx context.Context, findings []diag.Finding) error {
	for i := range findings {
		f, ok := j.headOf(findings[i])
		repo, can := j.in.Releases.Repository.(aftermath.Repository)
		if !ok || !can || !reported(findings[i]) || findings[i].Release == nil {
			continue
		}
		p := j.parts(ctx, f)
		if p.All == 0 {
			continue
		}
		ends := append(slices.Clone(f.candidate.Consumer.Units), f.candidate.Provider.Units...)
		told, err := p.Told(ctx, repo, func(name string) bool {
			return sourceOf(f, ends, name) || slices.ContainsFunc(findings[i].Changes, func(c diag.Change) bool {
				return c.At.Repository == "" && c.At.File == name
			})
		})
		if err != nil {
			return err
		}
		findings[i].Release.Brings, findings[i].Release.Parts = p.All, told
	}
	return j.failed
}

// sourceOf tells whether a path is below a source of one of these units, at the end of a release.
func sourceOf(f found, ids []unit.ID, name string) bool {
	return slices.ContainsFunc(boundary.Dirs(f.snapshot, ids), func(dir string) bool {
		dir = path.Clean(dir)
		return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
	})
}
