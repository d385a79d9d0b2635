package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/syncproof/syncproof/internal/history"
	"github.com/syncproof/syncproof/internal/pipeline"
	"github.com/syncproof/syncproof/internal/source"
)

// lookBack takes the last n releases before the revision that is read, and that one's own.
func (o *opened) lookBack(ctx context.Context, n int) error {
	if o.repo == nil || o.input.Commit == nil || o.input.Worktree {
		return usagef("--history needs commits: there is no Git repository, no commit, or --worktree reads the disk")
	}
	commits, err := o.repo.FirstParents(ctx, *o.input.Commit, n+1)
	if errors.Is(err, source.ErrShallow) {
		or := ""
		if len(commits) > 1 {
			or = fmt.Sprintf(", or say at most %d", len(commits)-1)
		}
		return usagef("--history %d reaches beyond the edge of this shallow clone: fetch the history (fetch-depth: 0)%s", n, or)
	}
	if err != nil {
		return err
	}
	slices.Reverse(commits)
	if err := o.releases(ctx, inFlight(1, commits)); err != nil {
		return err
	}
	o.input.Releases.Story = true
	return nil
}

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

// cutSpan takes BASE..HEAD apart, where an empty HEAD is that of the repository.
func cutSpan(text string) (base, head string, err error) {
	base, head, ok := strings.Cut(text, "..")
	if !ok || base == "" || strings.HasPrefix(head, ".") {
		return "", "", usagef("%q is no range: say BASE..HEAD, such as main..HEAD or HEAD^..HEAD", text)
	}
	if head == "" {
		head = "HEAD"
	}
	return base, head, nil
}

// parseSpan finds the two commits of BASE..HEAD.
func (o *opened) parseSpan(ctx context.Context, text string) (span, error) {
	base, head, err := cutSpan(text)
	if err != nil {
		return span{}, err
	}
	var s span
	for _, side := range []struct {
		name string
		to   *source.Commit
	}{{base, &s.base}, {head, &s.head}} {
		commit, err := o.repo.Resolve(ctx, side.name)
		if err != nil {
			return span{}, o.unknown(side.name, err)
		}
		*side.to = commit
	}
	return s, nil
}

// unknown is what the user is told of a revision that does not resolve.
func (o *opened) unknown(name string, err error) error {
	if o.input.Shallow && (errors.Is(err, source.ErrUnknownRevision) || errors.Is(err, source.ErrShallow)) {
		return usagef("%s is not in this shallow clone: fetch the history (fetch-depth: 0)", name)
	}
	if errors.Is(err, source.ErrAmbiguous) {
		return usagef("%q is ambiguous: it is a branch and a tag", name)
	}
	if errors.Is(err, source.ErrUnknownRevision) {
		return usagef("%q is no revision of this repository", name)
	}
	return fmt.Errorf("%s: %w", name, err)
}
