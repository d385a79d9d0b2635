package cli

import (
	"context"
	"path/filepath"

	"github.com/syncproof/syncproof/internal/history"
	"github.com/syncproof/syncproof/internal/lookback"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/source"
)

// inFlight makes a case of each n commits that follow each other: all in flight, on the base of the commit before them.
func inFlight(n int, commits []source.Commit) []pipeline.Step {
	var out []pipeline.Step
	for i := n; i < len(commits); i++ {
		out = append(out, pipeline.Step{Commits: commits[i-n : i+1]})
	}
	return out
}

// releases makes the run one over releases. A repository that the configuration says images serve from has to be there.
func (o *opened) releases(ctx context.Context, steps []pipeline.Step) error {
	opened := map[string]*source.Repository{}
	o.input.Releases = &pipeline.Releases{
		Repository: o.repo,
		Steps:      steps,
		Others: func(ctx context.Context, dir string) (history.Revisions, error) {
			path := filepath.FromSlash(dir)
			if !filepath.IsAbs(path) {
				path = filepath.Join(o.repo.Top(), path)
			}
			if repo, ok := opened[path]; ok {
				return repo, nil
			}
			repo, err := openGiven(ctx, o, o.input.Discover.Config, path)
			if err != nil {
				return nil, err
			}
			opened[path] = repo
			return repo, nil
		},
	}
	for _, p := range o.input.Discover.Config.Pairs {
		if p.Serves == nil || p.Serves.Repository == "" || p.Serves.Repository == "." {
			continue
		}
		if _, err := o.input.Releases.Others(ctx, p.Serves.Repository); err != nil && ctx.Err() == nil {
			return usagef("%s:%d: repository %s: %w", o.input.Discover.Config.File, p.Line, p.Serves.Repository, err)
		}
	}
	return nil
}

// span is a range of commits as it was asked for.
type span struct{ base, head source.Commit }

// parseSpan finds the two commits of BASE..HEAD.
func (o *opened) parseSpan(ctx context.Context, text string) (span, error) {
	base, head, err := lookback.Cut(text)
	if err != nil {
		return span{}, usagef("%w", err)
	}
	var s span
	for _, side := range []struct {
		name string
		to   *source.Commit
	}{{base, &s.base}, {head, &s.head}} {
		commit, err := o.repo.Resolve(ctx, side.name)
		if err != nil {
			return span{}, o.unknown(ctx, side.name, err)
		}
		*side.to = commit
	}
	return s, nil
}
